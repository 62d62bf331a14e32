// SPDX-License-Identifier: Apache-2.0
// What is said about documents that are wrong or say too little. What constructs mean is in
// tests/owls/run.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/load.h"

namespace whittle {
namespace {

std::string document(const std::string& inside) {
  return "<r:RDF xmlns:r=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
         "xmlns=\"http://www.daml.org/services/owl-s/1.1/Process.owl#\" xml:base=\"http://base\">" +
         inside + "</r:RDF>";
}

std::string process(const std::string& construct, const std::string& others = "") {
  return document("<CompositeProcess r:ID=\"All\"><composedOf>" + construct +
                  "</composedOf></CompositeProcess>" + others);
}

// The ids of all diagnostics, in order.
std::vector<std::string> ids(const std::string& text) {
  const test::Loaded loaded = test::load("owls", text, "x.owl");
  std::vector<std::string> result;
  for (const Diagnostic& d : loaded.diagnostics.all()) result.emplace_back(d.id);
  if (loaded.network != nullptr) {
    EXPECT_TRUE(well_formedness_problems(*loaded.network).empty()) << text;
  }
  return result;
}

using Ids = std::vector<std::string>;

TEST(OwlsDiagnostics, NoProcess) {
  EXPECT_EQ(ids("<a/>"), (Ids{"owls-001"}));
  EXPECT_EQ(ids("no XML"), (Ids{"owls-001"}));
  EXPECT_EQ(ids(document("<AtomicProcess r:ID=\"A\"/>")), (Ids{"owls-002"}));
}

TEST(OwlsDiagnostics, Constructs) {
  EXPECT_EQ(ids(process("<Iterate/>")), (Ids{"owls-unsupported"}));
  EXPECT_EQ(ids(process("<Sequence r:ID=\"s\"><components r:parseType=\"Collection\">"
                        "<Sequence r:about=\"#s\"/></components></Sequence>")),
            (Ids{"owls-004"}));
  EXPECT_EQ(ids(process("<Perform><process r:resource=\"#All\"/></Perform>")), (Ids{"owls-005"}));
  EXPECT_EQ(ids(process("<Perform/>")), (Ids{"owls-004"}));
  EXPECT_EQ(ids(process("<If-Then-Else/>")), (Ids{"owls-004"}));
}

TEST(OwlsDiagnostics, WhatIsNotThereMayBeAnything) {
  EXPECT_EQ(ids(process("<Perform><process r:resource=\"#Elsewhere\"/></Perform>")),
            (Ids{"owls-free"}));
}

TEST(OwlsDiagnostics, ExpressionsOfOurOwn) {
  const std::string look =
      "<AtomicProcess r:ID=\"A\"><hasPrecondition><Condition>"
      "<expressionLanguage r:resource=\"urn:whittle\"/><expressionBody>x &gt; 0</expressionBody>"
      "</Condition></hasPrecondition></AtomicProcess>";
  EXPECT_EQ(ids(process("<Perform><process r:resource=\"#A\"/></Perform>", look)),
            (Ids{"owls-004"}));
}

TEST(OwlsProperties, EachPerformAndTheEnd) {
  const test::Loaded loaded =
      test::load("owls",
                 process("<Perform r:ID=\"P\"><process r:resource=\"#A\"/></Perform>",
                         "<AtomicProcess r:ID=\"A\"/>"),
                 "x.owl");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  std::vector<std::string> names;
  for (const Property& property : loaded.network->properties()) names.push_back(property.name);
  EXPECT_EQ(names, (std::vector<std::string>{"`P` can happen", "every start leads to an end"}));
}

}  // namespace
}  // namespace whittle

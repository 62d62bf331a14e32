// SPDX-License-Identifier: Apache-2.0
// RDF/XML as a graph: the same statements however they are written; entities of the document, which
// cannot grow without limit.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "frontend/owls/entities.h"
#include "frontend/owls/rdf.h"

namespace whittle::owls {
namespace {

struct Read {
  Sources sources;
  Diagnostics diagnostics;
  Graph graph;

  explicit Read(const std::string& inside, const std::string& before = "") {
    const FileId file =
        sources.add("x.owl", before +
                                 "<r:RDF xmlns:r=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
                                 "xmlns=\"http://v#\" xml:base=\"http://base\">" +
                                 inside + "</r:RDF>");
    read_rdf(sources, file, graph, diagnostics);
  }

  // "subject predicate object" of all statements, sorted; blank nodes are `_`, texts in quotes.
  [[nodiscard]] std::vector<std::string> statements() const {
    std::vector<std::string> result;
    const auto name = [&](std::size_t resource) {
      const std::string& uri = graph.at(resource).uri;
      return uri.starts_with("_:") ? std::string("_") : uri;
    };
    for (std::size_t r = 0; r < graph.size(); ++r) {
      for (const std::string& type : graph.at(r).types) result.push_back(name(r) + " a " + type);
      for (const Statement& s : graph.at(r).statements)
        result.push_back(name(r) + " " + s.predicate + " " +
                         (s.literal() ? "\"" + s.text + "\"" : name(s.object)));
    }
    std::sort(result.begin(), result.end());
    return result;
  }
};

using Strings = std::vector<std::string>;

TEST(Rdf, NodesAreNamedInManyWays) {
  const Strings expected = {"http://base#a a http://v#T", "http://base#a http://v#p http://base#b"};
  EXPECT_EQ(Read("<T r:ID=\"a\"><p r:resource=\"#b\"/></T>").statements(), expected);
  EXPECT_EQ(Read("<T r:about=\"#a\"><p r:resource=\"http://base#b\"/></T>").statements(), expected);
  EXPECT_EQ(Read("<r:Description r:about=\"http://base#a\"><r:type r:resource=\"http://v#T\"/>"
                 "<p><r:Description r:about=\"#b\"/></p></r:Description>")
                .statements(),
            expected);
}

TEST(Rdf, LiteralsAndPropertyAttributes) {
  const Strings expected = {"http://base#a a http://v#T", "http://base#a http://v#p \"some text\""};
  EXPECT_EQ(Read("<T r:ID=\"a\"><p> some text\n</p></T>").statements(), expected);
  EXPECT_EQ(Read("<v:T xmlns:v=\"http://v#\" r:ID=\"a\" v:p=\"some text\"/>").statements(),
            expected);
}

TEST(Rdf, ParseTypes) {
  EXPECT_EQ(
      Read("<T r:ID=\"a\"><p r:parseType=\"Resource\"><q>1</q></p></T>").statements(),
      (Strings{"_ http://v#q \"1\"", "http://base#a a http://v#T", "http://base#a http://v#p _"}));
  const Read list(
      "<T r:ID=\"a\"><p r:parseType=\"Collection\"><U r:ID=\"b\"/><U r:ID=\"c\"/></p></T>");
  const auto cell = list.graph.object(*list.graph.find("http://base#a"), "p");
  EXPECT_EQ(list.graph.object(cell, "first"), list.graph.find("http://base#b"));
  EXPECT_EQ(list.graph.object(list.graph.object(cell, "rest"), "first"),
            list.graph.find("http://base#c"));
  const Read literal("<T r:ID=\"a\"><p r:parseType=\"Literal\"><U r:ID=\"b\"/></p></T>");
  EXPECT_EQ(literal.graph.object(*literal.graph.find("http://base#a"), "p"),
            literal.graph.find("http://base#b"));
}

TEST(Rdf, BlankNodesOfOneNameAreOne) {
  const Read read("<T r:nodeID=\"n\"/><T r:ID=\"a\"><p r:nodeID=\"n\"/></T>");
  EXPECT_TRUE(read.graph.is(read.graph.object(*read.graph.find("http://base#a"), "p"), "T"));
}

TEST(Rdf, WhatIsNoneIsRefused) {
  EXPECT_TRUE(Read("<T>").diagnostics.has_errors());
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "<T><p>";
  for (int i = 0; i < 1000; ++i) deep += "</p></T>";
  EXPECT_TRUE(Read(deep).diagnostics.has_errors());
}

TEST(Entities, StandForText) {
  const Expanded read = expand_entities(
      "<!DOCTYPE x [ <!ENTITY a \"one\"> <!ENTITY b '&a; two'> ]><x y=\"&b;\">&lt; &c;</x>");
  EXPECT_TRUE(read.text.ends_with("<x y=\"one two\">&lt; &c;</x>"));
  EXPECT_FALSE(read.too_large);
}

TEST(Entities, AreNotMarkupAndNotReadInComments) {
  const Expanded read = expand_entities("<!DOCTYPE x [<!ENTITY a \"<b>\">]><x>&a;<!-- &a; --></x>");
  EXPECT_TRUE(read.text.ends_with("<x>&lt;b><!-- &a; --></x>"));
}

TEST(Entities, HaveLimits) {
  std::string text = "<!DOCTYPE x [<!ENTITY a0 \"0123456789\">";
  for (int k = 1; k < 20; ++k) {
    text += "<!ENTITY a" + std::to_string(k) + " \"";
    for (int i = 0; i < 10; ++i) text += "&a" + std::to_string(k - 1) + ";";
    text += "\">";
  }
  EXPECT_TRUE(expand_entities(text + "]><x>&a19;</x>").too_large);
  EXPECT_TRUE(expand_entities("<!DOCTYPE x [<!ENTITY a \"&a;\">]><x>&a;</x>").too_large);
}

TEST(Entities, PlacesAreThoseOfTheDocument) {
  const std::string text = "<!DOCTYPE x [<!ENTITY a \"http://long/name#\">]><x y=\"&a;b\" z=\"\"/>";
  const Expanded read = expand_entities(text);
  EXPECT_EQ(read.origin(static_cast<std::uint32_t>(read.text.find("z="))), text.find("z="));
  EXPECT_EQ(read.origin(static_cast<std::uint32_t>(read.text.find("http://long/name#b"))),
            text.find("&a;"));
}

}  // namespace
}  // namespace whittle::owls

// SPDX-License-Identifier: Apache-2.0
// `expect ...` in every language: what it means, that printing keeps it, and what is wrong with it.
#include "frontend/expectation.h"

#include <gtest/gtest.h>

#include "frontend/expression/expectation_clause.h"
#include "support/load.h"

namespace whittle {
namespace {

using test::load;
using test::Loaded;

std::string expected_of(const Loaded& model) {
  if (!model.network) return model.messages();
  std::string text;
  for (const Property& p : model.network->properties())
    text += p.name + (p.expected ? " " + to_string(*p.expected) : "") + ";";
  return text;
}

// Also after the model was printed and read again.
void expect_kept(const std::string& language, const std::string& text,
                 const std::string& expected) {
  const Loaded first = load(language, text);
  EXPECT_EQ(expected_of(first), expected);
  if (!first.network) return;
  const auto printed = find_language(language)->print(*first.network, *first.sources);
  const Loaded second = load(language, printed[0].text);
  EXPECT_EQ(expected_of(second), expected) << printed[0].text;
}

const std::string kSts =
    "system S\nvar x: Int\nvar expect: Int\nnode A\nstart A: x == 0\n"
    "transition t: A -> A then x' == x + 1\n";

TEST(Expectations, Sts) {
  expect_kept("sts",
              kSts +
                  "constraint A: x >= 0 expect holds\nsafety s @A: x < 3\n  expect violated in 3\n"
                  "reach r: x == 5 within 9 expect reachable in 5\nreach q: x == 5\n",
              "constraint A holds;s violated in 3;r reachable in 5;q;");
  // `expect` is also a name.
  expect_kept("sts", kSts + "safety s: x == expect expect violated\nsafety t: x == expect\n",
              "s violated;t;");
}

TEST(Expectations, Proc) {
  expect_kept("proc",
              "program p\nshared x: Int = 0\nprocess A { x := 1; assert x == 1 expect holds; }\n"
              "property q @depth 3: x == 0\n  expect violated in 1\nproperty r: x <= 1\n",
              "q violated in 1;r;assert at line 3 holds;");
}

TEST(Expectations, Cfa) {
  expect_kept("cfa",
              "x = *;\nif (x < 0) error \"low\" expect violated;\nassert(x >= 0) expect holds;\n",
              "low violated;assert at line 3 holds;");
}

TEST(Expectations, VmtLib) {
  const std::string text =
      "(declare-fun x () Int)(declare-fun y () Int)(define-fun .x () Int (! x :next y))\n"
      "(define-fun i () Bool (! (= x 0) :init true))(define-fun t () Bool (! (= y x) :trans "
      "true))\n";
  expect_kept("vmt",
              text +
                  "(define-fun p () Bool (! (= x 0) :invar-property 0 :expect holds))\n"
                  "(define-fun q () Bool (! (= x 1) :invar-property 1 :expect |violated in 0|))\n",
              "p holds;q violated in 0;");
  EXPECT_EQ(
      load("vmt", text + "(define-fun p () Bool (! (= x 0) :invar-property 0 :expect reachable))")
          .places()[0],
      "parse-008 3:60");
}

TEST(Expectations, WhatIsWrongWithThem) {
  EXPECT_EQ(load("sts", kSts + "safety s: x < 3 expect violatd\n").places(),
            std::vector<std::string>{"parse-001 7:24"});
  EXPECT_EQ(load("sts", kSts + "safety s: x < 3 expect reachable\n").places(),
            std::vector<std::string>{"parse-008 7:17"});
  EXPECT_EQ(load("sts", kSts + "reach s: x < 3 expect unreachable in 3\n").places(),
            std::vector<std::string>{"parse-008 7:16"});
}

TEST(Expectations, TheWordsOfOtherLanguagesAreTakenWithANote) {
  const Loaded sts = load("sts", kSts + "property s: x >= 0\n");
  EXPECT_EQ(expected_of(sts), "s;");
  EXPECT_EQ(sts.places(), (std::vector<std::string>{"sts-013 3:5", "parse-009 7:1"}));
  const Loaded proc = load("proc",
                           "program p\nshared x: Int = 0\nprocess A { x := 1; }\n"
                           "safety s: x <= 1\nreach r: x == 1 within 3 expect reachable\n");
  ASSERT_NE(proc.network, nullptr) << proc.messages();
  EXPECT_EQ(expected_of(proc), "s;r reachable;");
  EXPECT_EQ(proc.network->properties()[1].kind, PropertyKind::Reach);
  EXPECT_FALSE(proc.network->properties()[1].demand);
}

TEST(Expectations, AreTakenOutOfATextAsAWhole) {
  const Span span{FileId(0), 10, 40};
  Expectation clause{VerdictKind::Holds};
  clause.origin = {FileId(0), 20, 32};
  EXPECT_EQ(frontend::without_expectation("assert x; expect holds!", span, clause), "assert x; !");
  EXPECT_EQ(frontend::without_expectation("assert x;", span, std::nullopt), "assert x;");
}

}  // namespace
}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/remarks.h"

#include <gtest/gtest.h>

#include <string>

#include "support/load.h"

namespace whittle {
namespace {

const std::string kBegin = "void assert(int c); int nondet_int(void);\nint main(void) {\n";

// "name verdict;" of each property of the program with this body, and the diagnostics.
std::string said(const std::string& body) {
  const auto loaded = test::load("c", kBegin + body + "return 0; }\n", "program.c");
  std::string text;
  if (loaded.network)
    for (const Property& p : loaded.network->properties())
      text += p.name + (p.expected ? " " + to_string(*p.expected) : "") + ";";
  for (const Diagnostic& d : loaded.diagnostics.all()) text += d.id + ";";
  return text;
}

TEST(Remarks, AboutTheirLineOrTheNext) {
  EXPECT_EQ(said("assert(nondet_int());  // whittle: expect violated\n"),
            "assert at line 3 violated;");
  EXPECT_EQ(said("/* whittle: expect violated in 2 */ assert(nondet_int());\n"),
            "assert at line 3 violated in 2;");
  EXPECT_EQ(said("// whittle: expect holds\n\nassert(nondet_int());\nassert(nondet_int());\n"),
            "assert at line 5 holds;assert at line 6;");
  EXPECT_EQ(said("/*\n * whittle: expect holds\n */\nassert(nondet_int());\n"),
            "assert at line 6 holds;");
}

TEST(Remarks, QuestionsAboutAllPlacesHaveNames) {
  const std::string body = "int a[2]; a[nondet_int()] = 1 / nondet_int();\n";
  EXPECT_EQ(said("// whittle: expect bounds: violated; division: holds\n" + body),
            "bounds violated;division holds;");
  EXPECT_EQ(said("/* whittle: expect assert at line 3: holds */ assert(nondet_int());\n"),
            "assert at line 3 holds;");
}

TEST(Remarks, OtherCommentsSayNothing) {
  EXPECT_EQ(said("assert(nondet_int());  // expect violated\n"), "assert at line 3;");
  EXPECT_EQ(said("assert(nondet_int());  // of whittle: expect violated\n"), "assert at line 3;");
}

TEST(Remarks, WhatIsWrongWithThem) {
  EXPECT_EQ(said("// whittle: expect violated\nnondet_int();\n"), "c-021;");
  EXPECT_EQ(said("// whittle: expect shift: holds\n"), "c-021;");
  EXPECT_EQ(said("// whittle: is told something\n"), "c-021;");
  EXPECT_EQ(said("// whittle: expect\n"), "parse-008;");
  EXPECT_EQ(said("// whittle: expect shift: perhaps\n"), "parse-008;");
}

}  // namespace
}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Every message about STS files, with its place; each has a hint.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/load.h"

namespace whittle {
namespace {

using test::load;
using test::Loaded;
using Places = std::vector<std::string>;

// A file around the lines in question, which begin at line 5.
Loaded around(const std::string& lines) {
  return load(
      "sts",
      "system S\nvar x: Int\nenum E { A, B }\nfinal node N\n" + lines + "\nstart N: x == 0\n",
      "model.sts");
}

void expect_places(const std::string& lines, const Places& places) {
  const Loaded loaded = around(lines);
  EXPECT_EQ(loaded.places(), places) << lines << "\n" << loaded.messages();
  for (const Diagnostic& d : loaded.diagnostics.all()) {
    EXPECT_NE(d.hint, "") << d.id << ": " << d.message;
    EXPECT_EQ(d.severity == Severity::Error, loaded.network == nullptr) << d.id;
  }
}

TEST(StsDiagnostics, Names) {
  expect_places("var x: Int", {"sts-001 5:5"});
  expect_places("const A = 1", {"sts-001 5:7"});
  expect_places("enum F { C, C }", {"sts-001 5:13"});
  expect_places("enum F { A }", {"sts-001 5:10"});
  expect_places("enum E { C }", {"sts-001 5:6"});
  expect_places("enum Int { C }", {"sts-001 5:6"});
  expect_places("node N", {"sts-001 5:6"});
  expect_places("transition t: N -> N\ntransition t: N -> N", {"sts-001 6:12"});
  expect_places("safety p: x > 0\nreach p: x > 0", {"sts-001 6:7"});
  expect_places("transition t: N -> N (p: Int, p: Int) when p > 0", {"sts-001 5:31"});
  expect_places("safety p: y > 0", {"sts-002 5:11"});
  expect_places("safety p: E == A", {"sts-002 5:11"});
  expect_places("safety p: N && true", {"sts-002 5:11"});
  expect_places("var y: Itn", {"sts-003 5:8"});
  expect_places("transition t: N -> N (p: Foo) when p > 0", {"sts-003 5:26"});
  expect_places("transition t: N -> M", {"sts-004 5:20"});
  expect_places("transition t: M -> N", {"sts-004 5:15"});
  expect_places("constraint M: true", {"sts-004 5:12"});
  expect_places("safety p @M: true", {"sts-004 5:11"});
  expect_places("safety p: @M", {"sts-004 5:11"});
  expect_places("start M: true", {"sts-004 5:7"});
  expect_places("transition t: N -> N (x: Int)", {"sts-009 5:23"});
  expect_places("var true: Bool", {"sts-010 5:5"});
  expect_places("var if: Bool", {"sts-010 5:5"});
}

TEST(StsDiagnostics, DidYouMean) {
  const auto hint = [](const std::string& lines) {
    return around(lines).diagnostics.all()[0].hint;
  };
  EXPECT_EQ(hint("var balance: Int\nsafety p: balence > 0"), "did you mean `balance`?");
  EXPECT_EQ(hint("var y: Itn"), "did you mean `Int`?");
  EXPECT_EQ(hint("vra y: Int"), "did you mean `var`?");
  EXPECT_EQ(hint("node Open\ntransition t: N -> Opne"), "did you mean `Open`?");
  EXPECT_EQ(hint("safety p: N"), "this is a node; ask for it with `@N`");
}

TEST(StsDiagnostics, Starts) {
  const Loaded loaded = load("sts", "system S\nfinal node N\n");
  EXPECT_EQ(loaded.places(), Places{"sts-005 1:8"});
}

TEST(StsDiagnostics, Constants) {
  expect_places("const C = D\nconst D = C + 1", {"sts-006 6:11"});
  expect_places("const C = C", {"sts-006 5:11"});
  expect_places("const C = x", {"type-013 5:11"});
  expect_places("const C = 1 / 0", {"type-014 5:11"});
  expect_places("const C = 10 ^ 1000\nconst D = C * C * C * C * C * C", {"type-004 6:11"});
  expect_places("const C = \"a\" + 1", {"type-001 5:15"});
}

TEST(StsDiagnostics, NextValues) {
  expect_places("transition t: N -> N when x' == 1", {"type-007 5:27"});
  expect_places("safety p: x' == 1", {"type-007 5:11"});
  expect_places("transition t: N -> N (p: Int) then p' == 1", {"sts-007 5:36"});
  expect_places("transition t: N -> N then A' == B", {"sts-007 5:27"});
  expect_places("transition t: N -> N then any A", {"sts-008 5:27"});
  expect_places("transition t: N -> N then any z", {"sts-002 5:27"});
  expect_places("transition t: N -> N then any x || true", {"type-009 5:27"});
  expect_places("transition t: N -> N when @N", {"type-008 5:27"});
  expect_places("constraint N: @N", {"type-008 5:15"});
}

TEST(StsDiagnostics, Types) {
  expect_places("safety p: x", {"type-002 5:11"});
  expect_places("safety p: x + true > 0", {"type-001 5:13"});
  expect_places("transition t: N -> N when x", {"type-002 5:27"});
  expect_places("transition t: N -> N then x' + 1", {"type-002 5:27"});
  expect_places("transition t: N -> N then x' == A", {"type-001 5:30"});
  expect_places("reach r: A", {"type-002 5:10"});
}

TEST(StsDiagnostics, Grammar) {
  expect_places("var y Int", {"parse-001 5:7"});
  expect_places("const C 5", {"parse-001 5:9"});
  expect_places("enum F { }", {"parse-001 5:10"});
  expect_places("enum F { C", {"parse-001 6:1"});
  expect_places("transition t N -> N", {"parse-001 5:14"});
  expect_places("transition t: N N", {"parse-001 5:17"});
  expect_places("transition t: N -> N (p Int)", {"parse-001 5:25"});
  expect_places("transition t: N -> N when then x' == 1", {"parse-001 5:27"});
  expect_places("transition t: N -> N then x' == 1 when x == 0", {"parse-001 5:35"});
  expect_places("safety p x > 0", {"parse-001 5:10"});
  expect_places("safety p: x >", {"parse-001 6:1"});
  expect_places("safety p: (x > 0", {"parse-005 6:1"});
  expect_places("reach r: x > 0 within x", {"parse-001 5:23"});
  expect_places("reach r: x > 0 within 99999999999999999999", {"parse-004 5:23"});
  expect_places("safety p: x > 0;", {"parse-001 5:16"});
  expect_places("safety p: x > 0 x", {"parse-001 5:17"});
  expect_places("final N", {"parse-001 5:7"});
  expect_places("var \"y\": Int", {"parse-001 5:5"});
  expect_places("node \"\"", {"lex-008 5:6"});
  expect_places("safety p: x = 0", {"parse-001 5:13"});
  expect_places("system T", {"parse-001 5:1"});
}

TEST(StsDiagnostics, TheFirstLine) {
  EXPECT_EQ(load("sts", "").places(), Places{"parse-002 1:1"});
  EXPECT_EQ(load("sts", "var x: Int\nfinal node N\nstart N: x == 0").places(),
            Places{"parse-001 1:1"});
  EXPECT_EQ(load("sts", "system\nfinal node N\nstart N: true").places(), Places{"parse-001 2:1"});
}

// Mistakes of every stage in one file, all reported, none twice.
TEST(StsDiagnostics, FourDifferentMistakesAreFourMessages) {
  const Loaded loaded = load("sts", R"(system S
var balance: Reall
node Open
start Open balance == 0
transition pay: Open -> Open
  when balance > 0 &&
  then balance' == balence
safety p: balance ++ 1
safety q: balance >= #
safety r: missing > 0
)");
  EXPECT_EQ(loaded.places(),
            (Places{"sts-003 2:14", "parse-001 4:12", "parse-001 7:3", "sts-002 7:20",
                    "type-001 8:19", "lex-001 9:22", "sts-002 10:11"}))
      << loaded.messages();
}

// What is wrong in a declaration does not hide the rest of it.
TEST(StsDiagnostics, SeveralMistakesInOneDeclaration) {
  expect_places("transition t: M -> N when x > then x' == z",
                {"sts-004 5:15", "parse-001 5:31", "sts-002 5:42"});
  expect_places("transition t: N -> M when z > 0 then x' ==",
                {"sts-004 5:20", "sts-002 5:27", "parse-001 6:1"});
  expect_places("safety p @M: x >", {"sts-004 5:11", "parse-001 6:1"});
}

// A line that begins like a declaration is read as one after a mistake, even if it is wrong itself.
TEST(StsDiagnostics, LinesHelpToRecover) {
  expect_places("var y Int\nnode A B\nsafety p x",
                {"parse-001 5:7", "parse-001 6:8", "parse-001 7:10"});
  expect_places("safety p: x >\nnode A B", {"parse-001 6:1", "parse-001 6:8"});
}

TEST(StsDiagnostics, UnreadDeclarationsDoNotMakeNamesUnknown) {
  // `y` and `M` may be what the broken lines declare.
  expect_places("var y; Int\nsafety p: y > 0", {"parse-001 5:6"});
  expect_places("node M; K\ntransition t: M -> K", {"parse-001 5:7"});
}

TEST(StsDiagnostics, Warnings) {
  expect_places("node M\ntransition t: N -> M", {"sts-011 5:6"});
  expect_places("final node M", {"sts-012 5:12"});
  expect_places("var y: Int", {"sts-013 5:5"});
  expect_places("transition t: N -> N (p: Int)", {"sts-014 5:23"});
  expect_places("const C = 5", {"sts-015 5:7"});
  expect_places("transition t: N -> N when 1 > 2", {"sts-016 5:27"});
  expect_places("start N: false", {"sts-016 5:10"});
  expect_places("transition t: N -> N then x' == 1 && any x", {"sts-017 5:38"});
  expect_places("transition t: N -> N then x == x * 2", {"sts-018 5:27"});
  expect_places("transition t: N -> N then x' == x + 1 && x < 10", {"sts-018 5:42"});
  expect_places("transition t: N -> N then (if x > 0 then x' == 1 else x' == 2) && true", {});
  expect_places("transition t: N -> N then x > 0 -> x' > x", {});
  expect_places("transition t: N -> N then any x", {});
  expect_places("transition t: N -> N when x > 5 && x < 3 then x' == 1", {"sts-019 5:36"});
  expect_places("transition t: N -> N when x > 5 && x < 7 then x' == 1", {});
  expect_places("transition t: N -> N (e: E) when e == A && e == B", {"sts-019 5:44"});
  expect_places("start N: x > 0 && x == 0", {"sts-019 5:10"});
  expect_places("safety p: forall x in 1..2: x > 0", {"type-012 5:18"});
}

TEST(StsDiagnostics, HintsNameTheRelatedPlace) {
  const Loaded loaded = around("var x: Int");
  ASSERT_EQ(loaded.diagnostics.all()[0].related.size(), 1U);
  EXPECT_EQ(loaded.sources->file(loaded.file)
                .position(loaded.diagnostics.all()[0].related[0].span.begin)
                .line,
            2U);
}

}  // namespace
}  // namespace whittle

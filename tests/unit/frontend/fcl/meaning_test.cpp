// SPDX-License-Identifier: Apache-2.0
// What a step is, how expressions and numbers are read, and that programs survive being printed.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "expr/evaluate.h"
#include "ir/run/explicit_search.h"
#include "support/load.h"

namespace whittle {
namespace {

// Least number of steps to a state in which the condition holds; empty: there is none.
std::optional<std::uint64_t> steps(const std::string& program, const std::string& condition) {
  const test::Loaded loaded = test::load("fcl", program + "\nreach r: " + condition, "p.fcl");
  EXPECT_NE(loaded.network, nullptr) << loaded.messages();
  if (loaded.network == nullptr) return {};
  const Network& network = *loaded.network;
  const Property& property = network.property(PropertyId(0));
  SearchOptions search;
  search.candidates = finite_candidates(network.pool());
  const SearchResult found =
      explicit_search(network, property.universe, property.condition(), {}, search);
  if (found.trace) return found.trace->length();
  EXPECT_TRUE(found.exhausted);
  return std::nullopt;
}

// The value of an expression.
bool is(const std::string& expression, const std::string& value) {
  return steps("() (s) s: x := " + expression + "; return;", "[s.2] and x = " + value) == 1U;
}

TEST(FclMeaning, OneStepIsOneStatement) {
  EXPECT_EQ(steps("() (s) s: goto t; t: skip; x := 1; return;", "[halt]"), 4U);
  EXPECT_EQ(steps("() (s) s: x := x + 1; if x < 3 then s else t; t: return;", "[t.1]"), 6U);
  EXPECT_EQ(steps("() (s) s: goto s;", "[halt]"), std::nullopt);
  EXPECT_EQ(steps("() (s) s: if ? then a else b; a: return; b: x := 1; return;", "x = 1"), 2U);
}

TEST(FclMeaning, PowersOfFive) {
  const std::string power =
      "(m n) (init) init: result := 1; goto test; test: if <(n 1) then end else loop;"
      "loop: result := *(result m); n := -(n 1); goto test; end: return;"
      "init m = 5 and n = 2";
  // Figure 3 of the paper has eleven states between the first one and [end.1].
  const test::Loaded loaded = test::load("fcl", power, "power.fcl");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(loaded.network->locations().size(), 8U);
  EXPECT_EQ(loaded.network->events().size(), 8U);
  EXPECT_EQ(loaded.network->event(EventId(0)).name, "[init.1] result := 1");
}

TEST(FclMeaning, Expressions) {
  EXPECT_TRUE(is("2 + 3 * 4", "14"));
  EXPECT_TRUE(is("+(2 *(3 4))", "14"));
  EXPECT_TRUE(is("(+ 2 (* 3 4))", "14"));
  EXPECT_TRUE(is("-(5 2)", "3"));
  EXPECT_TRUE(is("-(5 - 2)", "-3"));
  EXPECT_TRUE(is("(-5 + 2)", "-3"));
  EXPECT_TRUE(is("(- 5 2)", "3"));
  EXPECT_TRUE(is("-(2)", "-2"));
  EXPECT_TRUE(is("5-2-1", "2"));
  EXPECT_TRUE(is("*(2 -3)", "-6"));
  EXPECT_TRUE(is("-7 / 2", "-4"));
  EXPECT_TRUE(is("-7 % 2", "1"));
  EXPECT_TRUE(is("7 / 0 + 7 % 0", "0"));
  EXPECT_TRUE(is("not 1 = 2 and 3 /= 4", "1"));
  EXPECT_TRUE(is("not (1 = 1) or 0", "0"));
  EXPECT_TRUE(is("1 < 2", "1"));
  EXPECT_TRUE(is("(1 < 2) + (2 < 3)", "2"));
  EXPECT_TRUE(is("(even? 4) + odd?(4)", "1"));
  EXPECT_TRUE(is("(car (cons 3 (cons 4 none)))", "3"));
  EXPECT_TRUE(is("(car (cdr (cons 3 (cons 4 none))))", "4"));
  EXPECT_TRUE(is("(car (cdr none))", "0"));
}

TEST(FclMeaning, ListsThatAreConsumed) {
  const std::string program =
      "(q) (s) s: if (null? q) then e else w; w: x := (car q); q := (cdr q); goto s; e: return;"
      "input q: list of 4..6";
  const test::Loaded loaded = test::load("fcl", program, "p.fcl");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  std::string names;
  for (const Variable& v : loaded.network->variables()) names += v.name + " ";
  EXPECT_EQ(names, "q.length q.head x ");
}

TEST(FclMeaning, Numbers) {
  const auto names = [](const std::string& text) {
    const test::Loaded loaded = test::load("fcl", text, "p.fcl");
    std::string result;
    if (loaded.network == nullptr) return loaded.messages();
    for (const Location& l : loaded.network->locations()) result += l.name + " ";
    return result;
  };
  EXPECT_EQ(names("() (s) s: skip; skip; return;"), "s.1 s.2 s.3 halt ");
  EXPECT_EQ(names("() (s) s: skip; [3]\n skip; return; [7]\n"), "s.3 s.4 s.7 halt ");
  EXPECT_EQ(names("() (a-b) a-b: if (1 and [2]\n 1) then a-b else c-one?; c-one?: [5]\n return;"),
            "a-b.2 c-one?.5 halt ");
  // Columns that slipped: as many numbers as statements.
  EXPECT_EQ(names("() (s) s: [1]\n skip; [2]\n skip;\n return; [3]\n"), "s.1 s.2 s.3 halt ");
}

TEST(FclMeaning, PrintedProgramsAreTheSame) {
  const std::string text =
      "(a q) (s)\n s: a := -(a 1); [2]\n q := (cdr q);\n if ? then t-1 else s; t-1: b := ?(up "
      "down);"
      "return; enum D { up down } var b: D input q: list of 1..2 init a > 3 safety x: b = up";
  const test::Loaded first = test::load("fcl", text, "p.fcl");
  ASSERT_NE(first.network, nullptr) << first.messages();
  const auto printed = find_language("fcl")->print(*first.network, *first.sources);
  const test::Loaded second = test::load("fcl", printed[0].text, "p.fcl");
  ASSERT_NE(second.network, nullptr) << second.messages() << printed[0].text;
  EXPECT_EQ(test::everything_in(*first.network), test::everything_in(*second.network));
}

}  // namespace
}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "report/invariant_text.h"

#include <gtest/gtest.h>

#include "support/systems.h"

namespace whittle {
namespace {

using Lines = std::vector<std::string>;

TEST(Wrapped, LinesEndAtBlanks) {
  EXPECT_EQ(wrapped_condition("one two three", 8, 2), (Lines{"one two", "  three"}));
  EXPECT_EQ(wrapped_condition("one two three", 80, 2), (Lines{"one two three"}));
  EXPECT_EQ(wrapped_condition("unbreakable", 4, 2), (Lines{"unbreakable"}));
}

TEST(Wrapped, WhereTheyCanAfterAConnective) {
  EXPECT_EQ(wrapped_condition("x >= 0 && y >= 0 && z >= 0", 22, 4),
            (Lines{"x >= 0 && y >= 0 &&", "    z >= 0"}));
}

TEST(Wrapped, NotWithinQuotationMarks) {
  EXPECT_EQ(wrapped_condition("P@\"line 12 or so\" -> x", 10, 2),
            (Lines{"P@\"line 12 or so\"", "  -> x"}));
  EXPECT_EQ(wrapped_condition("(= |a name| 1)", 6, 2), (Lines{"(=", "  |a name|", "  1)"}));
  // Two bars are a disjunction.
  EXPECT_EQ(wrapped_condition("aa || bb || cc", 5, 0), (Lines{"aa ||", "bb ||", "cc"}));
}

std::string shown(std::size_t conditions, bool full) {
  const test::CounterSystem s = test::counter_system(3);
  ExprPool& pool = s.network->pool();
  PropertyResult result;
  result.network = s.network;
  result.property = s.below;
  std::vector<Expr> parts;
  for (std::size_t i = 0; i < conditions; ++i) {
    parts.push_back(pool.ne(pool.symbol(pool.declare("x", Type::integer())), pool.integer(7)));
  }
  result.verdict.found = NoTrace{Inductive{pool.conj(parts)}};
  ReportStyle style;
  style.full_invariant = full;
  return invariant_text(result, style, 2);
}

TEST(InvariantText, AFewLinesOnly) {
  EXPECT_EQ(shown(2, false), "  because in every reachable state\n    x != 7\n    x != 7\n");
  const std::string cut = shown(20, false);
  EXPECT_EQ(std::count(cut.begin(), cut.end(), '\n'), 8);
  EXPECT_NE(cut.find("… and 14 more; --invariant shows all\n"), std::string::npos);
}

TEST(InvariantText, AllOfThemIfAskedFor) {
  const std::string all = shown(20, true);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 21);
  EXPECT_EQ(all.find("more"), std::string::npos);
}

}  // namespace
}  // namespace whittle

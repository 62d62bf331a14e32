// SPDX-License-Identifier: Apache-2.0
// What a step is and what can interleave, by the least number of steps to an error.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "frontend/languages.h"
#include "ir/run/explicit_search.h"
#include "support/load.h"

namespace whittle {
namespace {

// Least number of steps to a violation of the property; empty: there is none.
std::optional<std::uint64_t> steps(const std::string& text, const std::string& name = "e") {
  const test::Loaded loaded = test::load("cfa", text, "program.cfa");
  EXPECT_NE(loaded.network, nullptr) << loaded.messages();
  if (loaded.network == nullptr) return {};
  const Network& network = *loaded.network;
  for (const Property& property : network.properties()) {
    if (property.name != name) continue;
    ExprPool& pool = network.pool();
    SearchOptions search;
    search.candidates = finite_candidates(pool);
    const SearchResult found =
        explicit_search(network, property.universe, pool.negate(property.condition()), {}, search);
    if (found.trace) return found.trace->length();
    EXPECT_TRUE(found.exhausted);
    return std::nullopt;
  }
  ADD_FAILURE() << "no property " << name;
  return {};
}

TEST(CfaMeaning, OneStepIsOneAssignmentOrOneAssumption) {
  EXPECT_EQ(steps("error \"e\";"), 1U);
  EXPECT_EQ(steps("int x = 0; x = 1; if (x == 1) error \"e\";"), 3U);
  EXPECT_EQ(steps("int x = 0; if (x == 1) error \"e\";"), std::nullopt);
  EXPECT_EQ(steps("int i = 0; while (i < 2) i = i + 1; error \"e\";"), 6U);
  EXPECT_EQ(steps("int i = 0; do i = i + 1; while (i < 2); error \"e\";"), 5U);
  EXPECT_EQ(steps("; ; error \"e\";"), 3U);
  EXPECT_EQ(steps("skip; { } error \"e\";"), 2U);
  EXPECT_EQ(steps("int x = 1; assume(x == 1); assume(x == 2); error \"e\";"), std::nullopt);
  EXPECT_EQ(steps("int x = 1; assert(x == 2);", "assert at line 1"), 1U);
}

TEST(CfaMeaning, JumpsAndReturns) {
  EXPECT_EQ(steps("goto l; error \"no\"; l: error \"e\";"), 2U);
  EXPECT_EQ(steps("return; error \"e\";"), std::nullopt);
  EXPECT_EQ(steps("1: goto 1; error \"e\";"), std::nullopt);
  EXPECT_EQ(steps("int x = 0; l: x = x + 1; if (x == 2) error \"e\"; goto l;"), 6U);
}

TEST(CfaMeaning, ProceduresAreCopied) {
  EXPECT_EQ(steps("int x = 0; void f(int n) { if (n == 1) return; x = x + n; } "
                  "f(1); f(2); if (x == 2) error \"e\"; error \"other\";"),
            8U);
  EXPECT_EQ(steps("int x = 0; void f(int n) { x = x + n; } "
                  "parallel { f(1); } and { f(2); } if (x != 3) error \"e\";"),
            std::nullopt);
  EXPECT_EQ(steps("void main() { error \"e\"; }"), 1U);
}

TEST(CfaMeaning, BlocksOfChoiceParallelAndAnyOrder) {
  EXPECT_EQ(steps("int x = 0; choice { x = 1; } or { x = 2; } if (x == 2) error \"e\";"), 4U);
  EXPECT_EQ(steps("int x = 0; choice { x = 1; } or { x = 2; } if (x == 0) error \"e\";"),
            std::nullopt);
  // An update that is lost needs both reads before the last write.
  const std::string race =
      "int x = 0, a = 0, b = 0; parallel { a = x; x = a + 1; } and { b = x; x = b + 1; } ";
  EXPECT_EQ(steps(race + "if (x == 1) error \"e\";"), 8U);
  EXPECT_EQ(steps(race + "if (x == 0) error \"e\";"), std::nullopt);
  const std::string order = "int x = 3; any_order { x = x + 1; } and { x = x * 2; } ";
  EXPECT_TRUE(steps(order + "if (x == 7) error \"e\";"));
  EXPECT_TRUE(steps(order + "if (x == 8) error \"e\";"));
  EXPECT_EQ(steps(order + "if (x != 7 && x != 8) error \"e\";"), std::nullopt);
  // Every turn starts the blocks afresh.
  EXPECT_TRUE(
      steps("int x = 0, i = 0; while (i < 2) { any_order { x = x + 1; } and { skip; } "
            "i = i + 1; } if (x == 2) error \"e\";"));
  EXPECT_TRUE(
      steps("int x = 0, i = 0; while (i < 2) { parallel { x = x + 1; } and { skip; } "
            "i = i + 1; } if (x == 2) error \"e\";"));
}

TEST(CfaMeaning, DivisionByZeroEndsTheRun) {
  EXPECT_EQ(steps("int x = 0; x = 7 / x; error \"e\";"), std::nullopt);
  EXPECT_EQ(steps("int x = 0; x = 7 / x; error \"e\";", "division"), 1U);
  EXPECT_EQ(steps("int x = 2; x = 7 / x; if (x == 3) error \"e\";"), 3U);
}

TEST(CfaPrinter, KeepsWhatNothingWasTakenFrom) {
  const std::string text = "x = *;\nif (x > 0) { error; } // why\nreturn;\nskip;\n";
  const test::Loaded loaded = test::load("cfa", text, "program.cfa");
  ASSERT_NE(loaded.network, nullptr);
  EXPECT_EQ(find_language("cfa")->print(*loaded.network, *loaded.sources)[0].text, text);
}

}  // namespace
}  // namespace whittle

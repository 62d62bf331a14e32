// SPDX-License-Identifier: Apache-2.0
// A question on its way to the engine, and constraints that go with it as hints.
#include "driver/prepare.h"

#include <gtest/gtest.h>

#include "expr/print.h"
#include "ir/notation.h"
#include "support/load.h"

namespace whittle {
namespace {

// `idle` has nothing to do with x, so it is sliced away with y.
constexpr const char* kCounter = R"(
system Counter
var x, y: Int
node P
start P: x == 0 && y == 0
transition up: P -> P when x < 5 then x' == x + 1
transition idle: P -> P then y' == y + 1
safety small: x <= 5
constraint P: x >= 0
constraint P: y >= 0
)";

class Preparing : public ::testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<Prepared> prepared(Pipeline pipeline) {
    return std::make_unique<Prepared>(loaded_.network, PropertyId(0), pipeline,
                                      PrepareContext{options_, log_, solvers_, statistics_});
  }
  [[nodiscard]] static std::vector<std::string> hints(const Prepared& prepared) {
    std::vector<std::string> result;
    for (Expr hint : prepared.system().hints)
      result.push_back(to_string(*prepared.system().pool, hint));
    return result;
  }

  test::Loaded loaded_ = test::load("sts", kCounter);
  OptionSet options_;
  Logger log_;
  Statistics statistics_;
  smt::SolverFactory solvers_{{}};
};

TEST_F(Preparing, SlicesByDefault) {
  ASSERT_TRUE(loaded_.network) << loaded_.messages();
  const auto sliced = prepared(Pipeline::All);
  EXPECT_TRUE(sliced->changed());
  EXPECT_EQ(sliced->checked_on(), WitnessCheck::On::Slice);
  EXPECT_EQ(sliced->slice().variables.kept, 1U);
  EXPECT_EQ(sliced->slice().variables.all, 2U);
  EXPECT_EQ(sliced->system().variables.size(), 1U);
  EXPECT_EQ(sliced->question().name, "small");
}

TEST_F(Preparing, LeavesTheModelAsParsedWhereItShould) {
  const auto whole = prepared(Pipeline::AsParsed);
  EXPECT_FALSE(whole->changed());
  EXPECT_EQ(whole->checked_on(), WitnessCheck::On::Model);
  EXPECT_EQ(whole->system().variables.size(), 2U);
  EXPECT_EQ(whole->slice().mode, "off");
}

TEST_F(Preparing, ConstraintsAreHintsInTheWordsOfTheSlice) {
  const auto sliced = prepared(Pipeline::All);
  ASSERT_EQ(hints(*sliced).size(), 1U);  // of y the slice has no words
  EXPECT_NE(hints(*sliced)[0].find("x"), std::string::npos) << hints(*sliced)[0];
  EXPECT_EQ(hints(*prepared(Pipeline::AsParsed)).size(), 2U);
}

TEST_F(Preparing, InvariantsOfTheSliceAreSaidOfTheModel) {
  const auto sliced = prepared(Pipeline::All);
  ExprPool& pool = *sliced->system().pool;
  const Expr x = pool.symbol(sliced->system().variables.at(0).current);
  const Expr lifted = sliced->invariant(pool.le(x, pool.integer(5)));
  ASSERT_TRUE(lifted.valid());
  EXPECT_EQ(sliced->network().notation->condition(sliced->network(), lifted), "x <= 5");
}

}  // namespace
}  // namespace whittle

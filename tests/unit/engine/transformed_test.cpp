// SPDX-License-Identifier: Apache-2.0
// What of a result carries over to the system before a pipeline of transformations, and what not.
#include "engine/transformed.h"

#include <gtest/gtest.h>

#include "support/flat_systems.h"

namespace whittle {
namespace {

// Says of every trace and condition that it is the same in the original; or that there is none.
class Same final : public FlatBackTranslation {
 public:
  explicit Same(bool says) : says_(says) {}
  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const override {
    if (says_) return trace;
    return Unexpected{Reason{Reason::Kind::Incomplete, "too long"}};
  }
  [[nodiscard]] Expr condition(Expr condition) const override { return says_ ? condition : Expr(); }
  [[nodiscard]] Expr forward(Expr condition) const override { return says_ ? condition : Expr(); }

 private:
  bool says_;
};

FlatTransformation same(bool says, FlatPrecision precision, FlatSteps steps) {
  return [=](const TransitionSystem& system) -> std::optional<FlatTransformed> {
    return FlatTransformed{system, std::make_shared<Same>(says), precision, steps};
  };
}

class Lifted : public ::testing::Test {
 protected:
  EngineResult lift(decltype(EngineResult::outcome) outcome, bool says,
                    FlatPrecision precision = FlatPrecision::Exact,
                    FlatSteps steps = FlatSteps::OneToOne) {
    const FlatPipeline pipeline(ring, {same(says, precision, steps)});
    EngineResult result;
    result.outcome = std::move(outcome);
    return lifted(std::move(result), pipeline);
  }

  TransitionSystem ring = test::ring(3, 2);
  FlatTrace run{{Value(0)}, {{0, {}, {}, 2}}, {}};
};

TEST_F(Lifted, TracesOfExactOnes) {
  EXPECT_TRUE(lift(Reached{run, true}, true).reached()->shortest);
  const EngineResult failed = lift(Reached{run, true}, false);
  ASSERT_NE(failed.unknown(), nullptr);
  EXPECT_EQ(failed.unknown()->reason.detail, "too long");
}

TEST_F(Lifted, RunsOfOverApproximationsMeanNothing) {
  EXPECT_NE(lift(Reached{run, true}, true, FlatPrecision::OverApproximates).unknown(), nullptr);
  const Expr truth = ring.pool->boolean(true);
  const auto proof = lift(Unreachable{Inductive{truth}}, true, FlatPrecision::OverApproximates);
  EXPECT_NE(proof.unreachable_by<Inductive>(), nullptr);
  const Unknown clear{{Reason::Kind::Timeout, ""}, 5};
  EXPECT_EQ(lift(clear, true, FlatPrecision::OverApproximates).unknown()->clear_to, 5U);
}

TEST_F(Lifted, DepthsMeanNothingWhereStepsDoNotCorrespond) {
  const auto many = FlatSteps::OneToMany;
  const auto exact = FlatPrecision::Exact;
  EXPECT_FALSE(lift(Reached{run, true}, true, exact, many).reached()->shortest);
  const Unknown clear{{Reason::Kind::Timeout, ""}, 5};
  EXPECT_FALSE(lift(clear, true, exact, many).unknown()->clear_to);
  EXPECT_NE(lift(Unreachable{UpToBound{}}, true, exact, many).unknown(), nullptr);
  const Expr truth = ring.pool->boolean(true);
  EXPECT_NE(lift(Unreachable{Inductive{truth, 2}}, true, exact, many).unknown(), nullptr);
  EXPECT_EQ(lift(Unreachable{Inductive{truth, 1}}, true, exact, many).unknown(), nullptr);
  const auto runs = lift(Unreachable{AllRunsShort{4}}, true, exact, many);
  EXPECT_EQ(runs.unreachable_by<AllRunsShort>()->of, AllRunsShort::Of::AcceleratedSteps);
}

TEST_F(Lifted, InvariantsThatCannotBeSaid) {
  const Expr truth = ring.pool->boolean(true);
  EXPECT_NE(lift(Unreachable{Inductive{truth}}, false).unknown(), nullptr);
  EXPECT_NE(lift(Unreachable{AllStates{4, {}}}, true).unknown(), nullptr);
}

TEST_F(Lifted, NothingChangesWithoutStages) {
  const FlatPipeline none(ring);
  EngineResult result;
  result.outcome = Unreachable{AllStates{4, {}}};
  EXPECT_NE(lifted(result, none).unreachable_by<AllStates>(), nullptr);
  EXPECT_EQ(&none.system(), &ring);
}

}  // namespace
}  // namespace whittle

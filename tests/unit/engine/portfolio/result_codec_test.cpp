// SPDX-License-Identifier: Apache-2.0
// Results cross from worker to parent and stay what they are.
#include "engine/portfolio/result_codec.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace whittle {
namespace {

class ResultCodec : public ::testing::Test {
 protected:
  EngineResult crossed(const EngineResult& result) {
    return decoded(encoded(result, counted, pool, mark(pool)), pool, arrived);
  }

  ExprPool pool;
  Expr x = pool.symbol(pool.declare("x", Type::integer()));
  Statistics counted, arrived;
};

TEST_F(ResultCodec, Unknowns) {
  EngineResult result;
  result.outcome = Unknown{{Reason::Kind::Bound, "bound reached: 7 steps"}, 7};
  result.calls.sat = 7;
  result.calls.unsat = 4;
  result.calls.unknown = 1;
  result.calls.checks = 12;
  result.engine = "bmc";
  result.solver = smt::SolverId::Cvc5;
  const EngineResult back = crossed(result);
  ASSERT_NE(back.unknown(), nullptr);
  EXPECT_EQ(back.unknown()->reason.kind, Reason::Kind::Bound);
  EXPECT_EQ(back.unknown()->reason.detail, "bound reached: 7 steps");
  EXPECT_EQ(back.unknown()->clear_to, 7U);
  EXPECT_EQ(back.calls.checks, 12U);
  EXPECT_EQ(back.engine, "bmc");
  EXPECT_EQ(back.solver, smt::SolverId::Cvc5);
}

TEST_F(ResultCodec, TracesWithValuesOfAllKinds) {
  ArrayValue array;
  array.otherwise = Value(3);
  array.put(Value(1), Value(-8));
  FlatTrace trace;
  trace.initial = {Value(true),         Value(Integer(-5)),       Value(Rational(1) / Rational(3)),
                   Value(EnumValue{2}), Value::string("a \"b\""), Value::array(array)};
  trace.steps.push_back({4, {Value(1)}, {{2, Value(false)}}, 1'000'000'000'000});
  trace.goal_inputs = {Value(7)};
  EngineResult result;
  result.outcome = Reached{trace, true};
  const EngineResult back = crossed(result);
  ASSERT_NE(back.reached(), nullptr);
  EXPECT_TRUE(back.reached()->shortest);
  EXPECT_EQ(back.reached()->trace.initial, trace.initial);
  EXPECT_EQ(back.reached()->trace.goal_inputs, trace.goal_inputs);
  ASSERT_EQ(back.reached()->trace.steps.size(), 1U);
  const FlatStep& step = back.reached()->trace.steps[0];
  EXPECT_EQ(step.transition, 4U);
  EXPECT_EQ(step.inputs, trace.steps[0].inputs);
  EXPECT_EQ(step.open, trace.steps[0].open);
  EXPECT_EQ(step.times, 1'000'000'000'000U);
}

TEST_F(ResultCodec, TermsThatTheParentDoesNotHave) {
  const PoolMark common = mark(pool);
  EngineResult result;
  const Expr invariant = pool.conj(pool.le(x, pool.integer(41)), pool.lt(pool.integer(-2), x));
  result.outcome = Unreachable{Inductive{invariant, 3}};
  const std::string bytes = encoded(result, counted, pool, common);
  const EngineResult back = decoded(bytes, pool, arrived);
  ASSERT_NE(back.unreachable_by<Inductive>(), nullptr);
  EXPECT_EQ(back.unreachable_by<Inductive>()->invariant, invariant);  // hash-consed
  EXPECT_EQ(back.unreachable_by<Inductive>()->k, 3U);
}

TEST_F(ResultCodec, OtherReasons) {
  EngineResult result;
  result.outcome = Unreachable{AllRunsShort{9, AllRunsShort::Of::ProjectedSteps}};
  EngineResult back = crossed(result);
  ASSERT_NE(back.unreachable_by<AllRunsShort>(), nullptr);
  EXPECT_EQ(back.unreachable_by<AllRunsShort>()->longest, 9U);
  EXPECT_EQ(back.unreachable_by<AllRunsShort>()->of, AllRunsShort::Of::ProjectedSteps);
  result.outcome = Unreachable{AllStates{1'234, {}}};
  back = crossed(result);
  ASSERT_NE(back.unreachable_by<AllStates>(), nullptr);
  EXPECT_EQ(back.unreachable_by<AllStates>()->count, 1'234U);
  result.outcome = Unreachable{UpToBound{}};
  EXPECT_NE(crossed(result).unreachable_by<UpToBound>(), nullptr);
}

TEST_F(ResultCodec, CountersOfWorkersArrive) {
  counted.counter("bmc.depth") += 17;
  counted.timer("bmc.solving").add(std::chrono::milliseconds(250));
  arrived.counter("bmc.depth") += 3;
  (void)crossed({});
  EXPECT_EQ(arrived.counter("bmc.depth").value(), 20U);
  EXPECT_DOUBLE_EQ(arrived.timer("bmc.solving").seconds(), 0.25);
}

TEST_F(ResultCodec, OtherBytesAreRefused) {
  EngineResult result;
  result.outcome = Unreachable{Inductive{pool.le(x, pool.integer(1)), 1}};
  const std::string bytes = encoded(result, counted, pool, mark(pool));
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW((void)decoded(std::string_view(bytes).substr(0, length), pool, arrived),
                 InternalError);
  EXPECT_THROW((void)decoded(std::string(64, '\x7f'), pool, arrived), InternalError);
}

}  // namespace
}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Which cells of arrays are looked at, what steps do to them, and the way back.
#include "simplify/flat/array_samples.h"

#include <gtest/gtest.h>

#include "expr/print.h"

namespace whittle::simplify {
namespace {

// i runs up, a[i] := b[i]; is a[z] ever 7?
class Copying : public ::testing::Test {
 protected:
  Copying() {
    const Type array = pool->array_type(Type::integer(), Type::integer());
    a = add("a", array);
    b = add("b", array);
    i = add("i", Type::integer());
    z = add("z", Type::integer());
    system.pool = pool;
    system.init = pool->conj(pool->eq(a, b), pool->eq(pool->select(a, i), pool->integer(1)));
    Transition step;
    step.name = "step";
    step.guard = pool->lt(pool->select(b, i), pool->integer(9));
    step.updates.push_back({0, pool->store(a, i, pool->select(b, i))});
    step.updates.push_back({2, pool->add(i, pool->integer(1))});
    system.transitions.push_back(step);
    system.goal.condition = pool->eq(pool->select(a, z), pool->integer(7));
  }

  Expr add(const std::string& name, Type type) {
    const StateVariable v{name, type, pool->declare(name, type), pool->declare(name + "'", type),
                          false};
    system.variables.push_back(v);
    return pool->symbol(v.current);
  }

  std::shared_ptr<ExprPool> pool = std::make_shared<ExprPool>();
  TransitionSystem system;
  Expr a, b, i, z;
};

TEST_F(Copying, OneCellOfEachArray) {
  const auto samples = sample_arrays(system);
  ASSERT_TRUE(samples);
  const TransitionSystem& cells = samples->system;
  ASSERT_EQ(cells.variables.size(), 4U);
  EXPECT_EQ(cells.variables[0].name, "a[z]");
  // Of a[i] in the first states nothing is known.
  EXPECT_EQ(to_string(*pool, cells.init), "a[z] == b[z]");
  EXPECT_EQ(to_string(*pool, cells.goal.condition), "a[z] == 7");
  const Transition& step = cells.transitions[0];
  ASSERT_EQ(step.inputs.size(), 1U);
  EXPECT_EQ(to_string(*pool, step.guard), "(i == z ? b[z] : any) < 9");
  ASSERT_EQ(step.updates.size(), 2U);
  EXPECT_EQ(to_string(*pool, step.updates[0].value), "z == i ? (i == z ? b[z] : any) : a[z]");
}

TEST_F(Copying, BackToArrays) {
  const auto samples = sample_arrays(system);
  ASSERT_TRUE(samples);
  const Expr cell = pool->symbol(samples->system.variables[0].current);
  EXPECT_EQ(samples->back->condition(pool->lt(cell, i)), pool->lt(pool->select(a, z), i));
}

TEST_F(Copying, RunsMeanNothing) {
  const FlatPipeline pipeline(system, {sample_arrays});
  ASSERT_TRUE(pipeline.changed());
  EXPECT_EQ(pipeline.precision(), FlatPrecision::OverApproximates);
  EXPECT_FALSE(pipeline.trace({}));
}

TEST_F(Copying, ForwardWhereTheCellIsLookedAt) {
  const auto samples = sample_arrays(system);
  ASSERT_TRUE(samples);
  const Expr cell = pool->symbol(samples->system.variables[0].current);
  EXPECT_EQ(samples->back->forward(pool->lt(pool->select(a, z), i)), pool->lt(cell, i));
  EXPECT_FALSE(samples->back->forward(pool->lt(pool->select(a, i), i)).valid());
}

TEST_F(Copying, AnIndexThatChangesIsNotLookedAt) {
  system.transitions[0].updates.push_back({3, i});
  const auto samples = sample_arrays(system);
  ASSERT_TRUE(samples);
  EXPECT_EQ(samples->system.variables.size(), 2U);
  EXPECT_EQ(samples->system.goal.inputs.size(), 1U);
}

TEST_F(Copying, ArraysOfKnownLengthStay) {
  TransitionSystem other;
  other.pool = pool;
  const Type type = pool->array_type(Type::integer(), Type::integer(), 5);
  other.variables.push_back(
      {"c", type, pool->declare("c", type), pool->declare("c'", type), false});
  other.init = other.goal.condition = pool->boolean(true);
  EXPECT_FALSE(sample_arrays(other));
}

}  // namespace
}  // namespace whittle::simplify

// SPDX-License-Identifier: Apache-2.0
// Deep (or wide) terms through every function: nothing may recurse or be quadratic.
#include <gtest/gtest.h>

#include "expr/evaluate.h"
#include "expr/print.h"
#include "expr/traverse.h"
#include "support/random_terms.h"

namespace whittle {
namespace {

// Enough for a recursive function to run out of stack (a frame has some hundred bytes, the stack
// eight megabytes); one test goes to a million.
constexpr int kDepth = 100000;

class DepthTest : public ::testing::Test {
 protected:
  Expr variable(const std::string& name, Type type) {
    return pool.symbol(pool.declare(name, type));
  }
  // All functions on one term; `expected` is its value where x is 1, y is 2 and p is true.
  void exercise(Expr e, const Value& expected) {
    test::Assignment values{{pool.symbol_of(x), Value(1)},
                            {pool.symbol_of(y), Value(2)},
                            {pool.symbol_of(p), Value(true)}};
    Evaluator evaluate(pool);
    auto result = evaluate(e, test::lookup(values));
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, expected);

    std::size_t count = 0;
    for_each_subterm(pool, e, [&](Expr) { ++count; });
    EXPECT_GE(count, static_cast<std::size_t>(kDepth));
    EXPECT_GE(symbols(pool, e).size(), 1U);
    EXPECT_GE(conjuncts(pool, e).size(), 1U);

    Expr condition = definedness(pool, e);
    auto holds = evaluate(condition, test::lookup(values));
    ASSERT_TRUE(holds);
    EXPECT_TRUE(holds->as_bool());

    Expr other = variable("other", Type::integer());
    Substitution substitute(pool);
    substitute.set(pool.symbol_of(x), other);
    values.emplace(pool.symbol_of(other), Value(1));
    auto replaced = evaluate(substitute(e), test::lookup(values));
    ASSERT_TRUE(replaced);
    EXPECT_EQ(*replaced, expected);

    EXPECT_GE(to_string(pool, e).size(), static_cast<std::size_t>(kDepth));
    EXPECT_GE(to_string_shared(pool, e).size(), static_cast<std::size_t>(kDepth));
  }

  ExprPool pool;
  Expr x = variable("x", Type::integer());
  Expr y = variable("y", Type::integer());
  Expr p = variable("p", Type::boolean());
};

TEST_F(DepthTest, Differences) {
  Expr e = x;
  for (int n = 0; n < kDepth; ++n) e = pool.sub(n % 2 == 0 ? y : x, e);
  exercise(e, Value(1 - kDepth / 2));
}

TEST_F(DepthTest, PartialQuotients) {
  Expr e = x;
  for (int n = 0; n < kDepth; ++n) e = pool.make(Op::IDiv, {y, e});
  exercise(e, Value(1));
}

TEST_F(DepthTest, Choices) {
  Expr e = pool.make(Op::Mod, {x, y});
  for (int n = 0; n < kDepth / 2; ++n) {
    e = pool.ite(pool.eq(x, pool.integer(Integer(n + 2))), y, e);
  }
  exercise(e, Value(1));
}

TEST_F(DepthTest, LongConjunctionBuiltInALoop) {
  Expr e = pool.boolean(true);
  for (int n = 0; n < kDepth / 2; ++n) e = pool.conj(e, pool.ne(x, pool.integer(Integer(n + 2))));
  EXPECT_EQ(conjuncts(pool, e).size(), static_cast<std::size_t>(kDepth / 2));
  exercise(e, Value(true));
}

TEST_F(DepthTest, LongDisjunctionBuiltInALoop) {
  Expr e = pool.boolean(false);
  for (int n = 0; n < kDepth / 2; ++n) e = pool.disj(e, pool.eq(x, pool.integer(Integer(n + 1))));
  EXPECT_EQ(disjuncts(pool, e).size(), static_cast<std::size_t>(kDepth / 2));
  EXPECT_EQ(disjuncts(pool, p), std::vector<Expr>{p});
  exercise(e, Value(true));
}

TEST_F(DepthTest, LongSumBuiltInALoop) {
  Expr e = x;
  for (int n = 0; n < kDepth / 2; ++n) {
    e = pool.add(e, pool.mul(pool.integer(Integer(n % 2 == 0 ? n + 2 : -n - 1)), x));
  }
  exercise(e, Value(1));
}

TEST_F(DepthTest, ConnectivesInTurn) {
  Expr e = pool.eq(x, y);
  for (int n = 0; n < 10 * kDepth; ++n) {
    e = n % 3 == 0   ? pool.disj(e, pool.lt(x, y))
        : n % 3 == 1 ? pool.implies(p, e)
                     : pool.conj(p, e);
  }
  exercise(e, Value(true));
}

TEST_F(DepthTest, WideConjunction) {
  std::vector<Expr> parts;
  for (int n = 0; n < kDepth; ++n) parts.push_back(pool.lt(x, pool.integer(Integer(n + 2))));
  Expr e = pool.conj(parts);
  EXPECT_EQ(pool.children(e).size(), static_cast<std::size_t>(kDepth));
  exercise(e, Value(true));
}

TEST_F(DepthTest, Stores) {
  Expr a = pool.const_array(pool.array_type(Type::integer(), Type::integer()), x);
  Expr e = a;
  for (int n = 0; n < kDepth / 1000; ++n) e = pool.store(e, pool.integer(Integer(n)), y);
  Expr sum = x;
  for (int n = 0; n < kDepth; ++n) sum = pool.select(a, sum);
  EXPECT_EQ(sum, x);  // reading a constant array folds
  EXPECT_EQ(pool.select(e, pool.integer(Integer(kDepth / 1000 - 1))), y);
}

}  // namespace
}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "expr/expr.h"

#include <gtest/gtest.h>

#include "expr/evaluate.h"
#include "expr/traverse.h"

namespace whittle {
namespace {

class ExprTest : public ::testing::Test {
 protected:
  Expr variable(const std::string& name, Type type) {
    return pool.symbol(pool.declare(name, type));
  }
  Expr i(long n) { return pool.integer(Integer(n)); }

  ExprPool pool;
  Expr x = variable("x", Type::integer());
  Expr y = variable("y", Type::integer());
  Expr p = variable("p", Type::boolean());
  Expr q = variable("q", Type::boolean());
  Expr partial = pool.eq(pool.make(Op::IDiv, {x, y}), i(1));  // undefined for y == 0
  Expr yes = pool.boolean(true);
  Expr no = pool.boolean(false);
};

TEST_F(ExprTest, EqualTermsAreOne) {
  EXPECT_EQ(pool.add(x, y), pool.add(x, y));
  EXPECT_NE(pool.add(x, y), pool.add(y, x));
  EXPECT_EQ(i(7), i(7));
  EXPECT_NE(pool.declare("x", Type::integer()), pool.symbol_of(x));
}

TEST_F(ExprTest, ConnectivesFold) {
  EXPECT_EQ(pool.conj(yes, p), p);
  EXPECT_EQ(pool.conj(p, no), no);
  EXPECT_EQ(pool.conj(no, partial), no);
  EXPECT_NE(pool.conj(partial, no), no);
  EXPECT_EQ(pool.conj(pool.conj(partial, p), no), pool.conj(partial, no));
  EXPECT_EQ(pool.conj(partial, partial), partial);
  EXPECT_EQ(pool.conj(p, pool.negate(p)), no);
  EXPECT_EQ(pool.disj(pool.negate(p), p), yes);
  EXPECT_EQ(pool.negate(pool.negate(partial)), partial);
  EXPECT_EQ(pool.negate(pool.lt(x, y)), pool.le(y, x));
  EXPECT_EQ(pool.implies(p, p), yes);
  EXPECT_NE(pool.implies(partial, yes), yes);
  EXPECT_EQ(pool.conj(std::span<const Expr>()), yes);
  EXPECT_EQ(pool.disj(std::span<const Expr>()), no);
  EXPECT_EQ(pool.ite(p, x, x), x);
  EXPECT_NE(pool.ite(partial, x, x), x);
  EXPECT_EQ(pool.ite(p, yes, no), p);
  EXPECT_EQ(pool.eq(p, yes), p);
  EXPECT_EQ(pool.eq(no, p), pool.negate(p));
}

TEST_F(ExprTest, ArithmeticFolds) {
  EXPECT_EQ(pool.add(pool.add(x, i(1)), i(2)), pool.add(x, i(3)));
  EXPECT_EQ(pool.sub(pool.add(x, i(1)), i(1)), x);
  EXPECT_EQ(pool.sub(x, x), i(0));
  Expr quotient = pool.make(Op::IDiv, {x, y});
  EXPECT_NE(pool.sub(quotient, quotient), i(0));
  EXPECT_EQ(pool.mul(x, i(0)), i(0));
  EXPECT_FALSE(pool.total(pool.mul(quotient, i(0))));
  EXPECT_EQ(pool.mul(i(3), pool.mul(x, i(2))), pool.mul(i(6), x));
  EXPECT_EQ(pool.make(Op::Mod, {i(-7), i(3)}), i(2));
  EXPECT_FALSE(pool.is_const(pool.make(Op::IDiv, {i(1), i(0)})));
  EXPECT_EQ(pool.to_real(i(3)), pool.real(Integer(3)));
}

TEST_F(ExprTest, Totality) {
  EXPECT_TRUE(pool.total(pool.make(Op::IDiv, {x, i(2)})));
  EXPECT_FALSE(pool.total(pool.make(Op::IDiv, {x, i(0)})));
  EXPECT_FALSE(pool.total(partial));
  Type three = pool.array_type(Type::integer(), Type::integer(), 3);
  Expr a = variable("a", three);
  EXPECT_TRUE(pool.total(pool.select(a, i(2))));
  EXPECT_FALSE(pool.total(pool.select(a, i(3))));
  EXPECT_FALSE(pool.total(pool.select(a, x)));
  EXPECT_TRUE(
      pool.total(pool.select(variable("m", pool.array_type(Type::integer(), Type::integer())), x)));
}

TEST_F(ExprTest, TypeProblems) {
  auto problem = [&](Op op, std::initializer_list<Expr> a) {
    return pool.type_problem(op, std::span<const Expr>(a.begin(), a.size())).value_or("none");
  };
  EXPECT_EQ(problem(Op::Add, {x, p}), "'+' needs two numbers, but its right side is Bool");
  EXPECT_EQ(problem(Op::Add, {x, variable("r", Type::real())}),
            "'+' needs both sides of one type, but they are Int and Real");
  EXPECT_EQ(problem(Op::Not, {x}), "'!' needs a Bool, but its argument is Int");
  EXPECT_EQ(problem(Op::Select, {x, y}), "'[]' needs an array, but what is indexed is Int");
  EXPECT_EQ(problem(Op::Add, {x, y}), "none");
  EXPECT_THROW(pool.add(x, p), InternalError);
}

TEST_F(ExprTest, SnapshotsAreIndependent) {
  Expr before = pool.add(x, y);
  ExprPool copy(pool);
  Expr a = pool.mul(x, y);
  Expr b = copy.sub(x, y);
  EXPECT_EQ(copy.add(x, y), before);
  EXPECT_EQ(pool.op(a), Op::Mul);
  EXPECT_EQ(copy.op(b), Op::Sub);
  EXPECT_EQ(copy.child(b, 0), x);
  EXPECT_EQ(pool.child(a, 1), y);
}

}  // namespace
}  // namespace whittle

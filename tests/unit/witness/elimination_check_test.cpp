// SPDX-License-Identifier: Apache-2.0
#include "witness/elimination_check.h"

#include <gtest/gtest.h>

namespace whittle {
namespace {

// exists i. x <= i and i <= 5 and i < y, over Int: x <= 5 and x < y
struct Between {
  ExprPool pool;
  SymbolId x = pool.declare("x", Type::integer());
  SymbolId y = pool.declare("y", Type::integer());
  SymbolId i = pool.declare("i", Type::integer());
  Expr body = pool.conj(std::vector{pool.le(pool.symbol(x), pool.symbol(i)),
                                    pool.le(pool.symbol(i), pool.integer(5)),
                                    pool.lt(pool.symbol(i), pool.symbol(y))});
  Expr below = pool.le(pool.symbol(x), pool.integer(5));
  Expr less = pool.lt(pool.symbol(x), pool.symbol(y));

  [[nodiscard]] Problem checked(Expr result, smt::SolverId id) {
    smt::SolverFactory::Settings settings;
    settings.id = id;
    return check_eliminations(pool, {{body, {i}, result}}, smt::SolverFactory(settings));
  }
};

class EliminationCheck : public testing::TestWithParam<smt::SolverId> {};

TEST_P(EliminationCheck, BothDirections) {
  Between b;
  EXPECT_FALSE(b.checked(b.pool.conj(b.below, b.less), GetParam()));
  const Problem invented = b.checked(b.below, GetParam());  // too weak
  ASSERT_TRUE(invented);
  ASSERT_FALSE(invented->has_value());
  EXPECT_NE(invented->error().reason.find("invented"), std::string::npos);
  const Problem lost =  // too strong
      b.checked(b.pool.conj(
                    std::vector{b.below, b.less, b.pool.lt(b.pool.integer(0), b.pool.symbol(b.x))}),
                GetParam());
  ASSERT_TRUE(lost);
  ASSERT_FALSE(lost->has_value());
  EXPECT_NE(lost->error().reason.find("lost"), std::string::npos);
  EXPECT_TRUE(b.checked(b.pool.boolean(true), GetParam()));
  EXPECT_TRUE(b.checked(b.pool.boolean(false), GetParam()));
}

// An enumeration under the quantifier has its values and no more.
TEST_P(EliminationCheck, EnumerationsAreFinite) {
  ExprPool pool;
  const Type color = pool.enum_type("Color", {"red", "green"});
  const SymbolId a = pool.declare("a", color);
  const SymbolId b = pool.declare("b", color);
  const Expr other = pool.ne(pool.symbol(a), pool.symbol(b));
  const Expr red = pool.constant(EnumValue{0}, color);
  const Expr third = pool.conj(std::vector{other, pool.ne(pool.symbol(b), red)});
  smt::SolverFactory::Settings settings;
  settings.id = GetParam();
  const smt::SolverFactory solvers(settings);
  EXPECT_FALSE(check_eliminations(pool, {{other, {b}, pool.boolean(true)}}, solvers));
  EXPECT_FALSE(check_eliminations(pool, {{third, {b}, pool.eq(pool.symbol(a), red)}}, solvers));
  EXPECT_TRUE(check_eliminations(pool, {{third, {b}, pool.boolean(true)}}, solvers));
}

TEST_P(EliminationCheck, ATimeThatIsOverIsNoProof) {
  Between b;
  smt::SolverFactory::Settings settings;
  settings.id = GetParam();
  settings.limits.deadline = Deadline::after(std::chrono::milliseconds(0));
  const Problem late = check_eliminations(b.pool, {{b.body, {b.i}, b.pool.conj(b.below, b.less)}},
                                          smt::SolverFactory(settings));
  ASSERT_TRUE(late);
  ASSERT_TRUE(late->has_value());
  EXPECT_FALSE(late->value().checked);
}

INSTANTIATE_TEST_SUITE_P(Solvers, EliminationCheck,
                         testing::Values(smt::SolverId::Z3, smt::SolverId::Cvc5));

}  // namespace
}  // namespace whittle

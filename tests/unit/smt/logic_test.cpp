// SPDX-License-Identifier: Apache-2.0
#include "smt/logic.h"

#include <gtest/gtest.h>

#include "unit/smt/fixture.h"

namespace whittle::smt::test {
namespace {

class LogicTest : public ::testing::Test, protected Symbols {
 protected:
  std::string name_of(Expr e) { return logic_of(pool, {&e, 1}).name(); }
};

TEST_F(LogicTest, NamesWhatIsNeeded) {
  EXPECT_EQ(name_of(p), "QF_UF");
  EXPECT_EQ(name_of(pool.lt(x, y)), "QF_LIA");
  EXPECT_EQ(name_of(pool.lt(r, s)), "QF_LRA");
  EXPECT_EQ(name_of(pool.lt(r, pool.to_real(x))), "QF_LIRA");
  EXPECT_EQ(name_of(pool.lt(pool.mul(x, y), x)), "QF_NIA");
  EXPECT_EQ(name_of(pool.lt(pool.mul(number(2), y), x)), "QF_LIA");
  EXPECT_EQ(name_of(pool.lt(pool.make(Op::Mod, {x, number(2)}), x)), "QF_LIA");
  EXPECT_EQ(name_of(pool.lt(pool.make(Op::IDiv, {x, y}), x)), "QF_NIA");
  Expr a = variable("a", pool.array_type(Type::integer(), Type::integer()));
  EXPECT_EQ(name_of(pool.lt(pool.select(a, x), x)), "QF_ALIA");
}

TEST_F(LogicTest, EnumerationsAreIntegersOutsideAndDatatypesInsideOtherTypes) {
  Type color = pool.enum_type("Color", {"Red", "Green"});
  Expr c = variable("c", color);
  Expr d = variable("d", color);
  EXPECT_EQ(name_of(pool.eq(c, d)), "QF_LIA");
  Expr a = variable("a", pool.array_type(color, Type::integer()));
  Expr read = pool.lt(pool.select(a, c), x);
  EXPECT_EQ(logic_of(pool, {&read, 1}).datatypes, std::set<Type>{color});
  EXPECT_EQ(name_of(read), "ALL");
}

TEST_F(LogicTest, GrowsWithTheTerms) {
  LogicScanner scanner(pool);
  EXPECT_TRUE(scanner.add(pool.lt(x, y)));
  EXPECT_FALSE(scanner.add(pool.lt(y, z)));
  Logic small = scanner.logic();
  EXPECT_TRUE(scanner.add(pool.lt(r, s)));
  EXPECT_TRUE(scanner.logic().includes(small));
  EXPECT_FALSE(small.includes(scanner.logic()));
}

}  // namespace
}  // namespace whittle::smt::test

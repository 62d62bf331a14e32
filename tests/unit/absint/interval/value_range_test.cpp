// SPDX-License-Identifier: Apache-2.0
#include "absint/interval/value_range.h"

#include <gtest/gtest.h>

#include <random>

#include "expr/evaluate.h"

namespace whittle {
namespace {

ValueRange between(int low, int high) {
  ExprPool pool;
  return join(ValueRange::only(pool, Value(low), Type::integer()),
              ValueRange::only(pool, Value(high), Type::integer()));
}

bool contains(const ExprPool& pool, const ValueRange& range, const Value& value, Type type) {
  return !meet(range, ValueRange::only(pool, value, type)).empty();
}

TEST(ValueRange, KnowsItsOnlyValue) {
  ExprPool pool;
  EXPECT_EQ(between(3, 3).single(pool, Type::integer()), Value(3));
  EXPECT_FALSE(between(3, 4).single(pool, Type::integer()));
  EXPECT_EQ(ValueRange::truth(false, true).single(pool, Type::boolean()), Value(true));
}

TEST(ValueRange, MeetOfApartIsEmpty) {
  EXPECT_TRUE(meet(between(1, 2), between(3, 4)).empty());
  EXPECT_FALSE(meet(between(1, 3), between(3, 4)).empty());
}

TEST(ValueRange, DropsBoundsBeyondMachineWords) {
  ExprPool pool;
  ValueRange range = between(2, 3);
  for (int i = 0; i < 10; ++i) {
    const ValueRange arguments[] = {range, range};
    range = applied(pool, Op::Mul, Type::integer(), arguments);
  }
  EXPECT_FALSE(range.high);
}

// Every operator on numbers, compared with exact evaluation on all values of small ranges.
TEST(ValueRange, CoversEveryResultOfAnOperator) {
  ExprPool pool;
  std::mt19937 random(7);
  auto number = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  const Op operators[] = {Op::Add, Op::Sub, Op::Mul, Op::IDiv, Op::Mod, Op::Lt, Op::Le, Op::Eq};
  for (int round = 0; round < 2000; ++round) {
    const int a = number(-5, 5);
    const int b = a + number(0, 3);
    const int c = number(-5, 5);
    const int d = c + number(0, 3);
    const Op op = operators[static_cast<std::size_t>(number(0, 7))];
    const bool truth = op == Op::Lt || op == Op::Le || op == Op::Eq;
    const Type type = truth ? Type::boolean() : Type::integer();
    const ValueRange arguments[] = {between(a, b), between(c, d)};
    const ValueRange result = applied(pool, op, type, arguments);
    for (int x = a; x <= b; ++x) {
      for (int y = c; y <= d; ++y) {
        const Value left(x);
        const Value right(y);
        const Value* const values[] = {&left, &right};
        const std::optional<Value> value =
            apply_operator(pool, Operation{op, type, Type::integer()}, values);
        if (!value) continue;
        EXPECT_TRUE(contains(pool, result, *value, type))
            << static_cast<int>(op) << " on " << x << " and " << y;
      }
    }
  }
}

}  // namespace
}  // namespace whittle

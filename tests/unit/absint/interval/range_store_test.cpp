// SPDX-License-Identifier: Apache-2.0
#include "absint/interval/range_store.h"

#include <gtest/gtest.h>

namespace whittle {
namespace {

class RangeStoreTest : public ::testing::Test {
 protected:
  RangeStoreTest() {
    store_.add_slot(x_);
    store_.add_slot(y_);
    store_.add_slot(b_);
  }
  Expr number(int value) { return pool_.integer(value); }
  ValueRange between(int low, int high) {
    return join(ValueRange::only(pool_, Value(low), Type::integer()),
                ValueRange::only(pool_, Value(high), Type::integer()));
  }

  ExprPool pool_;
  SymbolId x_ = pool_.declare("x", Type::integer());
  SymbolId y_ = pool_.declare("y", Type::integer());
  SymbolId b_ = pool_.declare("b", Type::boolean());
  Expr x = pool_.symbol(x_), y = pool_.symbol(y_), b = pool_.symbol(b_);
  RangeStore store_{pool_};
};

TEST_F(RangeStoreTest, NarrowsByConditionsUntilRestored) {
  const std::size_t mark = store_.mark();
  // The second condition bounds y only once the first has bounded x.
  const std::vector<Expr> conditions = {pool_.le(y, x), pool_.le(x, number(7)),
                                        pool_.le(number(3), y)};
  ASSERT_TRUE(store_.assume_all(conditions));
  EXPECT_EQ(store_[store_.slot(x_)], between(3, 7));
  EXPECT_EQ(store_[store_.slot(y_)], between(3, 7));
  EXPECT_EQ(store_.evaluate(pool_.add(x, y)), between(6, 14));
  EXPECT_EQ(store_.narrowed_since(mark, 3), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(store_.narrowed_since(mark, 1), std::vector<std::uint32_t>{0});
  store_.restore(mark);
  EXPECT_EQ(store_[store_.slot(x_)], ValueRange::all(pool_, Type::integer()));
  EXPECT_EQ(store_.evaluate(pool_.add(x, y)), ValueRange::all(pool_, Type::integer()));
}

TEST_F(RangeStoreTest, SeesContradictions) {
  ASSERT_TRUE(store_.narrow(0, between(1, 3)));
  EXPECT_FALSE(store_.assume(pool_.lt(number(3), x), true));
  EXPECT_FALSE(store_.assume(pool_.le(x, number(3)), false));
  EXPECT_TRUE(store_.assume(pool_.le(x, number(2)), false));
  EXPECT_EQ(store_[0], between(3, 3));
}

// x == 1 or x == 4: between 1 and 4, and b where both say so.
TEST_F(RangeStoreTest, KnowsWhatAlternativesAgreeOn) {
  const Expr some =
      pool_.disj(pool_.conj(pool_.eq(x, number(1)), b), pool_.conj(pool_.eq(x, number(4)), b));
  ASSERT_TRUE(store_.assume(some, true));
  EXPECT_EQ(store_[0], between(1, 4));
  EXPECT_EQ(store_[2], ValueRange::truth(false, true));
}

TEST_F(RangeStoreTest, NarrowsTheVariablesOfSums) {
  store_.set(0, between(0, 10));
  store_.set(1, between(0, 10));
  ASSERT_TRUE(store_.narrow_term(pool_.sub(x, y), between(8, 20)));
  EXPECT_EQ(store_[0], between(8, 10));
  EXPECT_EQ(store_[1], between(0, 2));
  EXPECT_FALSE(store_.narrow_term(pool_.add(x, y), between(13, 20)));
}

TEST(JoinedRanges, JoinWhatWasAdded) {
  ExprPool pool;
  JoinedRanges joined(2);
  const auto only = [&](int value) {
    return ValueRange::only(pool, Value(value), Type::integer());
  };
  joined.add(1, only(5));
  joined.add(1, only(2));
  EXPECT_EQ(joined.count(0), 0U);
  EXPECT_EQ(joined.count(1), 2U);
  EXPECT_EQ(joined[1], join(only(2), only(5)));
  joined.clear();
  joined.add(1, only(7));
  EXPECT_EQ(joined[1], only(7));
}

}  // namespace
}  // namespace whittle

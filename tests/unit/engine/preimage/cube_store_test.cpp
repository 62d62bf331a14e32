// SPDX-License-Identifier: Apache-2.0
#include "engine/preimage/cube_store.h"

#include <gtest/gtest.h>

#include <random>

#include "support/effort.h"

namespace whittle {
namespace {

class CubeStoreTest : public ::testing::Test {
 protected:
  Expr variable(const std::string& name) {
    return pool.symbol(pool.declare(name, Type::integer()));
  }
  Cube cube(Expr condition) {
    const auto found = builder.to_dnf(condition);
    EXPECT_TRUE(found && found->size() == 1);
    return found ? found->front() : Cube();
  }
  Expr between(int low, Expr e, int high) {
    return pool.conj(pool.le(pool.integer(low), e), pool.le(e, pool.integer(high)));
  }
  std::uint32_t stored(const Cube& c, std::uint32_t steps) {
    const std::uint32_t node = store.find_or_add(c);
    store[node].steps = steps;
    return node;
  }

  ExprPool pool;
  CubeBuilder builder{pool};
  CubeStore store{builder};
  Expr x = variable("x");
  Expr y = variable("y");
};

TEST_F(CubeStoreTest, EachCubeIsThereOnce) {
  const Cube a = cube(between(1, x, 3));
  const std::uint32_t node = store.find_or_add(a);
  EXPECT_EQ(
      store.find_or_add(cube(pool.conj(pool.lt(x, pool.integer(4)), pool.lt(pool.integer(0), x)))),
      node);
  EXPECT_EQ(store.size(), 1U);
  EXPECT_EQ(store.cube(node), a);
  EXPECT_NE(store.find_or_add(cube(between(1, x, 4))), node);
}

TEST_F(CubeStoreTest, SmallerCubesArePartsOfLargerOnes) {
  const std::uint32_t large = stored(cube(between(1, x, 5)), 2);
  const std::uint32_t small =
      stored(cube(pool.conj(between(2, x, 3), pool.eq(y, pool.integer(0)))), 2);
  const std::uint32_t beside = stored(cube(between(4, x, 6)), 2);
  EXPECT_FALSE(store.is_part_of_another(small));  // nothing is noted yet
  store.note_as_larger(large);
  EXPECT_TRUE(store.is_part_of_another(small));
  EXPECT_FALSE(store.is_part_of_another(beside));
  EXPECT_FALSE(store.is_part_of_another(large));  // of another
}

TEST_F(CubeStoreTest, LargerCubesThatAreFurtherAwayDoNotCount) {
  const std::uint32_t large = stored(cube(between(1, x, 5)), 3);
  const std::uint32_t small = stored(cube(between(2, x, 3)), 2);
  store.note_as_larger(large);
  EXPECT_FALSE(store.is_part_of_another(small));
  store[small].steps = 3;
  EXPECT_TRUE(store.is_part_of_another(small));
}

// Beside comparing with each noted cube. With more than 32 ranges at one place the store may miss
// some, so there are fewer.
TEST_F(CubeStoreTest, RandomCubes) {
  std::mt19937 random(7);
  const std::vector<Expr> terms = {x, y, variable("z"), pool.add(x, y)};
  const auto any_cube = [&] {
    std::vector<Expr> parts;
    for (const Expr term : terms) {
      if (random() % 2 == 0) continue;
      const int low = static_cast<int>(random() % 3);
      parts.push_back(between(low, term, low + static_cast<int>(random() % 2)));
    }
    return cube(pool.conj(parts));
  };
  unsigned parts = 0;
  for (int round = 0; round < 20 * test::effort(); ++round) {
    CubeStore fresh(builder);
    std::vector<std::uint32_t> noted;
    for (int i = 0; i < 20; ++i) {
      const std::uint32_t node = fresh.find_or_add(any_cube());
      fresh[node].steps = static_cast<std::uint32_t>(random() % 3);
      bool expected = false;
      for (const std::uint32_t other : noted) {
        expected = expected || (other != node && fresh[other].steps <= fresh[node].steps &&
                                builder.implies(fresh.cube(node), fresh.cube(other)));
      }
      EXPECT_EQ(fresh.is_part_of_another(node), expected);
      parts += expected ? 1 : 0;
      fresh.note_as_larger(node);
      noted.push_back(node);
    }
  }
  EXPECT_GT(parts, 50U);
}

}  // namespace
}  // namespace whittle

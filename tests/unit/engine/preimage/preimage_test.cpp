// SPDX-License-Identifier: Apache-2.0
#include "engine/preimage/preimage.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "expr/print.h"
#include "support/effort.h"

namespace whittle {
namespace {

// Variables x and y, an input i, and the transitions of the test.
class PreimageTest : public ::testing::Test {
 protected:
  PreimageTest() {
    system.pool = std::make_shared<ExprPool>();
    for (const char* name : {"x", "y"}) {
      const SymbolId current = system.pool->declare(name, Type::integer());
      const SymbolId next = system.pool->declare(std::string(name) + "'", Type::integer());
      system.variables.push_back({name, Type::integer(), current, next, false});
    }
    x = system.pool->symbol(system.variables[0].current);
    y = system.pool->symbol(system.variables[1].current);
    i_symbol = system.pool->declare("i", Type::integer());
    i = system.pool->symbol(i_symbol);
    system.init = system.pool->boolean(true);
    system.goal.condition = system.pool->boolean(false);
  }
  ExprPool& pool() { return *system.pool; }
  Expr number(int value) { return pool().integer(value); }
  Expr between(int low, Expr e, int high) {
    return pool().conj(pool().le(number(low), e), pool().le(e, number(high)));
  }
  void transition(Expr guard, std::vector<Update> updates) {
    Transition t;
    t.inputs = {i_symbol};
    t.guard = guard;
    t.updates = std::move(updates);
    system.transitions.push_back(std::move(t));
  }

  // The states -range..range in which one of the cubes holds, as pairs of numbers.
  using States = std::vector<std::pair<int, int>>;
  States states_of(const std::optional<std::vector<Cube>>& cubes, CubeBuilder& builder, int range) {
    States result;
    EXPECT_TRUE(cubes.has_value());
    if (!cubes) return result;
    for (int a = -range; a <= range; ++a) {
      for (int b = -range; b <= range; ++b) {
        Substitution at = state(a, b);
        bool some = false;
        for (const Cube& cube : *cubes) {
          bool all = true;
          for (const LiteralId id : cube) all = all && pool().is_true(at(builder.condition(id)));
          some = some || all;
        }
        if (some) result.emplace_back(a, b);
      }
    }
    return result;
  }
  Substitution state(int a, int b) {
    Substitution result(pool());
    result.set(system.variables[0].current, number(a));
    result.set(system.variables[1].current, number(b));
    return result;
  }

  TransitionSystem system;
  SymbolId i_symbol;
  Expr x, y, i;
};

TEST_F(PreimageTest, InputsBetweenBoundsAreEliminated) {
  transition(pool().conj(pool().lt(x, number(3)), between(0, i, 2)), {{0, pool().add(x, i)}});
  const SymbolVariables variables(system);
  CubeBuilder builder(pool());
  Preimage preimage(system, variables, builder);
  const auto four = builder.to_dnf(pool().eq(x, number(4)));
  EXPECT_EQ(states_of(preimage.of(four->at(0), 0), builder, 0), States());
  for (const auto& [a, b] : states_of(preimage.of(four->at(0), 0), builder, 5)) EXPECT_EQ(a, 2);
  const auto five = builder.to_dnf(pool().eq(x, number(5)));
  EXPECT_EQ(states_of(preimage.of(five->at(0), 0), builder, 5), States());
}

TEST_F(PreimageTest, OnlyWritersMatter) {
  transition(pool().boolean(true), {{0, number(1)}});
  transition(pool().boolean(true), {{1, x}});
  const SymbolVariables variables(system);
  CubeBuilder builder(pool());
  Preimage preimage(system, variables, builder);
  const auto cubes = builder.to_dnf(pool().eq(y, number(1)));
  EXPECT_EQ(preimage.writers(cubes->at(0)), std::vector<std::uint32_t>{1});
  EXPECT_TRUE(preimage.writers({}).empty());
}

TEST_F(PreimageTest, OpenVariablesHaveSomeValue) {
  transition(pool().lt(x, number(0)), {});
  system.transitions[0].open = {1};
  const SymbolVariables variables(system);
  CubeBuilder builder(pool());
  Preimage preimage(system, variables, builder);
  const auto cubes = builder.to_dnf(pool().eq(y, number(3)));
  for (const auto& [a, b] : states_of(preimage.of(cubes->at(0), 0), builder, 2)) EXPECT_LT(a, 0);
}

TEST_F(PreimageTest, RelationsAreUnsupported) {
  transition(pool().boolean(true), {});
  system.transitions[0].open = {0};
  system.transitions[0].relation =
      pool().lt(pool().symbol(system.variables[0].next), pool().mul(x, x));
  const SymbolVariables variables(system);
  CubeBuilder builder(pool());
  EXPECT_TRUE(Preimage(system, variables, builder).unsupported());
}

// Beside trying all states and inputs.
TEST_F(PreimageTest, RandomTransitions) {
  std::mt19937 random(17);
  const auto any = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  const auto sum = [&](bool with_input) {
    Expr result = pool().add(pool().mul(number(any(-1, 1)), x), number(any(-2, 2)));
    result = pool().add(result, pool().mul(number(any(-1, 1)), y));
    if (with_input && any(0, 1) == 1)
      result = pool().add(result, pool().mul(number(any(-1, 1)), i));
    return result;
  };
  unsigned compared = 0;
  for (int round = 0; round < 150 * test::effort(); ++round) {
    system.transitions.clear();
    transition(pool().conj(pool().le(sum(false), number(any(-1, 2))), between(-2, i, 2)),
               {{0, sum(true)}, {1, sum(true)}});
    const SymbolVariables variables(system);
    CubeBuilder builder(pool());
    Preimage preimage(system, variables, builder);
    ASSERT_FALSE(preimage.unsupported());
    const Expr target = pool().conj(
        pool().le(sum(false), number(any(-2, 2))),
        any(0, 1) == 1 ? pool().eq(x, number(any(-2, 2))) : pool().ne(y, number(any(-2, 2))));
    const auto cubes = builder.to_dnf(target);
    ASSERT_TRUE(cubes);
    if (cubes->empty()) continue;
    const Cube& cube = cubes->front();
    const auto found = preimage.of(cube, 0);
    if (!found) continue;  // excluded values of an input between bounds
    ++compared;
    States expected;
    const Transition& t = system.transitions[0];
    for (int a = -3; a <= 3; ++a) {
      for (int b = -3; b <= 3; ++b) {
        bool leads = false;
        for (int value = -2; value <= 2 && !leads; ++value) {
          Substitution at = state(a, b);
          at.set(i_symbol, number(value));
          Substitution after(pool());
          for (const Update& u : t.updates)
            after.set(system.variables[u.variable].current, at(u.value));
          leads = pool().is_true(at(t.guard));
          for (const LiteralId id : cube)
            leads = leads && pool().is_true(after(builder.condition(id)));
        }
        if (leads) expected.emplace_back(a, b);
      }
    }
    EXPECT_EQ(states_of(found, builder, 3), expected)
        << "round " << round << ": " << to_string(pool(), target);
  }
  EXPECT_GT(compared, 60U);
}

}  // namespace
}  // namespace whittle

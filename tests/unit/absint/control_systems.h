// SPDX-License-Identifier: Apache-2.0
// Flat systems with a given control graph.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ir/transition_system.h"

namespace whittle::absint::test {

// Nodes 0, 1, ... of which runs begin in the first; x0, x1, ... are 0 there.
class ControlSystem {
 public:
  ControlSystem(std::uint32_t nodes, std::uint32_t numbers)
      : system_{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}}, pool_(*system_.pool) {
    std::vector<std::string> names;
    for (std::uint32_t n = 0; n < nodes; ++n) names.push_back("n" + std::to_string(n));
    place_ = pool_.enum_type("Place", names);
    declare("@", place_, true);
    std::vector<Expr> init = {at(0)};
    for (std::uint32_t i = 0; i < numbers; ++i) {
      declare("x" + std::to_string(i), Type::integer(), false);
      init.push_back(pool_.eq(number(i), pool_.integer(0)));
    }
    system_.init = pool_.conj(init);
    system_.goal.condition = pool_.boolean(false);
  }

  [[nodiscard]] ExprPool& pool() { return pool_; }
  [[nodiscard]] TransitionSystem& system() { return system_; }
  [[nodiscard]] Expr number(std::uint32_t i) {
    return pool_.symbol(system_.variables[i + 1].current);
  }
  [[nodiscard]] Expr at(std::uint32_t node) {
    return pool_.eq(pool_.symbol(system_.variables[0].current), place(node));
  }
  // Updates of numbers.
  using Updates = std::vector<std::pair<std::uint32_t, Expr>>;
  void edge(std::uint32_t from, std::uint32_t to, Expr guard = {}, const Updates& updates = {}) {
    Transition transition;
    transition.name = "t" + std::to_string(system_.transitions.size());
    transition.guard = guard.valid() ? pool_.conj(at(from), guard) : at(from);
    transition.updates.push_back({0, place(to)});
    for (const auto& [i, value] : updates) transition.updates.push_back({i + 1, value});
    system_.transitions.push_back(std::move(transition));
  }
  // x_i grows by `by` up to a limit, on an edge from the node to itself.
  void loop(std::uint32_t node, std::uint32_t i, int by, int limit) {
    edge(node, node, pool_.lt(number(i), pool_.integer(limit)),
         {{i, pool_.add(number(i), pool_.integer(by))}});
  }

 private:
  [[nodiscard]] Expr place(std::uint32_t node) { return pool_.constant(EnumValue{node}, place_); }
  void declare(const std::string& name, Type type, bool location) {
    const SymbolId current = pool_.declare(name, type);
    const SymbolId next = pool_.declare(name + "'", type);
    system_.variables.push_back({name, type, current, next, location});
  }

  TransitionSystem system_;
  ExprPool& pool_;
  Type place_;
};

// Guards and updates that are linear, edges anywhere.
[[nodiscard]] inline ControlSystem random_control_system(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  auto pick = [&](std::uint64_t below) { return static_cast<std::uint32_t>(random() % below); };
  const std::uint32_t nodes = 2 + pick(10), numbers = 1 + pick(3);
  ControlSystem result(nodes, numbers);
  ExprPool& pool = result.pool();
  auto small = [&] { return pool.integer(static_cast<int>(pick(9)) - 3); };
  auto guard = [&] {
    const Expr a = result.number(pick(numbers));
    const Expr b = pick(2) == 0 ? small() : pool.add(result.number(pick(numbers)), small());
    return pick(3) == 0 ? pool.ge(a, b) : pool.le(a, b);
  };
  auto edge = [&](std::uint32_t from, std::uint32_t to) {
    ControlSystem::Updates updates;
    const std::uint32_t i = pick(numbers);
    const Expr value = result.number(pick(3) == 0 ? pick(numbers) : i);
    if (pick(4) != 0) updates.emplace_back(i, pool.add(value, small()));
    result.edge(from, to, pick(2) == 0 ? guard() : Expr(), updates);
  };
  for (std::uint32_t n = 1; n < nodes; ++n) edge(pick(n), n);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (pick(2) == 0) edge(n, n);
    if (pick(3) == 0) edge(n, pick(nodes));
  }
  return result;
}

}  // namespace whittle::absint::test

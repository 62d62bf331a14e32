// SPDX-License-Identifier: Apache-2.0
#include "support/flat_systems.h"

#include <string>

namespace whittle::test {

namespace {

struct Builder {
  TransitionSystem system;
  ExprPool& pool;

  Builder() : system{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}}, pool(*system.pool) {}

  // The term for the current value of a new variable.
  Expr variable(const std::string& name, Type type, bool location = false) {
    const SymbolId current = pool.declare(name, type);
    const SymbolId next = pool.declare(name + "'", type);
    system.variables.push_back({name, type, current, next, location});
    return pool.symbol(current);
  }
  Expr next(std::uint32_t variable) { return pool.symbol(system.variables[variable].next); }
  Transition& transition(const std::string& name, Expr guard) {
    Transition transition;
    transition.name = name;
    transition.guard = guard;
    system.transitions.push_back(std::move(transition));
    return system.transitions.back();
  }
  Expr number(int value) { return pool.integer(value); }
};

}  // namespace

TransitionSystem countdown(std::uint32_t count, int from) {
  Builder b;
  const Type place = b.pool.enum_type("Place", {"s1", "s2"});
  const Expr first = b.pool.constant(EnumValue{0}, place);
  const Expr second = b.pool.constant(EnumValue{1}, place);
  const Expr at = b.variable("@", place, true);
  std::vector<Expr> numbers;
  for (std::uint32_t i = 0; i < count; ++i) {
    numbers.push_back(b.variable("v" + std::to_string(i + 1), Type::integer()));
  }
  Transition& initialize = b.transition("initialize", b.pool.eq(at, first));
  initialize.updates.push_back({0, second});
  for (std::uint32_t i = 0; i < count; ++i) initialize.updates.push_back({i + 1, b.number(from)});
  for (std::uint32_t i = 0; i < count; ++i) {
    Transition& lower = b.transition("decrement" + std::to_string(i + 1), b.pool.eq(at, second));
    lower.updates.push_back({i + 1, b.pool.sub(numbers[i], b.number(1))});
  }
  b.system.init = b.pool.eq(at, first);
  b.system.goal.condition = b.pool.conj(b.pool.eq(at, second), b.pool.lt(numbers[0], b.number(0)));
  return std::move(b.system);
}

TransitionSystem jumper(int goal) {
  Builder b;
  const Expr halted = b.variable("halted", Type::boolean());
  const Expr x = b.variable("x", Type::integer());
  const Expr running = b.pool.negate(halted);
  const SymbolId by = b.pool.declare("by", Type::integer());
  const Expr amount = b.pool.symbol(by);
  Transition& grow = b.transition(
      "grow", b.pool.conj(std::vector{running, b.pool.le(b.number(1), amount),
                                      b.pool.le(amount, b.number(2)), b.pool.lt(x, b.number(10))}));
  grow.inputs = {by};
  grow.updates.push_back({1, b.pool.add(x, amount)});
  Transition& jump = b.transition("jump", b.pool.conj(running, b.pool.lt(b.number(5), x)));
  jump.open = {1};
  jump.relation = b.pool.lt(b.pool.mul(b.number(2), x), b.next(1));
  Transition& halt = b.transition("halt", running);
  halt.updates.push_back({0, b.pool.boolean(true)});
  b.system.init =
      b.pool.conj(std::vector{running, b.pool.le(b.number(0), x), b.pool.le(x, b.number(3))});
  b.system.goal.condition = b.pool.conj(halted, b.pool.eq(x, b.number(goal)));
  return std::move(b.system);
}

TransitionSystem odometer(std::uint32_t digits) {
  Builder b;
  const Type digit = b.pool.enum_type("Digit", {"zero", "one", "two"});
  std::vector<Expr> values;
  for (std::uint32_t v = 0; v < 3; ++v) values.push_back(b.pool.constant(EnumValue{v}, digit));
  std::vector<Expr> wheels;
  std::vector<Expr> start;
  std::vector<Expr> full;
  for (std::uint32_t i = 0; i < digits; ++i) {
    wheels.push_back(b.variable("w" + std::to_string(i), digit));
    start.push_back(b.pool.eq(wheels[i], values[0]));
    full.push_back(b.pool.eq(wheels[i], values[2]));
  }
  // The wheels before i are full and go back to zero while wheel i goes on.
  for (std::uint32_t i = 0; i < digits; ++i) {
    std::vector<Expr> guard(full.begin(), full.begin() + i);
    guard.push_back(b.pool.negate(full[i]));
    Transition& carry = b.transition("carry" + std::to_string(i), b.pool.conj(guard));
    for (std::uint32_t j = 0; j < i; ++j) carry.updates.push_back({j, values[0]});
    carry.updates.push_back({i, b.pool.ite(b.pool.eq(wheels[i], values[0]), values[1], values[2])});
  }
  b.system.init = b.pool.conj(start);
  b.system.goal.condition = b.pool.conj(full);
  return std::move(b.system);
}

TransitionSystem savings(int limit) {
  Builder b;
  const Expr balance = b.variable("balance", Type::real());
  auto real = [&](int value) { return b.pool.real(Rational(Integer(value))); };
  for (const bool in : {true, false}) {
    const SymbolId input = b.pool.declare("amount", Type::real());
    const Expr amount = b.pool.symbol(input);
    std::vector<Expr> guard = {b.pool.lt(real(0), amount), b.pool.le(amount, real(50))};
    if (!in) guard.push_back(b.pool.le(amount, balance));
    Transition& move = b.transition(in ? "deposit" : "withdraw", b.pool.conj(guard));
    move.inputs = {input};
    move.updates.push_back({0, in ? b.pool.add(balance, amount) : b.pool.sub(balance, amount)});
  }
  b.system.init = b.pool.eq(balance, real(50));
  b.system.goal.condition = b.pool.le(real(limit), balance);
  return std::move(b.system);
}

TransitionSystem ring(int last, int wanted) {
  Builder b;
  const Expr x = b.variable("x", Type::integer());
  const Expr end = b.pool.integer(last);
  b.transition("up", b.pool.lt(x, end)).updates.push_back({0, b.pool.add(x, b.pool.integer(1))});
  b.transition("back", b.pool.eq(x, end)).updates.push_back({0, b.pool.integer(0)});
  b.system.init = b.pool.eq(x, b.pool.integer(0));
  b.system.goal.condition = b.pool.eq(x, b.pool.integer(wanted));
  return std::move(b.system);
}

}  // namespace whittle::test

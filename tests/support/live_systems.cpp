// SPDX-License-Identifier: Apache-2.0
#include "support/live_systems.h"

#include <string>

namespace whittle::test {

namespace {

struct LiveBuilder {
  TransitionSystem system;
  ExprPool& pool;

  LiveBuilder() : system{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}}, pool(*system.pool) {
    system.init = pool.boolean(true);
    system.goal.condition = pool.boolean(false);
  }

  Expr variable(const std::string& name, Type type = Type::integer(), bool location = false) {
    const SymbolId current = pool.declare(name, type);
    const SymbolId next = pool.declare(name + "'", type);
    system.variables.push_back({name, type, current, next, location});
    return pool.symbol(current);
  }
  Transition& transition(const std::string& name, Expr guard, std::vector<Update> updates) {
    Transition transition;
    transition.name = name;
    transition.guard = guard;
    transition.updates = std::move(updates);
    system.transitions.push_back(std::move(transition));
    return system.transitions.back();
  }
  [[nodiscard]] Expr number(int value) const { return pool.integer(Integer(value)); }
  [[nodiscard]] Expr positive(Expr e) const { return pool.gt(e, number(0)); }
  [[nodiscard]] Expr plus(Expr e, int n) const { return pool.add(e, number(n)); }

  TransitionSystem finished() {
    AcceptanceSet all{pool.boolean(false), {}, "steps"};
    for (std::uint32_t t = 0; t < system.transitions.size(); ++t) all.transitions.push_back(t);
    if (!system.acceptance) system.acceptance = std::vector<AcceptanceSet>{all};
    return std::move(system);
  }
};

}  // namespace

TransitionSystem live_two_counters() {
  LiveBuilder b;
  const Expr x = b.variable("x"), y = b.variable("y");
  const Expr both = b.pool.conj(b.positive(x), b.positive(y));
  b.transition("left", both, {{0, b.plus(x, -1)}});
  b.transition("right", both, {{1, b.plus(y, -1)}});
  return b.finished();
}

TransitionSystem live_gcd() {
  LiveBuilder b;
  const Expr x = b.variable("x"), y = b.variable("y");
  b.system.init = b.pool.conj(b.positive(x), b.positive(y));
  b.transition("left", b.pool.gt(x, y), {{0, b.pool.sub(x, y)}});
  b.transition("right", b.pool.gt(y, x), {{1, b.pool.sub(y, x)}});
  return b.finished();
}

TransitionSystem live_nested_countdown() {
  LiveBuilder b;
  const Type place = b.pool.enum_type("Place", {"outer", "inner"});
  const Expr outer = b.pool.constant(EnumValue{0}, place);
  const Expr inner = b.pool.constant(EnumValue{1}, place);
  const Expr at = b.variable("@", place, true);
  const Expr x = b.variable("x"), y = b.variable("y");
  b.system.init = b.pool.eq(at, outer);
  const SymbolId n = b.pool.declare("n", Type::integer());
  b.transition("begin", b.pool.conj(b.pool.eq(at, outer), b.positive(x)),
               {{0, inner}, {1, b.plus(x, -1)}, {2, b.pool.symbol(n)}})
      .inputs = {n};
  b.transition("inner", b.pool.conj(b.pool.eq(at, inner), b.positive(y)), {{2, b.plus(y, -1)}});
  b.transition("back", b.pool.conj(b.pool.eq(at, inner), b.pool.le(y, b.number(0))), {{0, outer}});
  return b.finished();
}

TransitionSystem live_phases() {
  LiveBuilder b;
  const Expr x = b.variable("x"), y = b.variable("y");
  b.transition("turn", b.positive(x), {{0, b.pool.add(x, y)}, {1, b.plus(y, -1)}});
  return b.finished();
}

TransitionSystem live_towards_zero() {
  LiveBuilder b;
  const Expr x = b.variable("x");
  b.transition("down", b.positive(x), {{0, b.plus(x, -1)}});
  b.transition("up", b.pool.lt(x, b.number(0)), {{0, b.plus(x, 1)}});
  return b.finished();
}

TransitionSystem live_toggle(int times) {
  LiveBuilder b;
  const Expr x = b.variable("x");
  b.system.init = b.pool.eq(x, b.number(0));
  b.transition("accept", b.pool.lt(x, b.number(times)), {{0, b.plus(x, 1)}});
  b.transition("rest", b.pool.boolean(true), {});
  b.system.acceptance = std::vector<AcceptanceSet>{{b.pool.boolean(false), {0}, "accept"}};
  return b.finished();
}

TransitionSystem live_queue() {
  LiveBuilder b;
  const Expr queue = b.variable("queue");
  const Expr busy = b.variable("busy", Type::boolean());
  b.transition("work", b.pool.conj(busy, b.positive(queue)), {{0, b.plus(queue, -1)}});
  b.transition("idle", b.pool.boolean(true), {});
  b.transition("toggle", b.pool.boolean(true), {{1, b.pool.negate(busy)}});
  b.system.acceptance = std::vector<AcceptanceSet>{{b.pool.boolean(false), {0}, "work"},
                                                   {b.pool.negate(busy), {1}, "fair idle"}};
  return b.finished();
}

TransitionSystem live_increment() {
  LiveBuilder b;
  const Expr x = b.variable("x");
  b.transition("step", b.positive(x), {{0, b.plus(x, 1)}});
  return b.finished();
}

TransitionSystem live_doubling() {
  LiveBuilder b;
  const Expr x = b.variable("x");
  b.transition("step", b.positive(x), {{0, b.pool.mul(b.number(2), x)}});
  return b.finished();
}

TransitionSystem live_chosen() {
  LiveBuilder b;
  const Expr x = b.variable("x");
  const SymbolId d = b.pool.declare("d", Type::integer());
  const Expr by = b.pool.symbol(d);
  b.transition("step", b.pool.conj(b.positive(x), b.pool.gt(by, x)), {{0, b.plus(by, -1)}})
      .inputs = {d};
  return b.finished();
}

}  // namespace whittle::test

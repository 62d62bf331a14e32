// SPDX-License-Identifier: Apache-2.0
#include "ir/lowering/recovery.h"

#include "expr/traverse.h"

namespace whittle {

Recovery::Recovery(Network& network, PropertyId property, const LowerOptions& options)
    : lowered_(lower(network, property, options)) {
  const Expr condition = network.property(property).as<RecoveryGoal>().condition;
  lowered_.system.goal = {lowered_.back->flat_condition(condition), {}};
  lowered_.system.alike.clear();
}

// The values that the measure has before are named, so that they can be compared with those after.
Expr Recovery::leads_on(const Continuation& way, const Measure& measure) const {
  ExprPool& pool = *system().pool;
  std::vector<Expr> ends = {good()};
  std::vector<Expr> not_raised;
  Substitution before(pool);
  for (const Expr part : measure) {
    const Type type = pool.type(part);
    const Expr zero =
        type == Type::real() ? pool.real(Rational(Integer(0))) : pool.integer(Integer(0));
    const Expr one =
        type == Type::real() ? pool.real(Rational(Integer(1))) : pool.integer(Integer(1));
    const SymbolId name = pool.declare("before", type);
    const Expr was = pool.symbol(name);
    before.set(name, part);
    std::vector<Expr> lowered = not_raised;
    lowered.push_back(pool.ge(was, zero));
    lowered.push_back(pool.le(pool.add(part, one), was));
    ends.push_back(pool.conj(lowered));
    not_raised.push_back(pool.le(part, was));
  }
  return before(weakest_precondition(system(), way, pool.disj(ends)));
}

TransitionSystem Recovery::lost(const std::vector<Continuation>& ways,
                                const Measure& measure) const {
  TransitionSystem result = system();
  ExprPool& pool = *result.pool;
  std::vector<Expr> parts = {pool.negate(good())};
  for (const Continuation& way : ways) parts.push_back(pool.negate(leads_on(way, measure)));
  result.goal.condition = pool.conj(parts);
  return result;
}

TransitionSystem Recovery::from(const FlatState& state) const {
  return beginning_in(system(), state);
}

}  // namespace whittle

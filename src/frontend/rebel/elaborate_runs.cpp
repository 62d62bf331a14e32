// SPDX-License-Identifier: Apache-2.0
// What formulas of temporal logic can say of the step that leaves a state.
#include "base/nearest.h"
#include "frontend/rebel/elaborate.h"

namespace whittle::rebel {

// taken(Account[1].withdraw): the instance takes part in the step with this event.
TypedTerm Elaborator::taken(const Scope& scope, ExprRef e) {
  const ModuleAst& module = ast(scope);
  const ExprNode n = module.expr(e);
  const ExprNode argument =
      module.list_size(n.b) == 1 ? module.expr(module.list(n.b)[0]) : ExprNode();
  if (argument.kind != ExprKind::Field) {
    error(scope, e, "ltl-010", "'taken' is about an event of an instance",
          "write, for example: taken(Account[1].withdraw)");
    return unknown();
  }
  Ref ref = reference(scope, argument.a, false);
  if (ref.how == Ref::How::None) {
    const TypedTerm object = value(scope, argument.a);
    if (object.type == RType(Kind::Unknown)) return unknown();
    if (program_.types().kind(object.type) == Kind::Spec) ref = reference_of(object, false);
  }
  if (ref.how == Ref::How::Bad) return unknown();
  if (ref.how == Ref::How::None || ref.how == Ref::How::External) {
    error(scope, argument.a, "ltl-010", "this takes no steps",
          "write T[key] with the specification T, or the name that a quantifier binds");
    return unknown();
  }
  const Spec& spec = program_.specs()[ref.spec];
  const auto use = spec.use_index.find(argument.b);
  const EventId event =
      use == spec.use_index.end() ? EventId() : nets_[ref.spec].events[use->second];
  if (!event.valid()) {
    NearestName near(program_.names().text(argument.b));
    for (const EventUse& one : spec.uses) near.offer(program_.names().text(one.name));
    error(scope, e, "ltl-010",
          "specification '" + program_.text(spec.name) + "' has no event '" +
              program_.text(argument.b) + "'",
          near.result() ? "did you mean '" + *near.result() + "'?" : "");
    return unknown();
  }
  std::vector<Expr> ways;
  for (const InstanceId instance : network_.instances_of(scope.runs, nets_[ref.spec].machine)) {
    Expr way = pool_.symbol(network_.taken_by(instance, event));
    if (ref.how == Ref::How::Keyed) {
      const Value& key = network_.instance(instance).key;
      way = pool_.conj(pool_.eq(ref.key, pool_.constant(key, pool_.type(ref.key))), way);
    }
    if (!pool_.is_false(way)) ways.push_back(way);
  }
  if (ways.empty()) {
    error(scope, argument.a, "ltl-010", "there is no such instance in the configuration",
          "its description says who exists, for example: one Account with number == 1;");
    return unknown();
  }
  return boolean(pool_.disj(ways), ref.def);
}

TypedTerm Elaborator::equivalence(const Scope& scope, ExprRef e) {
  const ExprNode n = ast(scope).expr(e);
  const TypedTerm a = typed(scope, n.a, Kind::Boolean, "an operand of '<->'");
  const TypedTerm b = typed(scope, n.b, Kind::Boolean, "an operand of '<->'");
  if (a.type == RType(Kind::Unknown) || b.type == RType(Kind::Unknown)) return unknown();
  return boolean(pool_.eq(a.a, b.a), conj(a.def, b.def));
}

}  // namespace whittle::rebel

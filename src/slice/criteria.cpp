// SPDX-License-Identifier: Apache-2.0
// Criteria. Eilers distinguishes four shapes of a setup: with or without a goal location, with or
// without constraints on variables. Read as a formula, a question is a condition on the last state:
//
//   location and constraints   at(l) && c(v)    (l, epsilon) and (l, v) for each v in c
//   location only              at(l)            (l, epsilon)
//   constraints only           c(v)             v, wherever the machine is
//   neither                    true             nothing. Eilers keeps all states here; but an
//   instance of
//                                               which nothing is asked imposes nothing.
//
// A location that occurs positively only has to be reached; one that occurs negatively has to be
// left as well, so everything that enters or leaves it counts. Structural checks add the guards
// they are about.
#include "slice/criteria.h"

#include <unordered_map>

#include "expr/traverse.h"
#include "ir/ltl.h"
#include "ir/property_kinds.h"

namespace whittle::slice {

namespace {

struct Literal {
  Expr term;
  bool positive = true;
};

// Calls visit on the parts of a condition that are not connectives, with their polarity;
// `top` says that the part is a conjunct of the whole.
template <class Visit>
void each_part(const ExprPool& pool, Expr condition, bool positive, Visit&& visit) {
  struct Item {
    Expr e;
    bool positive, top;
  };
  std::vector<Item> stack{{condition, positive, true}};
  while (!stack.empty()) {
    auto [e, sign, top] = stack.back();
    stack.pop_back();
    Op op = pool.op(e);
    if (op == Op::Not) {
      stack.push_back({pool.child(e, 0), !sign, top});
    } else if (op == Op::And || op == Op::Or) {
      bool still_top = top && (op == Op::And) == sign;
      for (Expr child : pool.children(e)) stack.push_back({child, sign, still_top});
    } else if (op == Op::Implies) {
      stack.push_back({pool.child(e, 0), !sign, top && !sign});
      stack.push_back({pool.child(e, 1), sign, top && !sign});
    } else {
      visit(e, sign, top);
    }
  }
}

void configuration(const ControlFlow& flow, const Property& property, Dependences& dependences,
                   bool by_location, const Dependences::Report& report) {
  const Network& network = flow.network();
  const ExprPool& pool = network.pool();
  bool positive = !is_safety(property.kind);
  // Instances that the last state puts at one location.
  std::unordered_map<InstanceId, LocationId> placed;
  each_part(pool, property.condition(), positive, [&](Expr e, bool sign, bool top) {
    if (!top || !sign || !pool.is_variable(e)) return;
    Role role = network.role(pool.symbol_of(e));
    if (role.kind == RoleKind::InstanceAt) placed.emplace(role.instance, LocationId(role.id));
  });
  UseTable uses(network);
  each_part(pool, property.condition(), positive, [&](Expr e, bool sign, bool) {
    if (pool.is_variable(e)) {
      Role role = network.role(pool.symbol_of(e));
      if (role.kind == RoleKind::InstanceAt && sign) {
        LocationId l(role.id);
        report(machine(network.location(l).machine), DependenceKind::Criterion, property.origin);
        report(location(l), DependenceKind::Criterion, property.origin);
        return;
      }
    }
    dependences.of_condition(e, DependenceKind::Criterion, property.origin,
                             [&](Instance target, DependenceKind kind, Span origin) {
                               if (target.part != Part::Value) report(target, kind, origin);
                             });
    // A value is asked for at the location where its instance has to be, if that is known.
    for (VariableId v : uses.of(e).shared)
      report(value(v), DependenceKind::Criterion, property.origin);
    for (SymbolId s : symbols(pool, e)) {
      Role role = network.role(s);
      if (role.kind == RoleKind::RemoteCurrent)
        report(value(VariableId(role.id)), DependenceKind::Criterion, property.origin);
      if (role.kind != RoleKind::InstanceCurrent) continue;
      auto place = placed.find(role.instance);
      if (by_location && place != placed.end())
        report(value_at(place->second, VariableId(role.id)), DependenceKind::Criterion,
               property.origin);
      else
        report(value(VariableId(role.id)), DependenceKind::Criterion, property.origin);
    }
  });
}

void every_arc_of(const Network& network, EventId e, Span origin, const Dependences::Report& report,
                  DependenceKind kind = DependenceKind::Criterion) {
  for (std::uint32_t a = 0; a < network.event(e).arcs.size(); ++a) report(arc(e, a), kind, origin);
}

void everything_happens(const Network& network, Span origin, const Dependences::Report& report,
                        DependenceKind kind = DependenceKind::Criterion) {
  for (std::uint32_t e = 0; e < network.events().size(); ++e)
    every_arc_of(network, EventId(e), origin, report, kind);
}

// An infinite run: every step stays one, so that `next`, `taken`, fairness and the end of runs keep
// their meaning; values count where conditions of the formula or of steps read them.
void every_step(const Network& network, const Property& property, Dependences& dependences,
                const Dependences::Report& report) {
  const auto& asked = property.as<RunGoal>();
  for (const LtlFormula f : {asked.formula, asked.assumption}) {
    if (!f.valid()) continue;
    for (const Expr atom : network.ltl().atoms(f))
      dependences.of_condition(atom, DependenceKind::Criterion, property.origin, report);
  }
  for (std::uint32_t m = 0; m < network.machines().size(); ++m)
    report(machine(MachineId(m)), DependenceKind::EveryStep, property.origin);
  for (std::uint32_t e = 0; e < network.events().size(); ++e)
    report(guard(EventId(e)), DependenceKind::EveryStep, property.origin);
  everything_happens(network, property.origin, report, DependenceKind::EveryStep);
}

}  // namespace

QuestionClass classify(const Property& property) {
  QuestionClass c;
  c.every_step_counts = property.bound.min > 0;
  c.unbounded = !property.bound.max.has_value();
  c.runs = std::holds_alternative<RunGoal>(property.goal);
  if (std::holds_alternative<RecoveryGoal>(property.goal)) {
    c.whole = true;
    c.reason = "what can go on for ever depends on every step";
  }
  if (std::holds_alternative<StartGoal>(property.goal)) {
    c.whole = true;
    c.reason = "a start is decided directly, without any step";
  }
  return c;
}

void criteria(const ControlFlow& flow, PropertyId id, Dependences& dependences, bool by_location,
              const Dependences::Report& report) {
  const Network& network = flow.network();
  const Property& property = network.property(id);
  if (property.condition().valid()) configuration(flow, property, dependences, by_location, report);
  switch (goal_of(property.kind)) {
    case GoalKind::NothingPossible:
      // Also machines in which nothing can ever happen: they are stuck from the start.
      for (std::uint32_t m = 0; m < network.machines().size(); ++m)
        report(machine(MachineId(m)), DependenceKind::Criterion, property.origin);
      everything_happens(network, property.origin, report);
      break;
    case GoalKind::ArcTaken:
      report(arc(property.as<ArcGoal>().event, property.as<ArcGoal>().arc),
             DependenceKind::Criterion, property.origin);
      break;
    case GoalKind::NoNextState: {
      const EventId about = property.as<RelationGoal>().event;
      const Event& e = network.event(about);
      every_arc_of(network, about, property.origin, report);
      const std::vector<char> blocks = may_block(network, e);
      for (std::uint32_t j = 0; j < e.effects.size(); ++j)
        if (blocks[j]) report(effect(about, j), DependenceKind::Criterion, e.effects[j].origin);
      break;
    }
    case GoalKind::NeverMoves: {
      const LocationId asked = property.as<SinkholeGoal>().location;
      report(location(asked), DependenceKind::Criterion, property.origin);
      // Whoever is needed for leaving may have gone elsewhere for good.
      for (ArcRef ref : flow.leaving(asked)) {
        report(arc(ref.event, ref.arc), DependenceKind::Criterion, property.origin);
        for (const Sync& s : network.event(ref.event).syncs) dependences.forbidden(s, report);
      }
      break;
    }
    case GoalKind::RunRefutes:
      every_step(network, property, dependences, report);
      break;
    case GoalKind::ConditionHolds:
    case GoalKind::ConditionFails:
    case GoalKind::Started:
    case GoalKind::NeverAgain:
      break;
  }
  if (property.bound.min > 0) everything_happens(network, property.origin, report);
}

}  // namespace whittle::slice

// SPDX-License-Identifier: Apache-2.0
// Dependences between instances. Eilers 2018 (section 4.2) has seven kinds; each stands below under
// its formula, `p -> q` read as "p depends on q". Eilers' rules alone do not preserve verdicts;
// these are the gaps, each closed by a rule of its own:
//
//   atomicity        (guard, e) -> (sync, e): an event cannot happen when what it synchronises with
//                    cannot. Without it the goat crosses the river without the farmer.
//   blocking effect  (guard, e) -> (effect, e) where the effect may have no solution or no value.
//   cross reads      a reference to another instance depends on every definition of what it reads;
//                    the location of the other instance is read like a variable that every event
//                    which enters or leaves that location defines.
//   interference     the same for shared variables, over all machines.
//   enter location   (guard, e) -> (location, e) for both ends of its arcs. How those are connected
//                    is the business of reconnection (reconnect.cpp).
//   only by call     an event that cannot be a root depends on its callers.
//   moves together   two needed events that one caller performs in one step need that caller: two
//                    steps instead of one would change least depths, and the second event might
//                    no longer be possible after the first. One needed event needs no caller, as it
//                    can be a root with the same arguments.
//   initial          a value at the start depends on all conditions it shares with others.
#include "slice/dependence.h"

#include <algorithm>

#include "expr/traverse.h"

namespace whittle::slice {

namespace {

// Without a value for some states: a partial operation, or a reference to an instance that may be
// absent (one without a key looks like a variable).
bool may_be_undefined(const Network& network, Expr e) {
  if (!network.pool().total(e)) return true;
  for (SymbolId s : symbols(network.pool(), e)) {
    const RoleKind role = network.role(s).kind;
    if (role == RoleKind::RemoteCurrent || role == RoleKind::RemoteNext) return true;
  }
  return false;
}

}  // namespace

std::vector<char> may_block(const Network& network, const Event& event) {
  // Two effects on one variable may contradict each other.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> writers;  // variable, effect
  for (std::uint32_t j = 0; j < event.effects.size(); ++j)
    for (VariableId v : event.effects[j].writes) writers.emplace_back(v.index(), j);
  std::sort(writers.begin(), writers.end());
  std::vector<char> result(event.effects.size(), 0);
  for (std::size_t i = 1; i < writers.size(); ++i) {
    if (writers[i - 1].first != writers[i].first || writers[i - 1].second == writers[i].second)
      continue;
    result[writers[i - 1].second] = 1;
    result[writers[i].second] = 1;
  }
  for (std::uint32_t j = 0; j < event.effects.size(); ++j) {
    const Effect& effect = event.effects[j];
    if (effect.kind == EffectKind::Relation ||
        (effect.kind == EffectKind::Assign && may_be_undefined(network, effect.expr)))
      result[j] = 1;
  }
  return result;
}

Dependences::Dependences(const ControlFlow& flow, const InitConditions& init, Precision precision)
    : flow_(flow),
      network_(flow.network()),
      init_(init),
      precision_(precision),
      uses_(network_),
      carries_(network_.events().size(), 0),
      carried_(network_.events().size(), 0),
      moves_(network_.machines().size(), 0) {}

void Dependences::of(Instance instance, const Closure& known, const Report& report) {
  switch (instance.part) {
    case Part::Location:
      if (precision_.all_moves)
        every_move(network_.location(LocationId(instance.id)).machine, report);
      break;
    case Part::Machine:
      break;
    case Part::LocationValue:
      use_def_at(LocationId(instance.id), VariableId(instance.with), report);
      break;
    case Part::Value:
      use_def_anywhere(VariableId(instance.id), report);
      break;
    case Part::LocationRead:
      location_read(LocationId(instance.id), report);
      break;
    case Part::Arc: {
      ArcRef ref{EventId(instance.id), instance.with};
      const Event& event = network_.event(ref.event);
      Arcs arcs{ref};
      report(guard(ref.event), DependenceKind::NestedControl, event.origin);
      enter_location(ref, report);
      control(ref.event, arcs, report);
      for (std::uint32_t j = 0; j < event.effects.size(); ++j)
        if (known.contains(effect(ref.event, j))) def_use({ref.event, j}, arcs, report);
      for (std::uint32_t j = 0; j < event.syncs.size(); ++j)
        if (known.contains(sync(ref.event, j))) {
          synchronisation({ref.event, j}, arcs, report);
          arguments({ref.event, j}, arcs, known, report);
        }
      break;
    }
    case Part::Guard: {
      EventId event(instance.id);
      atomicity(event, report);
      blocking_effects(event, report);
      only_by_call(event, report);
      moves_together(event, report);
      if (precision_.whole_events)
        for (std::uint32_t j = 0; j < network_.event(event).effects.size(); ++j)
          report(effect(event, j), DependenceKind::WholeEvent, network_.event(event).origin);
      break;
    }
    case Part::Parameter:
      parameter_data(EventId(instance.id), instance.with, known, report);
      break;
    case Part::Effect: {
      EventId event(instance.id);
      nested_control(event, network_.event(event).effects[instance.with].origin, report);
      // Without locations every variable of the slice has the values it has in the original, so
      // that invariants may speak of it; an effect that is only there because it may block is no
      // exception.
      if (!precision_.by_location)
        for (VariableId v : network_.event(event).effects[instance.with].writes)
          report(value(v), DependenceKind::UseDef, network_.variable(v).origin);
      def_use({event, instance.with}, known_arcs(event, known), report);
      break;
    }
    case Part::Sync: {
      EventId event(instance.id);
      nested_control(event, network_.event(event).syncs[instance.with].origin, report);
      Arcs arcs = known_arcs(event, known);
      synchronisation({event, instance.with}, arcs, report);
      arguments({event, instance.with}, arcs, known, report);
      break;
    }
    case Part::Initial:
      initial_value(VariableId(instance.id), report);
      break;
  }
}

// ----- Eilers' seven

// (n, v) -ud-> (m, v)  if m defines v and a definition-clear path leads from m to n. Here n is a
// location, and the path is followed backwards one arc at a time: an arc whose event defines v ends
// it, any other arc carries the question to its source.
void Dependences::use_def_at(LocationId location, VariableId v, const Report& report) {
  if (!precision_.by_location) {
    report(value(v), DependenceKind::UseDef, network_.variable(v).origin);
    return;
  }
  for (ArcRef ref : flow_.entering(location)) {
    // The writers of a variable are in the order of their events; an event may have many effects.
    const auto writers = flow_.writers(v);
    auto writer = std::lower_bound(
        writers.begin(), writers.end(), ref.event,
        [](const EffectRef& w, EventId event) { return w.event.index() < event.index(); });
    bool defined = false;
    for (; writer != writers.end() && writer->event == ref.event; ++writer) {
      defined_by(*writer, ref, DependenceKind::UseDef, report);
      defined = true;
    }
    if (!defined)
      report(value_at(flow_.arc(ref).from, v), DependenceKind::UseDef, network_.variable(v).origin);
  }
  for (const Start& start : network_.machine(network_.variable(v).machine).starts)
    if (start.location == location) report(initial(v), DependenceKind::Initial, start.origin);
}

// The same where the place of the use is not known: every definition reaches it.
void Dependences::use_def_anywhere(VariableId v, const Report& report) {
  DependenceKind kind =
      network_.variable(v).machine.valid() ? DependenceKind::UseDef : DependenceKind::Interference;
  for (EffectRef writer : flow_.writers(v)) {
    const Event& event = network_.event(writer.event);
    for (std::uint32_t a = 0; a < event.arcs.size(); ++a)
      defined_by(writer, {writer.event, a}, kind, report);
  }
  report(initial(v), DependenceKind::Initial, network_.variable(v).origin);
}

// (n, v) -de-> (n, epsilon)  for v in defs(n): a definition takes effect only if it is executed.
void Dependences::defined_by(EffectRef writer, ArcRef along, DependenceKind kind,
                             const Report& report) {
  Span origin = network_.event(writer.event).effects[writer.effect].origin;
  report(effect(writer.event, writer.effect), kind, origin);
  report(arc(along.event, along.arc), DependenceKind::DefExecution, origin);
}

// (n, v) -du-> (n, w)  for every w that the definition of v at n is computed from.
void Dependences::def_use(EffectRef ref, const Arcs& arcs, const Report& report) {
  const Effect& e = network_.event(ref.event).effects[ref.effect];
  if (e.kind == EffectKind::Free) return;
  use(e.expr, ref.event, arcs, DependenceKind::DefUse, e.origin, report);
}

// (n, epsilon) -cd-> (n, v)  for every v in the conditions of the guard node n.
void Dependences::control(EventId event, const Arcs& arcs, const Report& report) {
  for (const Guard& g : network_.event(event).guards)
    use(g.condition, event, arcs, DependenceKind::Control, g.origin, report);
}

// (n, epsilon) -ncd-> (m, epsilon)  for an effect or sync node n of the event with guard node m.
void Dependences::nested_control(EventId event, Span origin, const Report& report) {
  report(guard(event), DependenceKind::NestedControl, origin);
}

// (n, a_i) -pdd-> (m, p_i)  for a sync node m that gives p_i to parameter a_i of the event n.
void Dependences::parameter_data(EventId event, std::uint32_t index, const Closure& known,
                                 const Report& report) {
  for (SyncRef caller : flow_.callers(event)) {
    if (!known.contains(sync(caller.event, caller.sync))) continue;
    const Sync& s = network_.event(caller.event).syncs[caller.sync];
    use(s.arguments[index], caller.event, known_arcs(caller.event, known),
        DependenceKind::ParameterData, s.origin, report);
  }
}

// The same seen from the sync node. An argument without a value disables the step, so one that may
// have none is read whether or not its parameter is needed.
void Dependences::arguments(SyncRef ref, const Arcs& arcs, const Closure& known,
                            const Report& report) {
  const Sync& s = network_.event(ref.event).syncs[ref.sync];
  for (std::uint32_t i = 0; i < s.arguments.size(); ++i) {
    // One instance takes an event twice in a step only with equal arguments, needed or not.
    const bool may_fail =
        s.negated || flow_.reached_twice(s.event) || may_be_undefined(network_, s.arguments[i]);
    if (!may_fail && !known.contains(parameter(s.event, i))) continue;
    // The argument is only there if its parameter is.
    if (may_fail) report(parameter(s.event, i), DependenceKind::ParameterData, s.origin);
    use(s.arguments[i], ref.event, arcs, DependenceKind::ParameterData, s.origin, report);
  }
}

// (m, epsilon) -sd-> (n, epsilon)  for the sync node m and the guard node n of its event; the key
// says which instance, so it is read as well.
void Dependences::synchronisation(SyncRef ref, const Arcs& arcs, const Report& report) {
  const Sync& s = network_.event(ref.event).syncs[ref.sync];
  if (s.key.valid()) use(s.key, ref.event, arcs, DependenceKind::Synchronisation, s.origin, report);
  report(machine(s.machine), DependenceKind::Synchronisation, s.origin);
  if (s.negated)
    forbidden(s, report);
  else
    every_arc(s.event, DependenceKind::Synchronisation, s.origin, report);
}

// ----- what Eilers 2018 lacks

// `not T[x].e(..)` reads everything that e's possibility depends on, wherever T is, and so does the
// question whether an instance waits for e in vain.
// Synchronisations of e are reached through its guard; what they read is read from outside as well.
void Dependences::forbidden(const Sync& s, const Report& report) {
  const Event& event = network_.event(s.event);
  every_arc(s.event, DependenceKind::Synchronisation, s.origin, report);
  auto read = [&](Expr e, Span origin) {
    const Uses& u = uses_.of(e);
    for (VariableId v : u.own) report(value(v), DependenceKind::CrossRead, origin);
  };
  for (const Arc& a : event.arcs)
    report(slice::location_read(a.from), DependenceKind::CrossRead, a.origin);
  for (const Guard& g : event.guards) read(g.condition, g.origin);
  for (const Effect& e : event.effects)
    if (e.expr.valid()) read(e.expr, e.origin);
  for (const Sync& inner : event.syncs) {
    if (inner.key.valid()) read(inner.key, inner.origin);
    for (Expr argument : inner.arguments) read(argument, inner.origin);
    forbidden(inner, report);
  }
}

// (guard, epsilon) -> (sync, epsilon)  for each synchronisation of the same event.
void Dependences::atomicity(EventId event, const Report& report) {
  const auto& syncs = network_.event(event).syncs;
  for (std::uint32_t j = 0; j < syncs.size(); ++j)
    report(sync(event, j), DependenceKind::Atomicity, syncs[j].origin);
}

// (guard, epsilon) -> (effect, epsilon)  for each effect that may be impossible.
void Dependences::blocking_effects(EventId event, const Report& report) {
  const Event& e = network_.event(event);
  const std::vector<char> blocks = may_block(network_, e);
  // Two events of one step that give a shared variable different values make it impossible.
  const bool joint = !e.syncs.empty() || !flow_.callers(event).empty();
  for (std::uint32_t j = 0; j < e.effects.size(); ++j) {
    const auto& writes = e.effects[j].writes;
    const bool contested =
        joint && std::any_of(writes.begin(), writes.end(), [&](VariableId v) {
          return !network_.variable(v).machine.valid() && flow_.writers(v).size() > 1;
        });
    if (blocks[j] || contested)
      report(effect(event, j), DependenceKind::BlockingEffect, e.effects[j].origin);
  }
}

// (guard, epsilon) along an arc -> both its ends.
void Dependences::enter_location(ArcRef ref, const Report& report) {
  const Arc& a = flow_.arc(ref);
  report(location(a.from), DependenceKind::EnterLocation, a.origin);
  report(location(a.to), DependenceKind::EnterLocation, a.origin);
}

// Whether an instance is at a location, seen from outside: every arc that enters or leaves it.
void Dependences::location_read(LocationId l, const Report& report) {
  report(location(l), DependenceKind::CrossRead, network_.location(l).origin);
  auto moves = [&](std::span<const ArcRef> arcs) {
    for (ArcRef ref : arcs) {
      const Arc& a = flow_.arc(ref);
      if (a.from != a.to) report(arc(ref.event, ref.arc), DependenceKind::CrossRead, a.origin);
    }
  };
  moves(flow_.entering(l));
  moves(flow_.leaving(l));
}

// (guard, epsilon) of an event that is never a root -> the guards of its callers.
void Dependences::only_by_call(EventId event, const Report& report) {
  if (network_.event(event).root) return;
  for (SyncRef caller : flow_.callers(event))
    every_arc(caller.event, DependenceKind::OnlyByCall,
              network_.event(caller.event).syncs[caller.sync].origin, report);
}

// An event carries a needed event if it is needed itself or synchronises with one that carries.
// Two carrying synchronisations make the caller needed.
void Dependences::moves_together(EventId event, const Report& report) {
  std::vector<EventId> fresh{event};
  while (!fresh.empty()) {
    EventId e = fresh.back();
    fresh.pop_back();
    if (carries_[e.index()]) continue;
    carries_[e.index()] = 1;
    for (SyncRef caller : flow_.callers(e)) {
      std::uint8_t& count = carried_[caller.event.index()];
      if (count >= 2) continue;
      if (++count == 2)
        every_arc(caller.event, DependenceKind::MovesTogether,
                  network_.event(caller.event).syncs[caller.sync].origin, report);
      fresh.push_back(caller.event);
    }
  }
}

// (start, v) -> everything that a condition on the start connects v with.
void Dependences::initial_value(VariableId v, const Report& report) {
  const Variable& variable = network_.variable(v);
  if (!precision_.by_location) report(value(v), DependenceKind::UseDef, variable.origin);
  auto read = [&](const Uses& u, Span origin) {
    for (const auto* list : {&u.own, &u.shared, &u.remote})
      for (VariableId w : *list) report(initial(w), DependenceKind::Initial, origin);
  };
  if (variable.initial.valid()) read(uses_.of(variable.initial), variable.origin);
  for (std::uint32_t i : init_.about(v)) {
    const InitCondition& c = init_.all()[i];
    start_condition(c, report);
  }
}

// A condition on the first state that stays, with everything it speaks of.
void Dependences::start_condition(const InitCondition& c, const Report& report) {
  if (c.machine.valid()) report(machine(c.machine), DependenceKind::Initial, c.origin);
  for (VariableId v : c.variables) report(initial(v), DependenceKind::Initial, c.origin);
  for (LocationId l : c.locations) report(location(l), DependenceKind::Initial, c.origin);
  for (MachineId m : c.machines) report(machine(m), DependenceKind::Initial, c.origin);
}

// Cone of influence treats the location as one more variable: every change of it is a definition.
void Dependences::every_move(MachineId m, const Report& report) {
  if (moves_[m.index()]) return;
  moves_[m.index()] = 1;
  for (EventId e : network_.machine(m).events) {
    const auto& arcs = network_.event(e).arcs;
    for (std::uint32_t a = 0; a < arcs.size(); ++a)
      if (arcs[a].from != arcs[a].to)
        report(arc(e, a), DependenceKind::Reconnection, arcs[a].origin);
  }
}

// ----- shared by the rules

void Dependences::use(Expr e, EventId event, const Arcs& arcs, DependenceKind kind, Span origin,
                      const Report& report) {
  const Uses& u = uses_.of(e);
  auto before = [&](VariableId v) {
    if (precision_.by_location)
      for (ArcRef ref : arcs) report(value_at(flow_.arc(ref).from, v), kind, origin);
    else
      report(value(v), kind, origin);
  };
  for (VariableId v : u.own) before(v);
  // A value after the step is the one before it, unless effects of the same event say otherwise.
  for (VariableId v : u.own_next) {
    bool written = false;
    const auto& effects = network_.event(event).effects;
    for (std::uint32_t j = 0; j < effects.size(); ++j) {
      if (std::find(effects[j].writes.begin(), effects[j].writes.end(), v) ==
          effects[j].writes.end())
        continue;
      written = true;
      report(effect(event, j), kind, origin);
    }
    if (!written) before(v);
  }
  for (LocationId l : u.own_locations) report(location(l), kind, origin);
  const auto& parameters = network_.event(event).parameters;
  for (SymbolId s : u.inputs)
    for (std::uint32_t p = 0; p < parameters.size(); ++p)
      if (parameters[p].symbol == s) report(parameter(event, p), kind, origin);
  of_condition(e, kind, origin, report);
}

void Dependences::of_condition(Expr condition, DependenceKind kind, Span origin,
                               const Report& report) {
  const Uses& u = uses_.of(condition);
  bool asked = kind == DependenceKind::Criterion;
  for (VariableId v : u.shared)
    report(value(v), asked ? kind : DependenceKind::Interference, origin);
  for (VariableId v : u.remote) report(value(v), asked ? kind : DependenceKind::CrossRead, origin);
  for (LocationId l : u.remote_locations)
    report(slice::location_read(l), asked ? kind : DependenceKind::CrossRead, origin);
  for (MachineId m : u.machines)
    report(machine(m), asked ? kind : DependenceKind::CrossRead, origin);
}

void Dependences::every_arc(EventId event, DependenceKind kind, Span origin, const Report& report) {
  report(guard(event), kind, origin);
  for (std::uint32_t a = 0; a < network_.event(event).arcs.size(); ++a)
    report(arc(event, a), kind, origin);
}

Dependences::Arcs Dependences::known_arcs(EventId event, const Closure& known) const {
  Arcs arcs;
  for (std::uint32_t a = 0; a < network_.event(event).arcs.size(); ++a)
    if (known.contains(arc(event, a))) arcs.push_back({event, a});
  return arcs;
}

}  // namespace whittle::slice

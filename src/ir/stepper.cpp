// SPDX-License-Identifier: Apache-2.0
// The meaning of one step (network.h), in two phases. `collect` finds everybody who takes part:
// the root, and depth first whom it synchronises with; it evaluates life cycles, guards, keys and
// arguments, all in the state before. `settle` makes the state after, once it is known what the
// model leaves open: assignments first, then values that a relation fixes by an equation
// `x' == e`, then what was chosen; last it evaluates every relation.
//
// What is not possible is left to the caller as a Failure, cheap to make; only refusal() turns it
// into words.
#include "ir/stepper.h"

#include <algorithm>
#include <deque>
#include <unordered_set>

#include "base/error.h"
#include "expr/print.h"
#include "expr/traverse.h"
#include "ir/equations.h"

namespace whittle {

namespace {

constexpr std::size_t kNoPosition = SIZE_MAX;
constexpr std::size_t kMaxChoices = 1'000'000;
constexpr std::size_t kMaxNegations = 1'000;

struct Failure {
  Refusal::Kind kind = Refusal::Kind::Malformed;
  InstanceId instance;
  EventId event;
  Span origin;
  Expr condition;
  std::string detail;
};

// What is worth knowing about an event before it happens a million times.
struct EventFacts {
  bool ready = false;
  std::vector<Arc> arcs;                  // by from, then to; no two alike
  std::vector<Equation> equations;        // of its relations
  std::vector<VariableId> next_mentions;  // variables whose next value a relation looks at
  bool next_location = false;             // a relation looks at a location after the step
};

// One who takes part.
struct Participant {
  Occurrence occurrence;
  std::size_t position = 0;
  std::vector<LocationId> targets;  // where its arcs lead from where it is
  LocationId target;
};

// A sparse map from dense indices that is emptied in constant time.
template <class T>
class Scratch {
 public:
  void reset(std::size_t size) {
    if (stamps_.size() < size) {
      stamps_.resize(size, 0);
      values_.resize(size);
    }
    if (++now_ == 0) {
      std::fill(stamps_.begin(), stamps_.end(), 0);
      now_ = 1;
    }
  }
  [[nodiscard]] const T* find(std::size_t i) const {
    return stamps_[i] == now_ ? &values_[i] : nullptr;
  }
  T& put(std::size_t i, T value) {
    stamps_[i] = now_;
    values_[i] = std::move(value);
    return values_[i];
  }
  void erase(std::size_t i) { stamps_[i] = 0; }

 private:
  std::vector<std::uint32_t> stamps_;
  std::vector<T> values_;
  std::uint32_t now_ = 0;
};

// The working memory of one attempt.
struct Trial {
  std::vector<Participant> participants;
  std::size_t count = 0;               // participants in use; the others keep their memory
  Scratch<std::uint32_t> at_position;  // participant by position
  Scratch<Value> next;                 // next values by slot
  Scratch<std::uint8_t> open;          // slots that an effect writes without saying what
  std::vector<std::uint32_t> written;  // slots with a next value
  std::vector<std::uint32_t> open_slots;
  std::vector<Occurrence> pending;  // to be visited, last first
};

}  // namespace

Candidates finite_candidates(const ExprPool& pool) {
  return [&pool](Type type, SymbolId) -> std::optional<std::vector<Value>> {
    if (pool.kind(type) == TypeKind::Bool) return std::vector<Value>{Value(false), Value(true)};
    if (pool.kind(type) != TypeKind::Enum) return std::nullopt;
    std::vector<Value> all;
    for (std::uint32_t i = 0; i < pool.info(type).values.size(); ++i) {
      all.emplace_back(EnumValue{i});
    }
    return all;
  };
}

struct Stepper::Impl {
  Impl(const Network& n, UniverseId u)
      : network(n),
        universe(u),
        layout(n, u),
        evaluator(n.pool()),
        candidates(finite_candidates(n.pool())),
        facts(n.events().size()) {
    lookup = [this](SymbolId symbol, std::span<const Value> arguments) {
      return value_of(symbol, arguments);
    };
  }

  // ----- the value of a symbol

  // Whose eyes look, at what.
  struct View {
    const State* state = nullptr;
    const Participant* self = nullptr;   // invalid: nobody, or `position`
    std::size_t position = kNoPosition;  // of self
    const Trial* trial = nullptr;        // next values
  };

  std::optional<Value> value_of(SymbolId symbol, std::span<const Value> arguments) {
    const Role role = network.role(symbol);
    switch (role.kind) {
      case RoleKind::Current:
        return current(view.position, VariableId(role.id));
      case RoleKind::Next:
        return next(view.position, VariableId(role.id));
      case RoleKind::Input: {
        if (view.self == nullptr || view.self->occurrence.event.index() != role.id) return {};
        const auto& parameters = network.event(EventId(role.id)).parameters;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
          if (parameters[i].symbol == symbol) return view.self->occurrence.arguments[i];
        }
        return {};
      }
      case RoleKind::At:
        if (view.position == kNoPosition) return {};
        return Value(view.state->locations[view.position] == LocationId(role.id));
      case RoleKind::AtNext:
        if (view.position == kNoPosition) return {};
        return Value(next_location(view.position) == LocationId(role.id));
      case RoleKind::RemoteCurrent: {
        const std::size_t p = remote(network.variable(VariableId(role.id)).machine, arguments);
        if (p == kNoPosition) return {};
        return current(p, VariableId(role.id));
      }
      case RoleKind::RemoteNext: {
        const std::size_t p = remote(network.variable(VariableId(role.id)).machine, arguments);
        if (p == kNoPosition) return {};
        return next(p, VariableId(role.id));
      }
      case RoleKind::RemoteAt: {
        const std::size_t p = remote(network.location(LocationId(role.id)).machine, arguments);
        return Value(p != kNoPosition && view.state->locations[p] == LocationId(role.id));
      }
      case RoleKind::RemoteAtNext: {
        const std::size_t p = remote(network.location(LocationId(role.id)).machine, arguments);
        return Value(p != kNoPosition && next_location(p) == LocationId(role.id));
      }
      case RoleKind::Known:
        return Value(remote(MachineId(role.id), arguments) != kNoPosition);
      case RoleKind::InstanceCurrent:
        if (!layout.contains(role.instance)) return {};
        return current(layout.position(role.instance), VariableId(role.id));
      case RoleKind::InstanceAt:
        if (!layout.contains(role.instance)) return {};
        return Value(view.state->locations[layout.position(role.instance)] == LocationId(role.id));
      case RoleKind::None:
      case RoleKind::Bound:
        return {};
    }
    return {};
  }

  std::optional<Value> current(std::size_t position, VariableId variable) const {
    if (position == kNoPosition && network.variable(variable).machine.valid()) return {};
    return view.state->values[layout.slot_at(position, variable)];
  }

  std::optional<Value> next(std::size_t position, VariableId variable) const {
    if (position == kNoPosition && network.variable(variable).machine.valid()) return {};
    const std::size_t slot = layout.slot_at(position, variable);
    if (view.trial != nullptr) {
      if (const Value* value = view.trial->next.find(slot)) return *value;
    }
    return view.state->values[slot];
  }

  [[nodiscard]] LocationId next_location(std::size_t position) const {
    if (view.trial != nullptr) {
      if (const std::uint32_t* i = view.trial->at_position.find(position)) {
        return view.trial->participants[*i].target;
      }
    }
    return view.state->locations[position];
  }

  [[nodiscard]] std::size_t remote(MachineId machine, std::span<const Value> arguments) const {
    const InstanceId found =
        network.find_instance(universe, machine, arguments.empty() ? Value() : arguments.front());
    return found.valid() ? layout.position(found) : kNoPosition;
  }

  // ----- evaluating in the eyes of a participant

  Expected<Value, Undefined> value(Expr e) {
    // The common leaves need no evaluator.
    const ExprPool& pool = network.pool();
    if (pool.is_const(e)) return pool.value(e);
    return evaluator(e, lookup);
  }

  bool fail(Refusal::Kind kind, const Participant& p, Span origin, Expr condition,
            std::string detail) {
    failure = {kind,      p.occurrence.instance, p.occurrence.event, origin,
               condition, std::move(detail)};
    return false;
  }

  // Does the condition hold? If not, the failure says why.
  bool demand(Expr condition, Refusal::Kind kind, Span origin, const Participant& p) {
    auto result = value(condition);
    if (!result) {
      return fail(Refusal::Kind::Undefined, p, origin, result.error().term, result.error().reason);
    }
    if (!result->as_bool()) return fail(kind, p, origin, condition, {});
    return true;
  }

  EventFacts& facts_of(EventId id) {
    EventFacts& f = facts[id.index()];
    if (f.ready) return f;
    f.ready = true;
    const Event& event = network.event(id);
    f.arcs = event.arcs;
    auto less = [](const Arc& a, const Arc& b) {
      return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    };
    auto same = [](const Arc& a, const Arc& b) { return a.from == b.from && a.to == b.to; };
    std::sort(f.arcs.begin(), f.arcs.end(), less);
    f.arcs.erase(std::unique(f.arcs.begin(), f.arcs.end(), same), f.arcs.end());
    f.equations = equations_of(network, id);
    for (const Effect& effect : event.effects) {
      if (effect.kind != EffectKind::Relation) continue;
      for (SymbolId symbol : symbols(network.pool(), effect.expr)) {
        const Role role = network.role(symbol);
        if (role.kind == RoleKind::Next || role.kind == RoleKind::RemoteNext) {
          f.next_mentions.push_back(VariableId(role.id));
        }
        if (role.kind == RoleKind::AtNext || role.kind == RoleKind::RemoteAtNext) {
          f.next_location = true;
        }
      }
    }
    return f;
  }

  // ----- first phase

  Participant& new_participant(Trial& trial, Occurrence occurrence) {
    if (trial.count == trial.participants.size()) trial.participants.emplace_back();
    Participant& p = trial.participants[trial.count++];
    p.occurrence = std::move(occurrence);
    p.targets.clear();
    p.target = {};
    p.position = layout.position(p.occurrence.instance);
    return p;
  }

  bool collect(Trial& trial, const State& state, Occurrence root) {
    trial.count = 0;
    trial.at_position.reset(layout.instance_count());
    trial.pending.clear();
    trial.pending.push_back(std::move(root));
    while (!trial.pending.empty()) {
      Occurrence occurrence = std::move(trial.pending.back());
      trial.pending.pop_back();
      const std::size_t position = layout.position(occurrence.instance);
      if (const std::uint32_t* i = trial.at_position.find(position)) {
        const Occurrence& before = trial.participants[*i].occurrence;
        if (before.event == occurrence.event && before.arguments == occurrence.arguments) continue;
        const Participant& p = trial.participants[*i];
        return fail(Refusal::Kind::Conflict, p, network.event(occurrence.event).origin, {},
                    conflict_text(before, occurrence));
      }
      trial.at_position.put(position, static_cast<std::uint32_t>(trial.count));
      const std::size_t index = trial.count;
      new_participant(trial, std::move(occurrence));
      if (!admit(trial, state, index)) return false;
    }
    return true;
  }

  // Life cycle, guards and synchronisations of one participant.
  bool admit(Trial& trial, const State& state, std::size_t index) {
    Participant& p = trial.participants[index];
    const EventId id = p.occurrence.event;
    const Event& event = network.event(id);
    const EventFacts& f = facts_of(id);
    const LocationId here = state.locations[p.position];
    auto arc = std::lower_bound(f.arcs.begin(), f.arcs.end(), here,
                                [](const Arc& a, LocationId l) { return a.from < l; });
    for (; arc != f.arcs.end() && arc->from == here; ++arc) p.targets.push_back(arc->to);
    if (p.targets.empty()) {
      return fail(Refusal::Kind::Location, p, event.origin, {}, network.location(here).name);
    }
    view = {&state, &p, p.position, nullptr};
    for (const Guard& guard : event.guards) {
      if (!demand(guard.condition, Refusal::Kind::Guard, guard.origin, p)) return false;
    }
    if (event.syncs.empty()) return true;
    const std::size_t first = trial.pending.size();
    for (const Sync& sync : event.syncs) {
      view = {&state, &trial.participants[index], trial.participants[index].position, nullptr};
      auto partner = partner_of(sync, trial.participants[index]);
      if (!partner) return false;
      if (!sync.negated) {
        trial.pending.push_back(std::move(*partner));
        continue;
      }
      Trial& inner = nested_trial();
      const bool possible = exists(inner, state, *partner);
      --depth;
      if (possible) {
        return fail(Refusal::Kind::Sync, trial.participants[index], sync.origin, {},
                    "demands that " +
                        describe(partner->instance, partner->event, partner->arguments) +
                        " is not possible, but it is");
      }
    }
    std::reverse(trial.pending.begin() + static_cast<std::ptrdiff_t>(first), trial.pending.end());
    return true;
  }

  // Who is called, and how; requires: the view is the caller's.
  std::optional<Occurrence> partner_of(const Sync& sync, const Participant& caller) {
    Value key;
    if (sync.key.valid()) {
      auto found = value(sync.key);
      if (!found) {
        fail(Refusal::Kind::Undefined, caller, sync.origin, found.error().term,
             found.error().reason);
        return std::nullopt;
      }
      key = std::move(*found);
    }
    const InstanceId instance = network.find_instance(universe, sync.machine, key);
    if (!instance.valid()) {
      std::string name = network.machine(sync.machine).name;
      if (sync.key.valid()) {
        name += "[" + to_string(network.pool(), key, network.pool().type(sync.key)) + "]";
      }
      fail(Refusal::Kind::Sync, caller, sync.origin, {},
           "synchronises with " + name + ", which does not exist");
      return std::nullopt;
    }
    Occurrence partner{instance, sync.event, {}, caller.occurrence.depth + 1};
    partner.arguments.reserve(sync.arguments.size());
    for (Expr argument : sync.arguments) {
      auto found = value(argument);
      if (!found) {
        fail(Refusal::Kind::Undefined, caller, sync.origin, found.error().term,
             found.error().reason);
        return std::nullopt;
      }
      partner.arguments.push_back(std::move(*found));
    }
    return partner;
  }

  Trial& nested_trial() {
    if (depth + 1 > kMaxNegations) {
      throw ResourceError("more than " + std::to_string(kMaxNegations) +
                          " negated synchronisations inside each other");
    }
    ++depth;
    while (trials.size() <= depth) trials.emplace_back();
    return trials[depth];
  }

  // ----- second phase

  // Next values that assignments give; which slots stay open.
  bool assign(Trial& trial, const State& state) {
    trial.next.reset(layout.value_count());
    trial.open.reset(layout.value_count());
    trial.written.clear();
    trial.open_slots.clear();
    for (std::size_t i = 0; i < trial.count; ++i) {
      const Participant& p = trial.participants[i];
      view = {&state, &p, p.position, nullptr};
      for (const Effect& effect : network.event(p.occurrence.event).effects) {
        if (effect.kind == EffectKind::Assign) {
          auto result = value(effect.expr);
          if (!result) {
            return fail(Refusal::Kind::Undefined, p, effect.origin, result.error().term,
                        result.error().reason);
          }
          const std::size_t slot = layout.slot_at(p.position, effect.writes.front());
          if (!write(trial, slot, std::move(*result))) {
            return fail(Refusal::Kind::Assignment, p, effect.origin, {}, name_of(slot));
          }
          continue;
        }
        for (VariableId v : effect.writes) {
          const std::size_t slot = layout.slot_at(p.position, v);
          if (trial.open.find(slot) != nullptr) continue;
          trial.open.put(slot, 1);
          trial.open_slots.push_back(static_cast<std::uint32_t>(slot));
        }
      }
    }
    return true;
  }

  static bool write(Trial& trial, std::size_t slot, Value value) {
    if (const Value* before = trial.next.find(slot)) return *before == value;
    trial.next.put(slot, std::move(value));
    trial.written.push_back(static_cast<std::uint32_t>(slot));
    return true;
  }

  // Next values that follow from equations `x' == e`, as far as they go.
  void solve_equations(Trial& trial, const State& state) {
    if (trial.open_slots.empty()) return;
    for (bool progress = true; progress;) {
      progress = false;
      for (std::size_t i = 0; i < trial.count; ++i) {
        const Participant& p = trial.participants[i];
        const EventFacts& f = facts_of(p.occurrence.event);
        for (const Equation& equation : f.equations) {
          const std::size_t slot = layout.slot_at(p.position, equation.variable);
          if (trial.next.find(slot) != nullptr || trial.open.find(slot) == nullptr) continue;
          if (!known_next(trial, p, equation)) continue;
          view = {&state, &p, p.position, &trial};
          auto result = value(equation.value);
          // Without a value the relation itself has none, and refuses the step later.
          if (!result) continue;
          write(trial, slot, std::move(*result));
          progress = true;
        }
      }
    }
  }

  bool known_next(const Trial& trial, const Participant& p, const Equation& equation) const {
    if (equation.looks_elsewhere) return false;
    return std::all_of(equation.needs.begin(), equation.needs.end(), [&](VariableId v) {
      const std::size_t slot = layout.slot_at(p.position, v);
      return trial.next.find(slot) != nullptr || trial.open.find(slot) == nullptr;
    });
  }

  // requires: targets are set and every slot that changes has its next value.
  bool check_relations(Trial& trial, const State& state) {
    for (std::size_t i = 0; i < trial.count; ++i) {
      const Participant& p = trial.participants[i];
      view = {&state, &p, p.position, &trial};
      for (const Effect& effect : network.event(p.occurrence.event).effects) {
        if (effect.kind != EffectKind::Relation) continue;
        if (!demand(effect.expr, Refusal::Kind::Relation, effect.origin, p)) return false;
      }
    }
    return true;
  }

  // ----- a step as it is given

  bool choose_targets(Trial& trial, const TraceStep& step) {
    for (std::size_t i = 0; i < trial.count; ++i) {
      Participant& p = trial.participants[i];
      auto given = std::find_if(step.targets.begin(), step.targets.end(),
                                [&](const auto& t) { return t.first == p.occurrence.instance; });
      if (given == step.targets.end()) {
        if (p.targets.size() > 1) {
          return fail(Refusal::Kind::Malformed, p, network.event(p.occurrence.event).origin, {},
                      "could lead to several locations, and the step does not say to which");
        }
        p.target = p.targets.front();
        continue;
      }
      p.target = given->second;
      if (!std::binary_search(p.targets.begin(), p.targets.end(), p.target)) {
        return fail(Refusal::Kind::Location, p, network.event(p.occurrence.event).origin, {}, {});
      }
    }
    return true;
  }

  bool choose_values(Trial& trial, const TraceStep& step) {
    const Participant& root = trial.participants.front();
    for (const auto& [slot, chosen] : step.chosen) {
      if (slot >= layout.value_count() ||
          !network.pool().has_type(chosen, network.variable(layout.at(slot).second).type)) {
        return fail(Refusal::Kind::Malformed, root, {}, {},
                    "a value is chosen that has no place in the state");
      }
      if (trial.open.find(slot) == nullptr && trial.next.find(slot) == nullptr) {
        return fail(Refusal::Kind::Malformed, root, {}, {},
                    "a value is chosen for " + name_of(slot) + ", which no effect leaves open");
      }
      if (!write(trial, slot, chosen)) {
        return fail(Refusal::Kind::Assignment, root, {}, {}, name_of(slot));
      }
    }
    return true;
  }

  bool advance(State& state, const TraceStep& step) {
    WHITTLE_REQUIRE(state.values.size() == layout.value_count() &&
                        state.locations.size() == layout.instance_count(),
                    "a state of this universe");
    depth = 0;
    Trial& trial = trials.front();
    if (!plausible(step)) return false;
    if (!collect(trial, state, {step.instance, step.event, step.arguments, 0})) return false;
    if (!choose_targets(trial, step) || !assign(trial, state)) return false;
    if (!choose_values(trial, step)) return false;
    solve_equations(trial, state);
    if (!check_relations(trial, state)) return false;
    commit(trial, state);
    return true;
  }

  // Ids and types that a well-formed step has.
  bool plausible(const TraceStep& step) {
    Participant nobody;
    nobody.occurrence.instance = step.instance;
    nobody.occurrence.event = step.event;
    auto malformed = [&](std::string detail) {
      return fail(Refusal::Kind::Malformed, nobody, {}, {}, std::move(detail));
    };
    if (!layout.contains(step.instance)) {
      nobody.occurrence.instance = {};
      return malformed("the instance is not part of the universe");
    }
    if (!step.event.valid() || step.event.index() >= network.events().size() ||
        network.event(step.event).machine != network.instance(step.instance).machine) {
      nobody.occurrence.event = {};
      return malformed("it has no such event");
    }
    const Event& event = network.event(step.event);
    if (!event.root) return malformed("happens only when another event synchronises with it");
    if (event.parameters.size() != step.arguments.size()) {
      return malformed("takes " + std::to_string(event.parameters.size()) + " arguments, not " +
                       std::to_string(step.arguments.size()));
    }
    for (std::size_t i = 0; i < step.arguments.size(); ++i) {
      if (!network.pool().has_type(step.arguments[i], event.parameters[i].type)) {
        return malformed("the argument " + event.parameters[i].name + " is no " +
                         network.pool().to_string(event.parameters[i].type));
      }
    }
    return true;
  }

  void commit(Trial& trial, State& state) {
    changed.clear();
    moved.clear();
    for (std::uint32_t slot : trial.written) {
      const Value& after = *trial.next.find(slot);
      if (state.values[slot] == after) continue;
      state.values[slot] = after;
      changed.push_back(slot);
    }
    for (std::size_t i = 0; i < trial.count; ++i) {
      const Participant& p = trial.participants[i];
      if (state.locations[p.position] == p.target) continue;
      state.locations[p.position] = p.target;
      moved.push_back(static_cast<std::uint32_t>(p.position));
    }
    std::sort(changed.begin(), changed.end());
    std::sort(moved.begin(), moved.end());
  }

  // ----- all steps of one event

  // What is left to choose: a target among several, or a value for an open slot.
  struct Choice {
    std::size_t participant = SIZE_MAX;
    std::uint32_t slot = 0;
    std::vector<Value> values;
    [[nodiscard]] std::size_t size(const Trial& trial) const {
      return participant == SIZE_MAX ? values.size()
                                     : trial.participants[participant].targets.size();
    }
  };

  // `all`: every choice matters; otherwise only those on which it depends whether there is a step.
  std::vector<Choice> choices_of(Trial& trial, bool all) {
    std::vector<Choice> choices;
    bool by_location = all;
    std::vector<VariableId> mentioned;
    for (std::size_t i = 0; i < trial.count; ++i) {
      const EventFacts& f = facts_of(trial.participants[i].occurrence.event);
      by_location = by_location || f.next_location;
      if (!all) mentioned.insert(mentioned.end(), f.next_mentions.begin(), f.next_mentions.end());
    }
    for (std::size_t i = 0; i < trial.count; ++i) {
      Participant& p = trial.participants[i];
      p.target = p.targets.front();
      if (by_location && p.targets.size() > 1) choices.push_back({i, 0, {}});
    }
    // A slot is foreseen once it has a value or an equation gives it one from foreseen values.
    std::unordered_set<std::uint32_t> foreseen;
    for (std::uint32_t slot : trial.open_slots) {
      if (trial.next.find(slot) != nullptr || foreseen.contains(slot)) continue;
      const VariableId v = layout.at(slot).second;
      if (!all && std::find(mentioned.begin(), mentioned.end(), v) == mentioned.end()) continue;
      const Variable& variable = network.variable(v);
      auto values = candidates(variable.type, variable.next);
      if (!values) {
        throw ResourceError("whether " + event_name(trial.participants.front().occurrence) +
                            " is possible depends on the next value of " + name_of(slot) +
                            ", which has too many values to try");
      }
      choices.push_back({SIZE_MAX, slot, std::move(*values)});
      foreseen.insert(slot);
      foresee(trial, foreseen);
    }
    return choices;
  }

  void foresee(const Trial& trial, std::unordered_set<std::uint32_t>& foreseen) {
    auto known = [&](std::size_t slot) {
      return trial.next.find(slot) != nullptr || trial.open.find(slot) == nullptr ||
             foreseen.contains(static_cast<std::uint32_t>(slot));
    };
    for (bool progress = true; progress;) {
      progress = false;
      for (std::size_t i = 0; i < trial.count; ++i) {
        const Participant& p = trial.participants[i];
        for (const Equation& equation : facts_of(p.occurrence.event).equations) {
          const std::size_t slot = layout.slot_at(p.position, equation.variable);
          if (known(slot) || equation.looks_elsewhere) continue;
          const bool follows =
              std::all_of(equation.needs.begin(), equation.needs.end(),
                          [&](VariableId v) { return known(layout.slot_at(p.position, v)); });
          if (!follows) continue;
          foreseen.insert(static_cast<std::uint32_t>(slot));
          progress = true;
        }
      }
    }
  }

  // Runs through the product of the choices; `visit` gets each combination that is a step.
  template <class Visit>
  bool explore(Trial& trial, const State& state, bool all, Visit&& visit) {
    if (!assign(trial, state)) return false;
    solve_equations(trial, state);
    const std::size_t settled = trial.written.size();
    std::vector<Choice> choices = choices_of(trial, all);
    std::size_t product = 1;
    for (const Choice& c : choices) {
      product *= c.size(trial);
      if (product == 0) return fail_without_candidates(trial);
      if (product > kMaxChoices) throw ResourceError("too many choices in one step to try all");
    }
    bool any = false;
    std::vector<std::size_t> digits(choices.size(), 0);
    for (std::size_t n = 0; n < product; ++n) {
      while (trial.written.size() > settled) {
        trial.next.erase(trial.written.back());
        trial.written.pop_back();
      }
      for (std::size_t k = 0; k < choices.size(); ++k) {
        const Choice& c = choices[k];
        if (c.participant == SIZE_MAX) {
          write(trial, c.slot, c.values[digits[k]]);
        } else {
          Participant& p = trial.participants[c.participant];
          p.target = p.targets[digits[k]];
        }
      }
      solve_equations(trial, state);
      if (check_relations(trial, state)) {
        any = true;
        if (!visit(choices)) return true;
      }
      for (std::size_t k = 0; k < digits.size() && ++digits[k] == choices[k].size(trial); ++k) {
        digits[k] = 0;
      }
    }
    return any;
  }

  bool fail_without_candidates(const Trial& trial) {
    return fail(Refusal::Kind::Relation, trial.participants.front(), {}, {}, {});
  }

  bool exists(Trial& trial, const State& state, Occurrence root) {
    return collect(trial, state, std::move(root)) &&
           explore(trial, state, false, [](const auto&) { return false; });
  }

  // ----- words

  [[nodiscard]] std::string name_of(std::size_t slot) const {
    const auto [instance, variable] = layout.at(slot);
    const std::string& name = network.variable(variable).name;
    return instance.valid() ? network.instance(instance).name + "." + name : name;
  }

  [[nodiscard]] std::string event_name(const Occurrence& o) const {
    std::string text;
    if (o.instance.valid()) text = network.instance(o.instance).name;
    if (o.event.valid()) text += (text.empty() ? "" : ".") + network.event(o.event).name;
    return text;
  }

  [[nodiscard]] std::string describe(InstanceId instance, EventId event,
                                     const std::vector<Value>& arguments) const {
    std::string text = network.instance(instance).name + "." + network.event(event).name + "(";
    if (network.notation != nullptr) {
      bool first = true;
      for (const Shown& shown : network.notation->arguments(network, event, arguments)) {
        text += (first ? "" : ", ") + shown.value;
        first = false;
      }
      return text + ")";
    }
    const auto& parameters = network.event(event).parameters;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      text += (i == 0 ? "" : ", ") + to_string(network.pool(), arguments[i], parameters[i].type);
    }
    return text + ")";
  }

  [[nodiscard]] std::string conflict_text(const Occurrence& a, const Occurrence& b) const {
    return "would take part twice, as " + describe(a.instance, a.event, a.arguments) + " and " +
           describe(b.instance, b.event, b.arguments);
  }

  [[nodiscard]] std::string text_of(Expr condition) const {
    if (network.notation != nullptr) return network.notation->condition(network, condition);
    return to_string(network.pool(), condition);
  }

  [[nodiscard]] std::string message(const Failure& f) const {
    Occurrence who;
    who.instance = f.instance;
    who.event = f.event;
    const std::string name = event_name(who);
    switch (f.kind) {
      case Refusal::Kind::Location:
        return f.detail.empty() ? name + " does not lead there from here"
                                : name + " cannot happen at " + f.detail;
      case Refusal::Kind::Guard:
        return name + ": " + text_of(f.condition) + " does not hold";
      case Refusal::Kind::Relation:
        if (!f.condition.valid()) return name + ": no next state was found";
        return name + ": " + text_of(f.condition) + " does not hold between before and after";
      case Refusal::Kind::Assignment:
        return name + ": " + f.detail + " would get two values";
      case Refusal::Kind::Sync:
        return name + " " + f.detail;
      case Refusal::Kind::Conflict:
        return network.instance(f.instance).name + " " + f.detail;
      case Refusal::Kind::Undefined:
        return name + ": " + text_of(f.condition) + " has no value (" + f.detail + ")";
      case Refusal::Kind::Malformed:
        return name.empty() ? f.detail : name + ": " + f.detail;
    }
    return name;
  }

  // ----- the first state

  std::optional<std::string> initial_problem(const State& state) {
    if (state.values.size() != layout.value_count() ||
        state.locations.size() != layout.instance_count()) {
      return "the state does not fit the universe";
    }
    for (std::size_t slot = 0; slot < state.values.size(); ++slot) {
      const Variable& variable = network.variable(layout.at(slot).second);
      if (!network.pool().has_type(state.values[slot], variable.type)) {
        return name_of(slot) + " is no " + network.pool().to_string(variable.type);
      }
      if (!variable.initial.valid()) continue;
      const InstanceId owner = layout.at(slot).first;
      view = {&state, nullptr, owner.valid() ? layout.position(owner) : kNoPosition, nullptr};
      auto wanted = value(variable.initial);
      if (!wanted) return "the initial value of " + name_of(slot) + " is undefined";
      if (*wanted != state.values[slot]) {
        return name_of(slot) + " does not have its initial value " +
               to_string(network.pool(), *wanted, variable.type);
      }
    }
    for (std::size_t p = 0; p < state.locations.size(); ++p) {
      if (auto problem = start_problem(state, p)) return problem;
    }
    for (Expr condition : network.universe(universe).init) {
      view = {&state, nullptr, kNoPosition, nullptr};
      auto holds = value(condition);
      if (!holds || !holds->as_bool()) {
        return "the first state does not satisfy " + text_of(condition);
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> start_problem(const State& state, std::size_t position) {
    const Instance& instance = network.instance(layout.instance(position));
    const Machine& machine = network.machine(instance.machine);
    if (machine.key.valid() &&
        state.values[layout.slot_at(position, machine.key)] != instance.key) {
      return instance.name + " does not have its key";
    }
    view = {&state, nullptr, position, nullptr};
    for (const Start& start : machine.starts) {
      if (start.location != state.locations[position]) continue;
      if (!start.condition.valid()) return std::nullopt;
      auto holds = value(start.condition);
      if (holds && holds->as_bool()) return std::nullopt;
    }
    return instance.name + " is at no start: " + location_name(state.locations[position]);
  }

  [[nodiscard]] std::string location_name(LocationId id) const {
    return id.valid() && id.index() < network.locations().size() ? network.location(id).name
                                                                 : "nowhere";
  }

  const Network& network;
  UniverseId universe;
  StateLayout layout;
  Evaluator evaluator;
  Evaluator::Lookup lookup;
  Candidates candidates;
  std::vector<EventFacts> facts;  // by event
  std::deque<Trial> trials{1};    // by depth of negated synchronisations
  std::size_t depth = 0;
  View view;
  Failure failure;
  std::vector<Occurrence> occurrences;
  std::vector<std::uint32_t> changed;
  std::vector<std::uint32_t> moved;
};

Stepper::Stepper(const Network& network, UniverseId universe)
    : impl_(std::make_unique<Impl>(network, universe)) {}
Stepper::~Stepper() = default;

const Network& Stepper::network() const { return impl_->network; }
const StateLayout& Stepper::layout() const { return impl_->layout; }
void Stepper::set_candidates(Candidates candidates) { impl_->candidates = std::move(candidates); }

bool Stepper::advance(State& state, const TraceStep& step) { return impl_->advance(state, step); }

const std::vector<Occurrence>& Stepper::occurrences() const {
  const Trial& trial = impl_->trials.front();
  impl_->occurrences.clear();
  for (std::size_t i = 0; i < trial.count; ++i) {
    impl_->occurrences.push_back(trial.participants[i].occurrence);
  }
  return impl_->occurrences;
}

const std::vector<std::uint32_t>& Stepper::changed_slots() const { return impl_->changed; }
const std::vector<std::uint32_t>& Stepper::moved() const { return impl_->moved; }

Refusal Stepper::refusal() const {
  const Failure& f = impl_->failure;
  return {f.kind, f.instance, f.event, f.origin, f.condition, impl_->message(f)};
}

bool Stepper::enabled(const State& state, InstanceId instance, EventId event,
                      const std::vector<Value>& arguments) {
  impl_->depth = 0;
  return impl_->exists(impl_->trials.front(), state, {instance, event, arguments, 0});
}

bool Stepper::each_step(const State& state, InstanceId instance, EventId event,
                        const std::vector<Value>& arguments,
                        const std::function<bool(const TraceStep&, const State&)>& visit) {
  impl_->depth = 0;
  Trial& trial = impl_->trials.front();
  if (!impl_->collect(trial, state, {instance, event, arguments, 0})) return false;
  return impl_->explore(trial, state, true, [&](const std::vector<Impl::Choice>& choices) {
    TraceStep step;
    step.instance = instance;
    step.event = event;
    step.arguments = arguments;
    for (const Impl::Choice& c : choices) {
      if (c.participant == SIZE_MAX) {
        step.chosen.emplace_back(c.slot, *trial.next.find(c.slot));
      } else {
        const Participant& p = trial.participants[c.participant];
        step.targets.emplace_back(p.occurrence.instance, p.target);
      }
    }
    State after = state;
    impl_->commit(trial, after);
    return visit(step, after);
  });
}

Expected<Value, Undefined> Stepper::evaluate(Expr condition, const State& state) {
  impl_->view = {&state, nullptr, kNoPosition, nullptr};
  return impl_->value(condition);
}

std::optional<std::string> Stepper::initial_problem(const State& state) {
  return impl_->initial_problem(state);
}

}  // namespace whittle

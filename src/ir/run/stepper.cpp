// SPDX-License-Identifier: Apache-2.0
// The meaning of one step (network.h), in two phases. `collect` finds all participants:
// the root, and depth first whom it synchronises with; it evaluates life cycles, guards, keys and
// arguments, all in the state before. `settle` makes the state after, once it is known what the
// model leaves open: assignments first, then values that a relation fixes by an equation
// `x' == e`, then what was chosen; last it evaluates every relation.
//
// What is not possible is left to the caller as a Failure, cheap to make; only refusal() turns it
// into words.
#include "ir/run/stepper.h"

#include <algorithm>
#include <deque>
#include <unordered_set>

#include "base/error.h"
#include "expr/print.h"
#include "expr/traverse.h"
#include "ir/run/stepping.h"

namespace whittle {

using namespace stepping;

namespace {

constexpr std::size_t kMaxChoices = 1'000'000;
constexpr std::size_t kMaxNegations = 1'000;

}  // namespace

struct Stepper::Impl : StateEvaluator {
  Impl(const Network& n, UniverseId u)
      : StateEvaluator(n, u),
        candidates(finite_candidates(n.pool())),
        summaries(n.events().size()) {}

  using StateEvaluator::layout;
  using StateEvaluator::network;

  // ----- refusing

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

  EventSummary& summary_of(EventId id) {
    EventSummary& f = summaries[id.index()];
    if (!f.ready) f = event_summary(network, id);
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
                    "would take part twice, as " + described(network, before) + " and " +
                        described(network, occurrence));
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
    const EventSummary& f = summary_of(id);
    const LocationId here = state.locations[p.position];
    auto arc = std::lower_bound(f.arcs.begin(), f.arcs.end(), here,
                                [](const Arc& a, LocationId l) { return a.from < l; });
    for (; arc != f.arcs.end() && arc->from == here; ++arc) p.targets.push_back(arc->to);
    if (p.targets.empty()) {
      return fail(Refusal::Kind::Location, p, event.origin, {}, network.location(here).name);
    }
    set_context({&state, &p, p.position, nullptr});
    for (const Guard& guard : event.guards) {
      if (!demand(guard.condition, Refusal::Kind::Guard, guard.origin, p)) return false;
    }
    if (event.syncs.empty()) return true;
    const std::size_t first = trial.pending.size();
    for (const Sync& sync : event.syncs) {
      set_context(
          {&state, &trial.participants[index], trial.participants[index].position, nullptr});
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
                    "demands that " + described(network, *partner) + " is not possible, but it is");
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
      set_context({&state, &p, p.position, nullptr});
      for (const Effect& effect : network.event(p.occurrence.event).effects) {
        if (effect.kind == EffectKind::Assign) {
          auto result = value(effect.expr);
          if (!result) {
            return fail(Refusal::Kind::Undefined, p, effect.origin, result.error().term,
                        result.error().reason);
          }
          const std::size_t slot = layout.slot_at(p.position, effect.writes.front());
          if (!write(trial, slot, std::move(*result))) {
            return fail(Refusal::Kind::Assignment, p, effect.origin, {},
                        slot_name(network, layout, slot));
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
        const EventSummary& f = summary_of(p.occurrence.event);
        for (const Equation& equation : f.equations) {
          const std::size_t slot = layout.slot_at(p.position, equation.variable);
          if (trial.next.find(slot) != nullptr || trial.open.find(slot) == nullptr) continue;
          set_context({&state, &p, p.position, &trial});
          auto result = value(equation.value);
          // It has none where it looks at a next value that is still open, and where it is
          // undefined; then the relation refuses the step later.
          if (!result) continue;
          write(trial, slot, std::move(*result));
          progress = true;
        }
      }
    }
  }

  // What is open and restricted by nothing keeps its value.
  static void keep_rest(Trial& trial, const State& state) {
    for (std::uint32_t slot : trial.open_slots) {
      if (trial.next.find(slot) == nullptr) write(trial, slot, state.values[slot]);
    }
  }

  // requires: targets are set and every slot that changes has its next value.
  bool check_relations(Trial& trial, const State& state) {
    for (std::size_t i = 0; i < trial.count; ++i) {
      const Participant& p = trial.participants[i];
      set_context({&state, &p, p.position, &trial});
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
                    "a value is chosen for " + slot_name(network, layout, slot) +
                        ", which no effect leaves open");
      }
      if (!write(trial, slot, normalized(chosen, slot))) {
        return fail(Refusal::Kind::Assignment, root, {}, {}, slot_name(network, layout, slot));
      }
    }
    return true;
  }

  [[nodiscard]] Value normalized(const Value& value, std::size_t slot) const {
    if (!value.is_array()) return value;
    return network.pool().normalized(value, network.variable(layout.at(slot).second).type);
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
    keep_rest(trial, state);
    if (!check_relations(trial, state)) return false;
    commit(trial, state);
    return true;
  }

  // Ids and types that a well-formed step has.
  bool plausible(const TraceStep& step) {
    Participant no_participant;
    no_participant.occurrence.instance = step.instance;
    no_participant.occurrence.event = step.event;
    auto malformed = [&](std::string detail) {
      return fail(Refusal::Kind::Malformed, no_participant, {}, {}, std::move(detail));
    };
    if (!layout.contains(step.instance)) {
      no_participant.occurrence.instance = {};
      return malformed("the instance is not part of the universe");
    }
    if (!step.event.valid() || step.event.index() >= network.events().size() ||
        network.event(step.event).machine != network.instance(step.instance).machine) {
      no_participant.occurrence.event = {};
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
  [[nodiscard]] std::string root_name(const Trial& trial) const {
    const Occurrence& root = trial.participants.front().occurrence;
    return event_name(network, root.instance, root.event);
  }

  std::vector<Choice> choices_of(Trial& trial, bool all) {
    std::vector<Choice> choices;
    bool by_location = all;
    std::vector<VariableId> mentioned;
    for (std::size_t i = 0; i < trial.count; ++i) {
      const EventSummary& f = summary_of(trial.participants[i].occurrence.event);
      by_location = by_location || f.next_location;
      if (!all) mentioned.insert(mentioned.end(), f.next_mentions.begin(), f.next_mentions.end());
    }
    for (std::size_t i = 0; i < trial.count; ++i) {
      Participant& p = trial.participants[i];
      p.target = p.targets.front();
      if (by_location && p.targets.size() > 1) choices.push_back({i, 0, {}});
    }
    // A slot is foreseen once it has a value or an equation gives it one from foreseen values.
    // An equation that has no value now never gets one, and then its relation refuses the step.
    std::unordered_set<std::uint32_t> foreseen;
    if (!trial.open_slots.empty()) foresee(trial, foreseen);
    for (std::uint32_t slot : trial.open_slots) {
      if (trial.next.find(slot) != nullptr || foreseen.contains(slot)) continue;
      const VariableId v = layout.at(slot).second;
      if (!all && std::find(mentioned.begin(), mentioned.end(), v) == mentioned.end()) continue;
      const Variable& variable = network.variable(v);
      auto values = candidates(variable.type, variable.next);
      if (!values) {
        throw ResourceError(
            "whether " + root_name(trial) + " is possible depends on the next value of " +
            slot_name(network, layout, slot) + ", which has too many values to try");
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
        for (const Equation& equation : summary_of(p.occurrence.event).equations) {
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
      keep_rest(trial, state);
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

  Candidates candidates;
  std::vector<EventSummary> summaries;  // by event
  std::deque<Trial> trials{1};          // by depth of negated synchronisations
  std::size_t depth = 0;
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
  return {f.kind, f.instance, f.event, f.origin, f.condition, message(impl_->network, f)};
}

void Stepper::observe(Observations* into) { impl_->observe(into); }

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
  impl_->set_context({&state, nullptr, kNoPosition, nullptr});
  return impl_->value(condition);
}

std::optional<std::string> Stepper::initial_problem(const State& state) {
  return stepping::initial_problem(*impl_, impl_->network, impl_->layout, state);
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "driver/tests/walk.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/checkpoint.h"
#include "base/error.h"
#include "ir/notation.h"
#include "ir/property_kinds.h"
#include "ir/run/interpreter.h"

namespace whittle::tests {

namespace {

constexpr std::size_t kMostContinued = 10'000;  // that a run is taken on

// The steps that are possible in a state of a program without anything from outside; or that one
// would need something.
struct Next {
  std::vector<TraceStep> steps;
  bool asks = false;
};

// A value for what the text leaves open and no test can choose.
std::vector<Value> open_arguments(const Network& network, const Event& event) {
  std::vector<Value> values;
  for (const Parameter& parameter : event.parameters)
    values.push_back(network.pool().default_value(parameter.type));
  return values;
}

bool asks_outside(const Network& network, const Event& event) {
  const auto* outside = dynamic_cast<const CallsOutside*>(network.notation.get());
  return std::any_of(event.parameters.begin(), event.parameters.end(), [&](const Parameter& p) {
    return outside == nullptr || outside->from_outside(p);
  });
}

// Events that may begin a step, by the locations that they leave.
using Leaving = std::map<LocationId, std::set<EventId>>;
Leaving leaving_events(const Network& network) {
  Leaving result;
  for (std::size_t e = 0; e < network.events().size(); ++e)
    for (const auto& arc : network.events()[e].arcs)
      if (network.events()[e].root) result[arc.from].insert(EventId(e));
  return result;
}

Next next_steps(const Network& network, const Leaving& leaving, Stepper& stepper,
                const State& state) {
  Next next;
  for (std::size_t i = 0; i < stepper.layout().instance_count(); ++i) {
    const InstanceId instance = stepper.layout().instance(i);
    const auto here = leaving.find(state.locations[i]);
    if (here == leaving.end()) continue;
    for (const EventId id : here->second) {
      const Event& event = network.event(id);
      if (asks_outside(network, event)) {
        next.asks = true;
        continue;
      }
      State scratch = state;
      stepper.each_step(scratch, instance, id, open_arguments(network, event),
                        [&](const TraceStep& step, const State&) {
                          next.steps.push_back(step);
                          return next.steps.size() < 2;
                        });
    }
  }
  return next;
}

bool at_end(const Network& network, const State& state) {
  return std::all_of(state.locations.begin(), state.locations.end(), [&](LocationId location) {
    return network.location(location).final || network.location(location).error;
  });
}

bool at_error(const Network& network, const State& state) {
  return std::any_of(state.locations.begin(), state.locations.end(),
                     [&](LocationId location) { return network.location(location).error; });
}

}  // namespace

SuiteTest::End complete(const Network& network, Trace& trace) {
  using End = SuiteTest::End;
  const auto followed = follow(network, trace);
  WHITTLE_REQUIRE(followed, "the trace of a test is a run");
  State state = followed->final;
  if (!traits_of(network).programs) return End::Open;
  Stepper stepper(network, trace.universe);
  const Leaving leaving = leaving_events(network);
  for (std::size_t i = 0; i < kMostContinued; ++i) {
    checkpoint();
    if (at_error(network, state)) return End::Error;
    if (at_end(network, state)) return End::Final;
    const Next next = next_steps(network, leaving, stepper, state);
    if (next.asks) return End::Inputs;
    if (next.steps.empty()) return End::Assumption;
    if (next.steps.size() > 1) return End::Open;
    const bool taken = stepper.advance(state, next.steps.front());
    WHITTLE_REQUIRE(taken, "a step that is possible can be taken");
    trace.steps.push_back(next.steps.front());
  }
  return End::Long;
}

Trace without_probes(const Trace& trace, const Network& parsed) {
  Trace result = trace;
  std::erase_if(result.steps, [&](const TraceStep& step) {
    return step.event.index() >= parsed.events().size();
  });
  return result;
}

std::vector<Value> inputs_of(const Network& network, const Trace& trace) {
  std::vector<Value> result;
  const auto* outside = dynamic_cast<const CallsOutside*>(network.notation.get());
  if (outside == nullptr) return result;
  for (const TraceStep& step : trace.steps) {
    const auto& parameters = network.event(step.event).parameters;
    for (std::uint64_t n = 0; n < step.times; ++n) {
      checkpoint();
      for (std::size_t i = 0; i < parameters.size(); ++i)
        if (outside->from_outside(parameters[i])) result.push_back(step.arguments[i]);
    }
  }
  return result;
}

Coverage::Coverage(const Network& parsed, const Network& asking, UniverseId universe,
                   const std::vector<CoverageGoal>& goals)
    : parsed_(parsed),
      universe_(universe),
      goals_(goals),
      layout_(parsed, universe),
      state_(parsed, universe),
      probes_(asking, universe) {
  for (std::size_t i = 0; i < goals.size(); ++i) {
    for (const Way& arc : goals[i].arcs) by_arc_[arc].insert(i);
    for (const LocationId location : goals[i].locations) by_location_[location].insert(i);
    if (goals[i].property.valid()) by_property_.push_back(i);
    for (const Way& probe : goals[i].probes)
      by_probe_[asking.event(probe.event).arcs[0].from].emplace_back(probe, i);
  }
}

void Coverage::note_state(const State& state, std::set<std::size_t>& covered) {
  for (const LocationId location : state.locations)
    if (const auto found = by_location_.find(location); found != by_location_.end())
      covered.insert(found->second.begin(), found->second.end());
  for (const std::size_t goal : by_property_) {
    if (covered.contains(goal)) continue;
    const Property& property = parsed_.property(goals_[goal].property);
    const GoalKind kind = goal_of(property.kind);
    if (kind != GoalKind::ConditionHolds && kind != GoalKind::ConditionFails) continue;
    const auto value = state_.evaluate(property.condition(), state);
    const bool holds = value && value->as_bool();
    if (holds == (kind == GoalKind::ConditionHolds)) covered.insert(goal);
  }
}

void Coverage::note_step(const State& before, const TraceStep& step,
                         const std::vector<Occurrence>& occurrences, const State& after,
                         std::set<std::size_t>& covered) {
  for (const Occurrence& occurrence : occurrences) {
    const std::size_t at = layout_.position(occurrence.instance);
    const auto& arcs = parsed_.event(occurrence.event).arcs;
    for (std::uint32_t a = 0; a < arcs.size(); ++a) {
      if (arcs[a].from != before.locations[at] || arcs[a].to != after.locations[at]) continue;
      if (const auto found = by_arc_.find({occurrence.event, a}); found != by_arc_.end())
        covered.insert(found->second.begin(), found->second.end());
    }
  }
  if (by_probe_.empty() || !step.instance.valid()) return;
  // What is asked about the values of the step: with its arguments, where there are as many.
  const auto probes = by_probe_.find(before.locations[layout_.position(step.instance)]);
  if (probes == by_probe_.end()) return;
  for (const auto& [probe, goal] : probes->second) {
    const auto& parameters = probes_.network().event(probe.event).parameters;
    const auto& own = parsed_.event(step.event).parameters;
    const bool fits = std::equal(parameters.begin(), parameters.end(), own.begin(), own.end(),
                                 [](const Parameter& a, const Parameter& b) {
                                   return a.name == b.name && a.type == b.type;
                                 });
    if (!covered.contains(goal) && fits &&
        probes_.enabled(before, step.instance, probe.event, step.arguments))
      covered.insert(goal);
  }
}

std::set<std::size_t> Coverage::of(const Trace& trace, std::string* violates) {
  std::set<std::size_t> covered;
  note_state(trace.initial, covered);
  State before = trace.initial;
  const auto followed = follow(parsed_, trace, [&](const FollowedStep& step) {
    // Many repetitions lead back to where they begin: one of them covers what all do.
    note_step(before, step.step, step.occurrences, step.after, covered);
    note_state(step.after, covered);
    before = step.after;
  });
  WHITTLE_REQUIRE(followed, "the trace of a test is a run");
  if (violates == nullptr) return covered;
  for (std::size_t p = 0; p < parsed_.properties().size(); ++p) {
    const Property& property = parsed_.properties()[p];
    if (goal_of(property.kind) != GoalKind::ConditionFails || property.universe != universe_)
      continue;
    const auto value = state_.evaluate(property.condition(), followed->final);
    if (value && !value->as_bool()) *violates = property.name;
    if (!violates->empty()) break;
  }
  return covered;
}

}  // namespace whittle::tests

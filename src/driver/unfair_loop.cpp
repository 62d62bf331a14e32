// SPDX-License-Identifier: Apache-2.0
#include "driver/unfair_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/checkpoint.h"
#include "ir/notation.h"
#include "witness/possible_steps.h"

namespace whittle {

namespace {

constexpr std::chrono::milliseconds kTimeForNotes{1000};
constexpr std::size_t kMostLoopStates = 64;

struct Unit {
  InstanceId instance;
  std::vector<EventId> events;
  std::string what;     // "P[1]", "`get`"
  std::string declare;  // "fair process P"
};

bool promised(const Network& network, MachineId machine, EventId event) {
  return std::any_of(network.fairness.begin(), network.fairness.end(),
                     [&](const Fairness& fairness) {
                       return fairness.machine == machine &&
                              std::find(fairness.events.begin(), fairness.events.end(), event) !=
                                  fairness.events.end();
                     });
}

// Where nothing is promised: processes of programs, else single events.
std::vector<Unit> units(const Network& network, UniverseId universe) {
  const bool programs = traits_of(network).programs;
  std::vector<Unit> result;
  for (const InstanceId instance : network.universe(universe).instances) {
    const MachineId id = network.instance(instance).machine;
    const Machine& machine = network.machine(id);
    std::vector<EventId> open;
    for (const EventId event : machine.events) {
      if (network.event(event).root && !promised(network, id, event)) open.push_back(event);
    }
    if (open.empty()) continue;
    const std::string& name = network.instance(instance).name;
    if (programs) {
      result.push_back({instance, std::move(open), name,
                        fmt::format("fair process {}", name.substr(0, name.find('[')))});
      continue;
    }
    for (const EventId event : open) {
      const std::string& one = network.event(event).name;
      const bool alone = network.universe(universe).instances.size() == 1;
      result.push_back({instance,
                        {event},
                        alone ? one : fmt::format("{}.{}", name, one),
                        network.language == "rebel" ? fmt::format("fair {}.{};", machine.name, one)
                                                    : fmt::format("fair transition {}", one)});
    }
  }
  return result;
}

class Loop {
 public:
  // requires: the result has a run with a loop of steps
  explicit Loop(const PropertyResult& result) {
    const Trace& trace = *result.verdict.trace_found()->trace;
    for (std::size_t i = *trace.loop; i < trace.steps.size(); ++i) {
      states_.push_back(i == 0 ? result.replay->initial : result.replay->steps[i - 1].after);
      for (const Occurrence& o : result.replay->steps[i].occurrences)
        taken_.emplace_back(o.instance, o.event);
      single_ = single_ && trace.steps[i].times == 1;
    }
  }

  // Every state of it is known, and they are not too many.
  [[nodiscard]] bool plain() const { return single_ && states_.size() <= kMostLoopStates; }

  [[nodiscard]] bool neglects(const Unit& unit, PossibleSteps& possible) const {
    for (const auto& [instance, event] : taken_) {
      if (instance == unit.instance &&
          std::find(unit.events.begin(), unit.events.end(), event) != unit.events.end())
        return false;
    }
    return std::all_of(states_.begin(), states_.end(), [&](const State& state) {
      return possible.possible(state, unit.instance, unit.events).answer == smt::Answer::Sat;
    });
  }

 private:
  std::vector<State> states_;
  std::vector<std::pair<InstanceId, EventId>> taken_;
  bool single_ = true;
};

}  // namespace

std::vector<std::string> neglected(const PropertyResult& result, DecideContext& context) {
  const Property& property = result.question();
  const TraceFound* found = result.verdict.trace_found();
  if (property.kind != PropertyKind::Ltl || found == nullptr || !found->trace || !result.replay)
    return {};
  const Trace& trace = *found->trace;
  if (!trace.loop || *trace.loop == trace.steps.size() || trace.region.valid()) return {};
  const Loop loop(result);
  if (!loop.plain()) return {};
  smt::SolverFactory::Settings settings;
  settings.limits.deadline = context.deadline.earlier(Deadline::after(kTimeForNotes));
  settings.limits.cancel = context.cancel;
  const smt::SolverFactory solvers(settings);
  try {
    PossibleSteps possible(*result.network, result.property, solvers);
    for (const Unit& unit : units(*result.network, property.universe)) {
      if (settings.limits.deadline.passed()) break;
      if (!loop.neglects(unit, possible)) continue;
      return {
          fmt::format("{} could move all the time and never does; write `{}` if that cannot "
                      "happen [ltl-020]",
                      unit.what, unit.declare)};
    }
  } catch (const LimitReached&) {
    // There was no time to find out.
  }
  return {};
}

}  // namespace whittle

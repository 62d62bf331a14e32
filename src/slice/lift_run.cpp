// SPDX-License-Identifier: Apache-2.0
#include "slice/lift_run.h"

#include <unordered_map>

#include "base/checkpoint.h"
#include "ir/run/enabled.h"
#include "ir/run/stepper.h"

namespace whittle::slice {

namespace {

constexpr std::size_t kRounds = 64;
constexpr std::size_t kSteps = 20'000;
constexpr std::size_t kArguments = 64;  // lists of them to try, of a step that does not matter

class RunLifter {
 public:
  RunLifter(const Network& model, const Network& sliced, const IdMaps& maps,
            const std::vector<LocationId>& places, State initial, const Trace& run,
            UniverseId universe)
      : model_(model),
        sliced_(sliced),
        maps_(maps),
        places_(places),
        run_(run),
        stepper_(model, universe),
        candidates_(suggested_candidates(model, universe)),
        state_(initial) {
    stepper_.set_candidates(candidates_);
    result_.universe = universe;
    result_.initial = std::move(initial);
    at_ = run.initial.locations.front();
  }

  Expected<Trace, std::string> operator()() {
    const std::size_t loop = run_.loop.value_or(run_.steps.size());
    if (places_[here().index()] != at_) return lost();
    if (!follow(0, loop)) return lost();
    if (!run_.loop) return std::move(result_);
    if (loop == run_.steps.size()) return rest();
    std::vector<std::pair<State, std::size_t>> before;  // each round: the state, and steps so far
    while (before.size() <= kRounds) {
      for (const auto& [state, steps] : before) {
        if (state != state_) continue;
        result_.loop = steps;
        return std::move(result_);
      }
      before.emplace_back(state_, result_.steps.size());
      if (!follow(loop, run_.steps.size())) return lost();
    }
    return Unexpected{std::string("what the slice left out does not come back to where it was")};
  }

 private:
  static Unexpected<std::string> lost() {
    return Unexpected{std::string("the model cannot do what the slice does")};
  }
  [[nodiscard]] LocationId here() const { return state_.locations.front(); }

  bool follow(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      for (std::uint64_t n = 0; n < run_.steps[i].times; ++n)
        if (!step(run_.steps[i])) return false;
    return true;
  }

  // One step of the slice, which goes from `at_` along its only arc there.
  bool step(const TraceStep& of_slice) {
    const Event& event = sliced_.event(of_slice.event);
    LocationId target;
    for (const Arc& arc : event.arcs) {
      if (arc.from != at_) continue;
      if (target.valid() && target != arc.to) return false;  // which one, is not said
      target = arc.to;
    }
    if (!target.valid()) return false;
    const LocationId original = maps_.locations[at_.index()];
    if (original.valid()) {
      while (here() != original)
        if (!between(at_)) return false;
      const EventId acts = maps_.events[of_slice.event.index()];
      if (acts.valid() ? !take(of_slice, acts) : !between({})) return false;
      at_ = target;
      if (acts.valid()) return places_[here().index()] == at_;
      // The model need not wait where the slice does, nor the slice where the model does.
      if (!maps_.locations[at_.index()].valid()) return true;
    } else if (target == at_) {
      return between(at_);  // goes on for ever
    }
    at_ = target;
    while (places_[here().index()] != at_)
      if (!between({})) return false;
    return true;
  }

  // The step that the slice has, with what it left open.
  bool take(const TraceStep& of_slice, EventId event) {
    TraceStep step;
    step.instance = maps_.instances[of_slice.instance.index()];
    step.event = event;
    const auto& kept = sliced_.event(of_slice.event).parameters;
    std::size_t next = 0;
    for (const Parameter& p : model_.event(event).parameters) {
      const bool given = next < kept.size() && kept[next].symbol == p.symbol;
      step.arguments.push_back(given ? of_slice.arguments[next]
                                     : model_.pool().default_value(p.type));
      if (given) ++next;
    }
    const StateLayout from(sliced_, run_.universe);
    const StateLayout& to = stepper_.layout();
    for (const auto& [slot, value] : of_slice.chosen) {
      const auto [instance, variable] = from.at(slot);
      const InstanceId old = instance.valid() ? maps_.instances[instance.index()] : InstanceId();
      step.chosen.emplace_back(
          static_cast<std::uint32_t>(to.slot(old, maps_.variables[variable.index()])), value);
    }
    return advance(step);
  }

  // Any step that is possible; it has to stay at this place of the slice (invalid: anywhere).
  bool between(LocationId place) {
    const Machine& machine = model_.machine(model_.instance(stepper_.layout().instance(0)).machine);
    for (const EventId e : machine.events) {
      bool leaves = false;
      for (const Arc& arc : model_.event(e).arcs) leaves = leaves || arc.from == here();
      if (!leaves) continue;
      std::vector<SymbolId> symbols;
      for (const Parameter& p : model_.event(e).parameters) symbols.push_back(p.symbol);
      for (const auto& arguments : tuples(model_.pool(), symbols, candidates_, kArguments).all) {
        std::optional<TraceStep> found;
        stepper_.each_step(state_, stepper_.layout().instance(0), e, arguments,
                           [&](const TraceStep& step, const State& after) {
                             const LocationId to = places_[after.locations.front().index()];
                             if (place.valid() && to != place) return true;
                             found = step;
                             return false;
                           });
        if (found) return advance(*found);
      }
    }
    return false;
  }

  bool advance(const TraceStep& step) {
    checkpoint();
    if (result_.steps.size() >= kSteps || !stepper_.advance(state_, step)) return false;
    result_.steps.push_back(step);
    return true;
  }

  // Nothing that matters comes any more.
  Expected<Trace, std::string> rest() {
    std::vector<State> seen;
    const std::size_t begin = result_.steps.size();
    while (true) {
      for (std::size_t i = 0; i < seen.size(); ++i) {
        if (seen[i] != state_) continue;
        result_.loop = begin + i;
        return std::move(result_);
      }
      if (seen.size() > kRounds * kRounds) return lost();
      seen.push_back(state_);
      if (between(at_)) continue;
      result_.loop = result_.steps.size();  // the end; whether it is one is checked elsewhere
      return std::move(result_);
    }
  }

  const Network& model_;
  const Network& sliced_;
  const IdMaps& maps_;
  const std::vector<LocationId>& places_;  // by location of the model
  const Trace& run_;
  Stepper stepper_;
  Candidates candidates_;
  State state_;
  LocationId at_;  // in the slice
  Trace result_;
};

}  // namespace

Expected<Trace, std::string> lifted_run(const Network& model, const Network& sliced,
                                        const IdMaps& maps, const std::vector<LocationId>& places,
                                        State initial, const Trace& run) {
  const UniverseId universe = model.instance(maps.instances.front()).universe;
  return RunLifter(model, sliced, maps, places, std::move(initial), run, universe)();
}

}  // namespace whittle::slice

// SPDX-License-Identifier: Apache-2.0
// Interpreter and replay: states as values on top of Stepper, which changes them in place.
#include "ir/run/interpreter.h"

#include <algorithm>

#include "ir/run/advance_repeated.h"

namespace whittle {

struct Interpreter::Impl {
  Impl(const Network& network, UniverseId universe) : stepper(network, universe) {}
  Stepper stepper;
};

Interpreter::Interpreter(const Network& network, UniverseId universe)
    : impl_(std::make_unique<Impl>(network, universe)) {}
Interpreter::~Interpreter() = default;

const StateLayout& Interpreter::layout() const { return impl_->stepper.layout(); }

std::optional<std::string> Interpreter::initial_problem(const State& state) {
  return impl_->stepper.initial_problem(state);
}

Expected<StepResult, Refusal> Interpreter::step(const State& state, const TraceStep& step) {
  State after = state;
  if (!impl_->stepper.advance(after, step)) return Unexpected{impl_->stepper.refusal()};
  return StepResult{std::move(after), impl_->stepper.occurrences()};
}

Expected<Value, Undefined> Interpreter::evaluate(Expr condition, const State& state) {
  return impl_->stepper.evaluate(condition, state);
}

namespace {

// The union of what changed, over many repetitions, in time proportional to the changes.
class ChangeSet {
 public:
  explicit ChangeSet(std::size_t size) : seen_(size) {}
  void add(const std::vector<std::uint32_t>& places) {
    for (std::uint32_t place : places) {
      if (seen_[place]) continue;
      seen_[place] = true;
      places_.push_back(place);
    }
  }
  std::vector<std::uint32_t> take() {
    for (std::uint32_t place : places_) seen_[place] = false;
    std::sort(places_.begin(), places_.end());
    return std::exchange(places_, {});
  }

 private:
  std::vector<bool> seen_;
  std::vector<std::uint32_t> places_;
};

// More repetitions than this are taken at once where that is certain.
constexpr std::uint64_t kWalked = 100'000;

}  // namespace

Expected<FollowedTrace, ReplayFailure> follow(const Network& network, const Trace& trace,
                                              const StepVisitor& visit) {
  if (!trace.universe.valid() || trace.universe.index() >= network.universes().size()) {
    return Unexpected{ReplayFailure{0, "the trace belongs to no universe"}};
  }
  Stepper stepper(network, trace.universe);
  if (auto problem = stepper.initial_problem(trace.initial)) {
    return Unexpected{ReplayFailure{0, std::move(*problem)}};
  }
  State state = trace.initial;
  for (std::size_t slot = 0; slot < state.values.size(); ++slot) {
    Value& value = state.values[slot];
    const Type type = network.variable(stepper.layout().at(slot).second).type;
    if (value.is_array()) value = network.pool().normalized(std::move(value), type);
  }
  ChangeSet changed(stepper.layout().value_count());
  ChangeSet moved(stepper.layout().instance_count());
  std::uint64_t number = 0;
  for (const TraceStep& step : trace.steps) {
    if (step.times == 0) {
      return Unexpected{ReplayFailure{number, "a step that is taken zero times"}};
    }
    for (std::uint64_t i = 0; i < step.times; ++i) {
      // After the first one, so that what is only set is settled.
      if (i == 1 && step.times > kWalked &&
          advance_repeated(stepper, state, step, step.times - 1)) {
        number += step.times - 1;
        if (visit) changed.add(stepper.changed_slots());
        break;
      }
      ++number;
      if (!stepper.advance(state, step)) {
        return Unexpected{ReplayFailure{number, stepper.refusal().message}};
      }
      if (visit) {
        changed.add(stepper.changed_slots());
        moved.add(stepper.moved());
      }
    }
    if (visit) {
      visit({step, number, stepper.occurrences(), changed.take(), moved.take(), state});
    }
  }
  return FollowedTrace{std::move(state), number};
}

Expected<Replay, ReplayFailure> replay(const Network& network, const Trace& trace) {
  Replay result;
  result.initial = trace.initial;
  result.steps.reserve(trace.steps.size());
  auto keep = [&](const FollowedStep& step) {
    result.steps.push_back({step.occurrences, step.changed_slots, step.moved, step.after});
  };
  auto end = follow(network, trace, keep);
  if (!end) return Unexpected{std::move(end.error())};
  return result;
}

}  // namespace whittle

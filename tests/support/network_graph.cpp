// SPDX-License-Identifier: Apache-2.0
#include "support/network_graph.h"

#include "ir/run/enabled.h"
#include "ir/run/explicit_search.h"

namespace whittle::test {

std::size_t NetworkGraph::Hash::operator()(const State& state) const {
  std::size_t h = 0;
  for (const LocationId l : state.locations) h = h * 31 + l.index();
  for (const Value& v : state.values) h = h * 31 + v.hash();
  return h;
}

NetworkGraph::NetworkGraph(const RandomNetwork& random, std::size_t most_states)
    : stepper_(*random.network, random.universe) {
  stepper_.set_candidates(random.candidates);
  SearchOptions options;
  options.candidates = random.candidates;
  for (const State& state : first_states(stepper_, options)) number(state);
  first_ = states_.size();
  EnabledOptions enabled;
  enabled.candidates = random.candidates;
  for (std::size_t at = 0; at < states_.size(); ++at) {
    if (states_.size() > most_states) {
      complete_ = false;
      return;
    }
    const State state = states_[at];
    std::vector<Step> steps;
    for (const EventStatus& status : event_statuses(stepper_, state, enabled)) {
      complete_ = complete_ && status.complete;
      for (const TraceStep& step : status.steps) {
        State after = state;
        if (!stepper_.advance(after, step)) continue;
        Step& known = steps.emplace_back();
        for (const Occurrence& one : stepper_.occurrences())
          known.who.emplace_back(one.instance, one.event);
        known.target = number(after);
      }
    }
    steps_.push_back(std::move(steps));
  }
}

bool NetworkGraph::holds(Expr condition, std::size_t state) {
  const auto value = stepper_.evaluate(condition, states_[state]);
  return value && value->as_bool();
}

std::uint32_t NetworkGraph::number(const State& state) {
  const auto [it, fresh] = numbers_.try_emplace(state, static_cast<std::uint32_t>(states_.size()));
  if (fresh) states_.push_back(state);
  return it->second;
}

}  // namespace whittle::test

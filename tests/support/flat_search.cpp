// SPDX-License-Identifier: Apache-2.0
#include "support/flat_search.h"

#include <algorithm>
#include <set>

#include "ir/run/enabled.h"

namespace whittle::test {

void each_flat_step(const TransitionSystem& system, FlatRun& run, const FlatState& state,
                    const Candidates& candidates,
                    const std::function<void(const FlatStep&, const FlatState&)>& visit) {
  for (std::uint32_t i = 0; i < system.transitions.size(); ++i) {
    const Transition& t = system.transitions[i];
    std::vector<SymbolId> symbols = t.inputs;
    for (std::uint32_t v : t.open) symbols.push_back(system.variables[v].next);
    for (const auto& values : tuples(*system.pool, symbols, candidates, 100'000).all) {
      FlatStep step;
      step.transition = i;
      const auto inputs = static_cast<std::ptrdiff_t>(t.inputs.size());
      step.inputs.assign(values.begin(), values.begin() + inputs);
      for (std::size_t k = 0; k < t.open.size(); ++k) {
        step.open.emplace_back(t.open[k], values[t.inputs.size() + k]);
      }
      FlatState after = state;
      if (!run.advance(after, step)) visit(step, after);
    }
  }
}

FlatSearchResult flat_search(const TransitionSystem& system, const std::vector<FlatState>& first,
                             const Candidates& candidates, std::uint64_t max_depth,
                             std::size_t max_states) {
  struct Node {
    FlatState state;
    std::size_t parent;
    FlatStep step;
  };
  FlatSearchResult result;
  FlatRun run(system);
  std::vector<Node> nodes;
  std::set<FlatState> seen;
  for (const FlatState& state : first) {
    if (run.holds(system.init, state) && seen.insert(state).second) {
      nodes.push_back({state, SIZE_MAX, {}});
    }
  }
  const Tuples goal_inputs = tuples(*system.pool, system.goal.inputs, candidates, 100'000);
  const std::uint64_t last = std::min(max_depth, system.bound.max.value_or(max_depth));
  std::size_t begin = 0;
  for (std::uint64_t depth = 0;; ++depth) {
    const std::size_t end = nodes.size();
    for (std::size_t i = begin; depth >= system.bound.min && i < end; ++i) {
      for (const auto& inputs : goal_inputs.all) {
        if (!run.holds(system.goal.condition, nodes[i].state, system.goal.inputs, inputs)) continue;
        FlatTrace trace;
        trace.goal_inputs = inputs;
        std::size_t k = i;
        for (; nodes[k].parent != SIZE_MAX; k = nodes[k].parent)
          trace.steps.push_back(nodes[k].step);
        std::reverse(trace.steps.begin(), trace.steps.end());
        trace.initial = nodes[k].state;
        result.trace = std::move(trace);
        return result;
      }
    }
    result.exhausted = begin == end;
    if (result.exhausted || depth == last) return result;
    if (system.bound.min > 0) seen.clear();
    for (std::size_t i = begin; i < end; ++i) {
      const FlatState state = nodes[i].state;
      each_flat_step(system, run, state, candidates,
                     [&](const FlatStep& step, const FlatState& after) {
                       if (seen.insert(after).second) nodes.push_back({after, i, step});
                     });
      if (nodes.size() > max_states) {
        result.complete = false;
        return result;
      }
    }
    begin = end;
  }
}

}  // namespace whittle::test

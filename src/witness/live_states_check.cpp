// SPDX-License-Identifier: Apache-2.0
// Emerson, Lei, Modalities for model checking, 1987: a component that meets all sets is accepting
// if every strong unit that is possible in it is taken in it; otherwise the states in which the
// neglected units are possible go, and the components of what is left are looked at again.
#include "witness/live_states_check.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/checkpoint.h"
#include "ir/lowering/relation_cases.h"
#include "witness/states_check.h"

namespace whittle {

namespace {

using Bits = std::vector<bool>;

class LiveGraph {
 public:
  explicit LiveGraph(const TransitionSystem& cases)
      : system_(cases),
        run_(cases),
        sets_(cases.acceptance->size()),
        units_(cases.strong.size()),
        of_transition_(cases.transitions.size(), Bits(sets_ + units_)) {
    for (std::size_t i = 0; i < sets_; ++i) {
      for (std::uint32_t t : (*cases.acceptance)[i].transitions) of_transition_[t][i] = true;
    }
    for (std::size_t i = 0; i < units_; ++i) {
      for (std::uint32_t t : cases.strong[i].transitions) of_transition_[t][sets_ + i] = true;
    }
  }

  void add_state(std::uint32_t state, const FlatState& values) {
    if (state >= nodes_.size()) nodes_.resize(state + 1);
    Node& node = nodes_[state];
    for (const AcceptanceSet& set : *system_.acceptance)
      node.met.push_back(run_.holds(set.condition, values));
    for (const StrongFairness& unit : system_.strong)
      node.possible.push_back(run_.holds(unit.enabled, values));
  }
  void add_step(std::uint32_t from, std::uint32_t to, std::uint32_t transition) {
    nodes_[from].steps.push_back({to, transition});
  }

  // Some component of these states, or a part of it, has an accepting run.
  bool accepts() {
    std::vector<std::vector<std::uint32_t>> waiting;
    std::vector<std::uint32_t> all;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) all.push_back(n);
    waiting.push_back(std::move(all));
    inside_.assign(nodes_.size(), 0);
    while (!waiting.empty()) {
      const std::vector<std::uint32_t> states = std::move(waiting.back());
      waiting.pop_back();
      ++round_;
      for (std::uint32_t state : states) inside_[state] = round_;
      for (std::vector<std::uint32_t>& part : components(states)) {
        checkpoint();
        std::vector<std::uint32_t> left;
        if (accepting(part, left)) return true;
        if (!left.empty()) waiting.push_back(std::move(left));
      }
    }
    return false;
  }

 private:
  struct Node {
    struct Step {
      std::uint32_t target = 0;
      std::uint32_t transition = 0;
    };
    std::vector<Step> steps;
    Bits met;       // by acceptance set: its condition holds
    Bits possible;  // by strong unit
  };

  // `left`: states of the part to look at again, where it could accept in a part of it.
  bool accepting(const std::vector<std::uint32_t>& part, std::vector<std::uint32_t>& left) {
    ++group_count_;
    group_.resize(nodes_.size(), 0);
    for (std::uint32_t state : part) group_[state] = group_count_;
    Bits met(sets_ + units_);
    Bits possible(units_);
    bool moves = false;
    for (std::uint32_t state : part) {
      const Node& node = nodes_[state];
      for (std::size_t i = 0; i < units_; ++i) possible[i] = possible[i] || node.possible[i];
      for (const Node::Step& step : node.steps) {
        if (group_[step.target] != group_count_) continue;
        moves = true;
        for (std::size_t i = 0; i < met.size(); ++i)
          met[i] = met[i] || of_transition_[step.transition][i] || (i < sets_ && node.met[i]);
      }
    }
    if (!moves || std::count(met.begin(), met.begin() + static_cast<std::ptrdiff_t>(sets_), false))
      return false;
    Bits neglected(units_);
    for (std::size_t i = 0; i < units_; ++i) neglected[i] = possible[i] && !met[sets_ + i];
    if (std::count(neglected.begin(), neglected.end(), true) == 0) return true;
    for (std::uint32_t state : part) {
      bool goes = false;
      for (std::size_t i = 0; i < units_; ++i)
        goes = goes || (neglected[i] && nodes_[state].possible[i]);
      if (!goes) left.push_back(state);
    }
    return false;
  }

  // Kosaraju's algorithm: forwards for an order, backwards for the components.
  std::vector<std::vector<std::uint32_t>> components(const std::vector<std::uint32_t>& states) {
    std::vector<std::uint32_t> order;
    mark_.resize(nodes_.size(), 0);
    before_.resize(nodes_.size());
    for (std::uint32_t state : states) before_[state].clear();
    const std::uint64_t seen = ++mark_count_;
    std::vector<std::pair<std::uint32_t, std::size_t>> path;
    for (std::uint32_t start : states) {
      if (mark_[start] == seen) continue;
      mark_[start] = seen;
      path.emplace_back(start, 0);
      while (!path.empty()) {
        auto& [state, next] = path.back();
        if (next == nodes_[state].steps.size()) {
          order.push_back(state);
          path.pop_back();
          continue;
        }
        const std::uint32_t from = state;
        const std::uint32_t target = nodes_[state].steps[next++].target;
        if (inside_[target] != round_) continue;
        before_[target].push_back(from);
        if (mark_[target] == seen) continue;
        mark_[target] = seen;
        path.emplace_back(target, 0);
      }
    }
    std::vector<std::vector<std::uint32_t>> result;
    const std::uint64_t placed = ++mark_count_;
    std::vector<std::uint32_t> open;
    for (auto start = order.rbegin(); start != order.rend(); ++start) {
      if (mark_[*start] == placed) continue;
      mark_[*start] = placed;
      open.push_back(*start);
      auto& part = result.emplace_back();
      while (!open.empty()) {
        part.push_back(open.back());
        open.pop_back();
        for (std::uint32_t source : before_[part.back()]) {
          if (mark_[source] == placed) continue;
          mark_[source] = placed;
          open.push_back(source);
        }
      }
    }
    return result;
  }

  const TransitionSystem& system_;
  FlatRun run_;
  std::size_t sets_, units_;
  std::vector<Bits> of_transition_;
  std::vector<Node> nodes_;
  std::vector<std::uint64_t> inside_, group_, mark_;  // by node: the last round it was in
  std::uint64_t round_ = 0, group_count_ = 0, mark_count_ = 0;
  std::vector<std::vector<std::uint32_t>> before_;
};

}  // namespace

Expected<WitnessCheck, RejectedWitness> check_no_accepting_run(const TransitionSystem& system,
                                                               std::uint64_t states,
                                                               const smt::SolverFactory& solvers) {
  WHITTLE_REQUIRE(system.acceptance.has_value(), "a live question");
  const RelationCases cases = split_relations(system);
  LiveGraph graph(cases.system);
  const StatesSeen seen = {
      [&](std::uint32_t state, const FlatState& values) { graph.add_state(state, values); },
      [&](std::uint32_t from, std::uint32_t to, std::uint32_t t) { graph.add_step(from, to, t); }};
  auto checked = check_states(system, states, solvers, {}, seen);
  if (!checked || !checked->checked) return checked;
  if (graph.accepts()) return Unexpected{RejectedWitness{"there is an accepting run"}};
  return checked;
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Couvreur, On-the-fly verification of linear temporal logic, FM 1999, in the form of Renault,
// Duret-Lutz, Kordon, Poitrenaud, Three SCC-based emptiness checks for generalized Büchi automata,
// LPAR 2013: depth-first search with a stack of components; a step back into an open component
// merges all above it and joins their marks. No set is counted, so many sets cost nothing.
//
// The component is found before it is complete, and may be small: the run is looked for by
// breadth-first searches inside it, from the state where it is entered through the sets that are
// still missing and back.
#include "engine/accepting_run.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <unordered_set>
#include <utility>

#include "base/checkpoint.h"

namespace whittle {

std::optional<LassoRun> AcceptingRunSearch::operator()() {
  for (std::uint32_t state : graph_.initial()) {
    if (number_.contains(state)) continue;
    open(state, 0);
    while (!path_.empty()) {
      checkpoint();
      if (step()) return run();
    }
  }
  return std::nullopt;
}

void AcceptingRunSearch::open(std::uint32_t state, AcceptanceMarks entered_by) {
  number_[state] = ++visited_;
  components_.push_back({visited_, 0, entered_by});
  open_.push_back(state);
  path_.push_back({state, graph_.successors(state), 0});
}

bool AcceptingRunSearch::step() {
  Visit& visit = path_.back();
  if (visit.next == visit.arcs.size()) {
    close();
    return false;
  }
  const MarkedGraph::Arc arc = visit.arcs[visit.next++];
  const auto known = number_.find(arc.target);
  if (known == number_.end()) {
    open(arc.target, arc.marks);
    return false;
  }
  return known->second != 0 && merge(known->second, arc.marks);
}

// A step with these marks leads back to the state of that number.
bool AcceptingRunSearch::merge(std::uint32_t root, AcceptanceMarks marks) {
  while (components_.back().root > root) {
    marks |= components_.back().marks | components_.back().entered_by;
    components_.pop_back();
  }
  components_.back().marks |= marks;
  return components_.back().marks == graph_.all_marks();
}

void AcceptingRunSearch::close() {
  const std::uint32_t state = path_.back().state;
  path_.pop_back();
  if (number_.at(state) != components_.back().root) return;
  components_.pop_back();
  while (true) {
    const std::uint32_t member = open_.back();
    open_.pop_back();
    number_[member] = 0;
    if (member == state) return;
  }
}

namespace {

using Inside = std::function<bool(std::uint32_t)>;
using IsGoal = std::function<bool(const MarkedGraph::Arc&)>;

// A shortest way of at least one step over states `inside` whose last step is a goal, without its
// first state. requires: there is one
struct Way {
  std::vector<std::uint32_t> states;
  AcceptanceMarks marks = 0;  // of all its steps
};

class BreadthFirst {
 public:
  BreadthFirst(MarkedGraph& graph, Inside inside) : graph_(graph), inside_(std::move(inside)) {}

  Way way(std::uint32_t from, const IsGoal& goal) {
    reached_by_.clear();
    std::deque<std::uint32_t> open{from};
    while (!open.empty()) {
      const std::uint32_t state = open.front();
      open.pop_front();
      for (const MarkedGraph::Arc& arc : graph_.successors(state)) {
        if (!inside_(arc.target)) continue;
        if (goal(arc)) return back(from, state, arc);
        if (arc.target == from || reached_by_.contains(arc.target)) continue;
        reached_by_[arc.target] = {state, arc.marks};
        open.push_back(arc.target);
      }
    }
    throw InternalError("a component that was found is not connected");
  }

 private:
  Way back(std::uint32_t from, std::uint32_t state, const MarkedGraph::Arc& last) const {
    Way result{{last.target}, last.marks};
    while (state != from) {
      result.states.push_back(state);
      const auto& [before, marks] = reached_by_.at(state);
      result.marks |= marks;
      state = before;
    }
    std::reverse(result.states.begin(), result.states.end());
    return result;
  }

  MarkedGraph& graph_;
  Inside inside_;
  std::unordered_map<std::uint32_t, std::pair<std::uint32_t, AcceptanceMarks>> reached_by_;
};

}  // namespace

LassoRun AcceptingRunSearch::run() {
  const std::uint32_t root = components_.back().root;
  const Inside in_component = [&](std::uint32_t state) {
    const auto known = number_.find(state);
    return known != number_.end() && known->second >= root;
  };
  const Inside seen = [&](std::uint32_t state) { return number_.contains(state); };
  // The stem.
  LassoRun result;
  const std::vector<std::uint32_t> first = graph_.initial();
  const auto inside = std::find_if(first.begin(), first.end(), in_component);
  if (inside != first.end()) {
    result.states = {*inside};
  } else {
    for (std::uint32_t start : first) {
      if (start != path_.front().state) continue;  // the one from which it was found
      result.states = {start};
      const Way way = BreadthFirst(graph_, seen).way(start, [&](const MarkedGraph::Arc& arc) {
        return in_component(arc.target);
      });
      result.states.insert(result.states.end(), way.states.begin(), way.states.end());
      break;
    }
  }
  // The loop.
  result.loop = result.states.size() - 1;
  const std::uint32_t entry = result.states.back();
  BreadthFirst search(graph_, in_component);
  AcceptanceMarks missing = graph_.all_marks();
  bool moved = false;
  while (missing != 0) {
    const Way way = search.way(result.states.back(), [&](const MarkedGraph::Arc& arc) {
      return (arc.marks & missing) != 0;
    });
    missing &= ~way.marks;
    result.states.insert(result.states.end(), way.states.begin(), way.states.end());
    moved = true;
  }
  if (!moved || result.states.back() != entry) {
    const Way way = search.way(result.states.back(),
                               [&](const MarkedGraph::Arc& arc) { return arc.target == entry; });
    result.states.insert(result.states.end(), way.states.begin(), way.states.end());
  }
  result.states.pop_back();  // the entry again
  return result;
}

}  // namespace whittle

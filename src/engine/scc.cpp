// SPDX-License-Identifier: Apache-2.0
// Search by states for a run that goes on for ever and meets every acceptance set again and again:
// depth-first, with a stack of strongly connected components whose marks are joined when a step
// leads back into one of them (Couvreur, On-the-fly verification of linear temporal logic, FM 1999;
// Renault, Duret-Lutz, Kordon, Poitrenaud, Three SCC-based emptiness checks for generalized Büchi
// automata, LPAR 2013). It ends with the first accepting component, or when all states were seen.
//
// Strong fairness is looked at in components that are complete: where a unit is possible but never
// taken, the states in which it is possible are left out, and the components of what is left are
// looked at in the same way (Emerson, Lei 1987).
//
// The run that is shown is made by breadth-first searches: a shortest way, through the states that
// were seen, into the component, and inside it from one missing set to the nearest next.
//
// States are as in explicit.cpp: Bool, Int, enumerations and arrays of these as machine words.
#include "engine/scc.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/concrete/live_states.h"

namespace whittle::engine::scc {

namespace {

class Scc {
 public:
  Scc(const TransitionSystem& system, Env& env)
      : whole_(system),
        cases_(split_relations(system)),
        env_(env),
        states_(cases_.system, *env.options.get<SccOptions>().memory * 1'000'000),
        visited_(env.statistics.counter("scc.states")) {}

  EngineResult run() {
    if (cases_.system.bound.max || cases_.system.bound.min > 0) {
      return EngineResult{
          Unknown{{Reason::Kind::Unsupported, "the question is for a number of steps"}, {}}};
    }
    if (auto problem = states_.prepare(env_)) return EngineResult{Unknown{std::move(*problem)}};
    const bool found = search();
    visited_.raise_to(states_.size());
    if (states_.problem()) return EngineResult{Unknown{*states_.problem(), {}}};
    if (!found) return EngineResult{Unreachable{AllStates{states_.size(), {}}}};
    FlatTrace trace = states_.lasso(component_);
    if (states_.problem()) return EngineResult{Unknown{*states_.problem(), {}}};
    return EngineResult{Reached{joined_trace(whole_, cases_, trace), false}};
  }

 private:
  // A component in the making: what is above `root` on the stack of open states.
  struct Component {
    std::uint32_t root = 0;  // depth-first number
    LiveMarks marks;         // of the steps and states inside
    LiveMarks entered_by;    // the step that led to its root
  };
  struct Visit {
    std::uint32_t state = 0;
    std::size_t next = 0, end = 0;  // of its arcs, in arcs_
  };

  bool search() {
    for (std::uint32_t state : states_.first()) {
      if (number(state) != kNew) continue;
      open(state, {});
      while (!path_.empty()) {
        if (states_.problem()) return false;
        if (step()) return true;
      }
    }
    return false;
  }

  std::uint32_t& number(std::uint32_t state) {
    if (state >= numbers_.size())
      numbers_.resize(std::max<std::size_t>(state + 1, 2 * state), kNew);
    return numbers_[state];
  }

  void open(std::uint32_t state, LiveMarks entered_by) {
    number(state) = ++count_;
    if (count_ % kPatience == 0) env_.report_depth("scc", count_);
    open_.push_back(state);
    const std::size_t first = arcs_.size();
    states_.successors(state, arcs_);
    components_.push_back({count_, states_.marks_of(state), entered_by});
    path_.push_back({state, first, arcs_.size()});
  }

  // True: component_ has an accepting run.
  bool step() {
    Visit& visit = path_.back();
    if (visit.next == visit.end) return close();
    const LiveArc arc = arcs_[visit.next++];
    const std::uint32_t known = number(arc.target);
    if (known == kClosed) return false;
    if (known == kNew) {
      open(arc.target, arc.marks);
      return false;
    }
    merge(known, arc.marks);
    return accepts(components_.back());
  }

  // A step with these marks leads back to the state of that number.
  void merge(std::uint32_t root, LiveMarks marks) {
    while (components_.back().root > root) {
      marks.join(components_.back().marks);
      marks.join(components_.back().entered_by);
      components_.pop_back();
    }
    components_.back().marks.join(marks);
  }

  // The component is as it is now, though it may grow: its states are those above its root.
  bool accepts(const Component& component) {
    if (!states_.accepting(component.marks)) return false;
    component_ = members(component);
    return true;
  }
  [[nodiscard]] std::vector<std::uint32_t> members(const Component& component) const {
    const auto first = std::partition_point(open_.begin(), open_.end(), [&](std::uint32_t state) {
      return numbers_[state] < component.root;
    });
    return {first, open_.end()};
  }

  bool close() {
    const std::uint32_t state = path_.back().state;
    path_.pop_back();
    arcs_.resize(path_.empty() ? 0 : path_.back().end);
    const Component component = components_.back();
    if (number(state) != component.root) return false;
    components_.pop_back();
    if (states_.could_accept(component.marks)) {
      component_ = states_.fair_part(members(component));
      if (!component_.empty()) return true;
    }
    while (true) {
      const std::uint32_t member = open_.back();
      open_.pop_back();
      number(member) = kClosed;
      if (member == state) return false;
    }
  }

  static constexpr std::uint32_t kNew = 0;
  static constexpr std::uint32_t kClosed = UINT32_MAX;
  static constexpr std::uint32_t kPatience = 1U << 16U;

  const TransitionSystem& whole_;
  RelationCases cases_;
  Env& env_;
  LiveStates states_;
  Counter& visited_;
  std::vector<std::uint32_t> numbers_;  // by state: depth-first, from 1
  std::uint32_t count_ = 0;
  std::vector<Visit> path_;
  std::vector<LiveArc> arcs_;  // of the states on the path
  std::vector<Component> components_;
  std::vector<std::uint32_t> open_;  // states of open components, in the order of their numbers
  std::vector<std::uint32_t> component_;
};

void declare(OptionSet& options) { options.add<SccOptions>(); }

EngineResult run(const TransitionSystem& system, Env& env) { return Scc(system, env).run(); }

std::optional<PresolveSlot> presolve(const QuestionProfile&) { return PresolveSlot{0, 2.0}; }

std::vector<RaceSlot> race(const QuestionProfile&) {
  return {RaceSlot{10, std::chrono::milliseconds(5000)}};
}

}  // namespace

}  // namespace whittle::engine::scc

namespace whittle {

const EngineInfo kSccInfo = {
    "scc",
    "Search by states for infinite runs: strongly connected components of a finite system.",
    "formulas of temporal logic about finite systems, with fairness; unknown when memory is full "
    "or the first states or choices cannot be listed",
    engine::scc::declare,
    engine::scc::run,
    std::nullopt,
    {.unbounded = true, .traces = true, .live = true, .live_only = true, .strong_fairness = true},
    {engine::scc::presolve, engine::scc::race, 0},
};

}  // namespace whittle

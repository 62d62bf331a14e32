// SPDX-License-Identifier: Apache-2.0
// What holds at each node of a system, by abstract interpretation (Cousot, Halbwachs: "Automatic
// Discovery of Linear Restraints Among Variables of a Program", POPL 1978): convex polyhedra over
// its numbers, sets of values for its Bools and enumerations. The result is an inductive invariant
// as far as this file is right; whoever uses it has it checked.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "absint/component_runner.h"

namespace whittle::absint {

struct ReachableOptions {
  // Up to so many numbers; more, or too expensive: a box, and polyhedra for packs (packs.h).
  std::size_t polyhedra = 8;
  std::size_t pack = 5;           // so many numbers in one
  std::size_t boxes_first = 200;  // from so many nodes on: polyhedra only if boxes do not suffice
  unsigned widening_delay = 3;    // joins at the head of a cycle before widening
  unsigned narrowing_rounds = 2;  // descending passes after that
  // Up to so many shapes describe what holds at a node outside of cycles; more: their join.
  std::size_t disjuncts = 1;
  // What polyhedra may cost per component, in looks of WatchedWork, of which a second has some
  // 200,000; beyond it: boxes and packs instead.
  std::uint64_t effort = 1'000'000;
  Parallelism parallelism;
};

struct ReachableStates {
  // By node of the graph: over current symbols other than locations; false: never there.
  std::vector<Expr> conditions;
  std::vector<char> excludes_goal;  // by node: the shapes alone show that the goal is not there
};

// Empty: stopped. `stop` is asked in the middle of operations on polyhedra, too.
[[nodiscard]] std::optional<ReachableStates> reachable_states(const TransitionSystem& system,
                                                              const ControlGraph& graph,
                                                              const ReachableOptions& options,
                                                              const std::function<bool()>& stop);

// The conditions of all nodes as one invariant.
[[nodiscard]] Expr joined(const TransitionSystem& system, const ControlGraph& graph,
                          const std::vector<Expr>& by_node);

}  // namespace whittle::absint

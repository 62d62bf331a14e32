// SPDX-License-Identifier: Apache-2.0
// The flat, symbolic form of one question about one universe: state variables, a formula for the
// first states, a list of transitions and a goal. Engines see nothing else. All terms are total or
// guarded by their definedness, and speak only of state variables and inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expr/expr.h"
#include "ir/property.h"

namespace whittle {

struct StateVariable {
  std::string name;  // `Account[NL01].balance`, `P[2]@`
  Type type;
  SymbolId current;
  SymbolId next;
  bool is_location = false;  // holds the location of an instance: an Enum of its locations
};

struct Update {
  std::uint32_t variable = 0;  // index of a state variable
  Expr value;                  // over current symbols and inputs
};

// guard(s, i)  and  s'[v] = value(s, i) for every update  and  relation(s, i, s'[open])
// and  s'[v] = s[v] for every other variable.
struct Transition {
  std::string name;
  std::vector<SymbolId> inputs;
  Expr guard;                       // over current symbols and inputs
  std::vector<Update> updates;      // functional part
  std::vector<std::uint32_t> open;  // variables that only the relation restricts
  Expr relation;                    // over current symbols, inputs, next symbols of open ones
};

// A state s is a goal if for some values of the inputs the condition holds.
struct Goal {
  Expr condition;  // over current symbols and inputs
  std::vector<SymbolId> inputs;
};

// Steps that have to be taken again and again: those of the listed transitions, and those that
// leave a state in which the condition holds.
struct AcceptanceSet {
  Expr condition;                          // over current symbols
  std::vector<std::uint32_t> transitions;  // ascending
  std::string name;                        // for people: "fair P[0]"
};

// Of infinite runs: if the condition holds infinitely often, steps of the listed transitions are
// taken infinitely often.
struct StrongFairness {
  Expr enabled;                            // over current symbols
  std::vector<std::uint32_t> transitions;  // ascending
  std::string name;                        // for people: "strong fair P[0]"
};

struct TransitionSystem {
  std::shared_ptr<ExprPool> pool;
  std::vector<StateVariable> variables;
  Expr init;  // over current symbols
  std::vector<Transition> transitions;
  Goal goal;        // is a state like this reachable,
  StepBound bound;  // in so many steps
  // A live question, asked instead of the goal: is there an infinite run that meets every set
  // infinitely often? Every state has a step then (a transition that stays where a run ends). None:
  // the question is about the goal.
  std::optional<std::vector<AcceptanceSet>> acceptance = {};
  // Of a live question: only runs that are fair in all these ways count. Engines that do not say so
  // in their capabilities never see any (simplify/flat/strong_fairness.h).
  std::vector<StrongFairness> strong = {};
  // Groups of instances that are alike (alike.h): of each member, ascending, the transitions in
  // which it takes part. Members of a group can be exchanged in every run to the goal.
  std::vector<std::vector<std::vector<std::uint32_t>>> alike = {};
  // Conditions over current symbols that somebody believes to hold in every reachable state. May be
  // wrong: whoever uses one proves it.
  std::vector<Expr> hints = {};
};

// A run of the flat system.
struct FlatStep {
  std::uint32_t transition = 0;
  std::vector<Value> inputs;                          // one per input of the transition
  std::vector<std::pair<std::uint32_t, Value>> open;  // next values of its open variables
  std::uint64_t times = 1;
};

// A loop that can be repeated for ever although its states differ from round to round: from every
// state in which the condition holds it can be taken, with these values, and ends in such a state.
struct FlatRegion {
  struct Step {
    std::vector<Expr> inputs;  // one per input of the transition
    std::vector<Expr> open;    // one per open variable, in the order of the transition
  };
  Expr condition;           // over current symbols
  std::vector<Step> steps;  // those of the loop, over the symbols of the state before each
};

struct FlatTrace {
  std::vector<Value> initial;  // one per state variable
  std::vector<FlatStep> steps;
  std::vector<Value> goal_inputs;  // one per input of the goal
  // Of a live question: the steps from there on are repeated for ever; after the last of them the
  // state is the one before steps[loop].
  std::optional<std::size_t> loop = {};
  // The state after the loop need not be the one before it: both are in this region.
  std::optional<FlatRegion> region = {};
};

// Why the flat trace is no run from init to the goal; empty if it is one. Exact evaluation.
[[nodiscard]] std::optional<std::string> flat_trace_problem(const TransitionSystem& system,
                                                            const FlatTrace& trace);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Which variables, and which cells of arrays, the transitions of a system read and write: what
// projections (projection.h) and partial-order reduction (partial_order.h) need to know.
//
// A cell is named by a term over the state before the step. What is not understood in detail counts
// as a read of the whole array, which is always safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/symbol_variables.h"
#include "ir/transition_system.h"

namespace whittle {

// A variable, or one cell of an array.
struct AccessedCell {
  std::uint32_t variable = 0;
  Expr index;  // invalid: all of it
  auto operator<=>(const AccessedCell&) const = default;
};

struct TransitionAccess {
  // Decide whether the step is possible, which cells it writes, and what it puts into arrays and
  // into what a relation leaves open.
  std::vector<AccessedCell> reads;  // ascending
  // Decide only what the step puts into the variable `into`.
  struct ValueRead {
    AccessedCell cell;
    std::uint32_t into;
  };
  std::vector<ValueRead> value_reads;
  // Have a new value afterwards that does not depend on the old one, unless that is read.
  std::vector<AccessedCell> writes;

  [[nodiscard]] bool reads_variable(std::uint32_t variable) const;
};

// One way in which the goal can hold, with what it reads: the goal is the disjunction of its parts.
struct GoalPart {
  Expr condition;
  std::vector<AccessedCell> reads;  // ascending; different from those of the other parts
};

class Accesses {
 public:
  explicit Accesses(const TransitionSystem& system);

  [[nodiscard]] const TransitionAccess& of(std::uint32_t transition) const {
    return transitions_[transition];
  }
  [[nodiscard]] const std::vector<AccessedCell>& of_goal() const { return goal_; }
  // The goal reads something in a variable that the transition writes.
  [[nodiscard]] bool writes_goal(std::uint32_t transition) const {
    return writes_goal_[transition] != 0;
  }
  [[nodiscard]] const std::vector<GoalPart>& goal_parts() const { return goal_parts_; }

  static constexpr std::uint32_t kNone = SymbolVariables::kNone;
  // The location that a transition reads and writes, if every transition that writes it also reads
  // it (a program counter): steps with the same one can never be exchanged.
  [[nodiscard]] std::uint32_t thread_of(std::uint32_t transition) const {
    return threads_[transition];
  }
  // The step belongs to a thread, and whatever other threads do next to it can change places with
  // it: it writes nothing that they use and reads nothing that they write.
  [[nodiscard]] bool alone(std::uint32_t transition) const { return alone_[transition] != 0; }
  // Neither another thread nor the goal notices the step.
  [[nodiscard]] bool unnoticed(std::uint32_t transition) const {
    return alone(transition) && !writes_goal(transition);
  }
  // Every thread reads and writes one and the same variable, a mutex for example: a step of any of
  // them influences the others.
  [[nodiscard]] bool all_meet() const;

 private:
  [[nodiscard]] std::vector<AccessedCell> reads_of(std::span<const Expr> terms) const;
  void learn(const Transition& transition);
  void find_goal_writers();
  void find_goal_parts();
  void find_threads();
  void find_alone();

  const TransitionSystem& system_;
  const ExprPool& pool_;
  SymbolVariables variables_;
  std::vector<TransitionAccess> transitions_;
  std::vector<AccessedCell> goal_;
  std::vector<char> writes_goal_;  // by transition
  std::vector<GoalPart> goal_parts_;
  std::vector<std::uint32_t> threads_;
  std::vector<char> alone_;
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// An estimate of how far a state is from the goal, by the shape of the goal (the formula-based
// heuristic of Edelkamp et al. 2001). goal_distance.cpp has the definition.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/concrete/word_system.h"

namespace whittle {

class GoalDistance {
 public:
  // requires: `words` is prepared
  GoalDistance(const TransitionSystem& system, WordSystem& words);

  // False: the goal is too large, or has no code.
  [[nodiscard]] bool known() const { return known_; }
  // Of words.next(); 0 for goals, at most kMaxDistance.
  [[nodiscard]] std::uint32_t operator()();

  static constexpr std::uint32_t kMaxDistance = 1'023;

 private:
  // A program for a stack of distances.
  struct Operation {
    enum class Kind : std::uint8_t {
      Condition,  // 0 where `left` holds, otherwise 1
      Equal,      // of the distance of `left` and `right`
      AtMost,     // by how much `left` exceeds `right`
      Location,   // steps in the control-flow graph from where the variable is
      Sum,        // of the last `count`
      Least,      // of the last `count`
    };
    Kind kind = Kind::Condition;
    std::uint32_t count = 0;
    WordCode left, right;
    std::size_t place = 0;             // Location: its word
    std::vector<std::uint32_t> steps;  // Location: by value
  };

  void build(Expr goal);
  [[nodiscard]] bool leaf(Expr term, bool negated);
  [[nodiscard]] bool location(Expr left, Expr right);
  [[nodiscard]] std::vector<std::uint32_t> steps_to(std::uint32_t variable, std::uint32_t target);
  [[nodiscard]] std::uint32_t evaluate(const std::int64_t* words);

  const TransitionSystem& system_;
  ExprPool& pool_;
  WordSystem& words_;
  bool known_ = false;
  std::vector<Operation> program_;
  std::vector<std::uint32_t> stack_;
};

}  // namespace whittle

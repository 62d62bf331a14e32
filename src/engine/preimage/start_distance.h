// SPDX-License-Identifier: Apache-2.0
// How many steps a set of states is away from the first states, at least; start_distance.cpp says
// what is known about that.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absint/interval/first_states.h"
#include "absint/interval/value_range.h"
#include "engine/preimage/cube_builder.h"
#include "ir/symbol_variables.h"
#include "ir/transition_system.h"

namespace whittle {

// The least number of steps in which each location can be reached, by its own machine alone.
class LocationSteps {
 public:
  LocationSteps(const TransitionSystem& system, const FirstStates& first);
  // To one of the values low..high of the variable; StartDistance::kNever: to none. 0 for variables
  // that are no locations.
  [[nodiscard]] std::uint64_t to(std::uint32_t variable, std::int64_t low, std::int64_t high) const;
  // No transition moves more than one machine.
  [[nodiscard]] bool one_by_one() const { return one_by_one_; }

 private:
  std::vector<std::vector<std::uint64_t>> steps_;  // by variable, by location; empty: no location
  bool one_by_one_ = true;
};

// What sets of runs a distance is about, and by what it may be found.
struct DistanceSettings {
  std::optional<std::uint64_t> most;  // runs of at most so many steps; empty: all runs
  bool ranges = true;                 // by ranges of values, too
};

// By depth: what ranges (depth_bounds.h) know.
class DepthRanges {
 public:
  static constexpr std::size_t kDepths = 64;

  // Without a bound there is something to say about any number of steps, too.
  DepthRanges(const TransitionSystem& system, const SymbolVariables& variables,
              const DistanceSettings& settings);
  // Bit k: the literal is possible after k steps; the last bit: after so many or more.
  [[nodiscard]] std::uint64_t possible(const BoundLiteral& literal, Expr term);
  // The literal is possible after some number of steps, as far as `always` tells.
  [[nodiscard]] bool ever_possible(const BoundLiteral& literal, Expr term);
  // By variable: ranges that hold in the first states and are kept by all transitions; empty: none
  // were found.
  [[nodiscard]] const std::vector<ValueRange>& always() const { return always_; }
  // There is no first state.
  [[nodiscard]] bool nothing_starts() const { return nothing_starts_; }

 private:
  // A range of a term, in the numbers that literals have.
  struct Numbers {
    std::uint64_t mask = ~0ULL;  // of a Bool or an Enum: bit by bit
    std::int64_t low = CubeBuilder::kLeast;
    std::int64_t high = CubeBuilder::kMost;
    [[nodiscard]] bool allow(const BoundLiteral& literal) const;
  };
  [[nodiscard]] Numbers evaluated(Expr term, const std::vector<ValueRange>& ranges) const;
  const std::vector<Numbers>& numbers(std::uint32_t number, Expr term);

  const ExprPool& pool_;
  const SymbolVariables& variables_;
  std::vector<std::vector<ValueRange>> ranges_;  // by depth, by variable
  bool settled_ = false;                         // the last of them stays
  bool dead_ = false;                            // no run has more steps
  bool nothing_starts_;
  std::vector<ValueRange> always_;
  // By number of the term: its range at each depth, then in `always_`; empty: not asked for yet.
  std::vector<std::vector<Numbers>> numbers_;
};

class StartDistance {
 public:
  static constexpr std::uint64_t kNever = UINT64_MAX;

  StartDistance(const TransitionSystem& system, const SymbolVariables& variables,
                const FirstStates& first, const CubeBuilder& builder,
                const DistanceSettings& settings);

  // A state of the cube is reached after so many steps at the earliest, `least` or more; kNever: it
  // is not. Without a bound that is said only where `invariant` excludes the cube.
  [[nodiscard]] std::uint64_t operator()(const Cube& cube, std::uint64_t least);

  // As far as ranges tell: there is no first state.
  [[nodiscard]] bool nothing_starts() const { return ranges_.nothing_starts(); }

  // What kNever was said for: holds in the first states and is kept by all transitions. Empty:
  // there is no way to say it.
  [[nodiscard]] std::optional<std::vector<Expr>> invariant() const;

 private:
  struct Known {
    std::uint64_t depths = 0;  // DepthRanges::possible
    std::uint64_t steps = 0;   // LocationSteps::to
  };
  const Known& known(LiteralId id);
  [[nodiscard]] bool can_be_said(SymbolId symbol) const;
  [[nodiscard]] std::vector<char> kept_by() const;

  const TransitionSystem& system_;
  const SymbolVariables& variables_;
  const CubeBuilder& builder_;
  bool bounded_;
  DepthRanges ranges_;
  LocationSteps locations_;
  std::vector<Known> known_;  // by literal
  std::vector<char> used_;    // by variable: in a literal that is never possible
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Where symbols have few values: all of Bool and Enum, and the whole numbers that a condition keeps
// between constants. With them the first states and the steps of a finite system can be listed.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "expr/interval.h"
#include "ir/run/flat_run.h"
#include "ir/transition_system.h"

namespace whittle {

// What a condition says about single symbols and single cells of arrays.
class FiniteChoices {
 public:
  FiniteChoices(const ExprPool& pool, Expr condition);

  // All values that the symbol can have where the condition holds (and perhaps more); empty: not
  // known, or more than `most`.
  [[nodiscard]] std::optional<std::vector<Value>> of(SymbolId symbol, std::size_t most) const;

 private:
  struct Bounds {
    Interval integers{true, {}, {}, false, false};
    std::optional<Value> only;
  };
  void learn(Expr conjunct, bool negated);
  [[nodiscard]] Bounds* about(Expr term);
  [[nodiscard]] std::optional<std::vector<Value>> values(const Bounds* bounds, Type type,
                                                         std::size_t most) const;

  const ExprPool& pool_;
  std::unordered_map<SymbolId, Bounds> symbols_;
  std::unordered_map<SymbolId, std::unordered_map<std::uint64_t, Bounds>> cells_;
};

// One value for each symbol; empty: not all are known, or there are more lists than `most`.
[[nodiscard]] std::optional<std::vector<std::vector<Value>>> finite_tuples(
    const FiniteChoices& choices, const std::vector<SymbolId>& symbols, std::size_t most);

// What a step can choose: its inputs, then the next values of its open variables.
[[nodiscard]] std::vector<SymbolId> chosen_symbols(const TransitionSystem& system,
                                                   const Transition& transition);
// A step with these values of `chosen_symbols`.
[[nodiscard]] FlatStep chosen_step(const TransitionSystem& system, std::uint32_t transition,
                                   const std::vector<Value>& choice);

// Transitions by where they can be taken: most say where their process has to be.
struct PlacedTransitions {
  struct Place {
    std::uint32_t variable;                         // a location
    std::vector<std::vector<std::uint32_t>> there;  // by its value: transitions
  };
  std::vector<Place> places;
  std::vector<std::uint32_t> anywhere;
};
[[nodiscard]] PlacedTransitions place_transitions(const TransitionSystem& system);

// All states that satisfy `init`; empty: too many to try, or not known.
[[nodiscard]] std::optional<std::vector<FlatState>> finite_first_states(
    const TransitionSystem& system, FlatRun& run, std::size_t most);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Copies of a system's terms over time: `at_time(x' == x + i, 3)` is `x@4 == x@3 + i@3`.
//
// State variables get a symbol per time when they are first asked for, unless `define` has said
// what they are: a variable that nobody writes at a step needs no symbol of its own. Times may be
// asked for in any order; going forward is cheapest, because the copies of one time are remembered.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/expr.h"
#include "expr/term_places.h"
#include "ir/transition_system.h"

namespace whittle {

class Unroller {
 public:
  explicit Unroller(const TransitionSystem& system);

  // The term with current symbols at time k, next symbols at k + 1 and inputs of step k. Symbols
  // that do not belong to the system stay as they are.
  [[nodiscard]] Expr at_time(Expr term, std::uint64_t k);
  // State variable number `variable` at time k.
  [[nodiscard]] Expr variable(std::uint32_t variable, std::uint64_t k);
  // The symbol (a current one or an input) at time k.
  [[nodiscard]] Expr symbol(SymbolId symbol, std::uint64_t k);
  // requires: the variable at time k was not asked for yet
  void define(std::uint32_t variable, std::uint64_t k, Expr value);
  // A symbol that is no copy of one of the system's: `name@k`.
  [[nodiscard]] Expr fresh(std::string_view name, Type type, std::uint64_t k);

 private:
  enum class Kind : std::uint8_t { Foreign, Current, Next, Input };
  struct Meaning {
    Kind kind = Kind::Foreign;
    std::uint32_t index = 0;  // state variable, or number of the input
  };

  void learn(SymbolId symbol, Kind kind, std::uint32_t index);
  [[nodiscard]] Meaning meaning(SymbolId symbol) const;
  [[nodiscard]] Expr input(std::uint32_t input, std::uint64_t k);
  Expr& slot(std::vector<std::vector<Expr>>& table, std::uint64_t k, std::uint32_t index,
             std::size_t size);

  ExprPool& pool_;
  const TransitionSystem& system_;
  std::vector<Meaning> meanings_;                // by symbol; shorter than the pool's list
  std::vector<SymbolId> inputs_;                 // of all transitions and of the goal
  std::vector<std::vector<Expr>> variables_;     // by time, by variable; invalid: not asked for yet
  std::vector<std::vector<Expr>> input_copies_;  // by time, by number of the input
  TermPlaces places_;
  std::uint64_t time_ = 0;    // which time copies_ is about
  std::vector<Expr> copies_;  // by place: the copy at time_; invalid: not made
};

}  // namespace whittle

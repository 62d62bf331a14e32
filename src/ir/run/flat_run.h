// SPDX-License-Identifier: Apache-2.0
// A flat system, run concretely: exact evaluation of guards, updates and relations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/evaluate.h"
#include "ir/run/repetition.h"
#include "ir/transition_system.h"

namespace whittle {

using FlatState = std::vector<Value>;  // one per state variable

class FlatRun {
 public:
  explicit FlatRun(const TransitionSystem& system);

  // Does the condition hold in the state, with these inputs? Undefined counts as no.
  [[nodiscard]] bool holds(Expr condition, const FlatState& state,
                           const std::vector<SymbolId>& inputs = {},
                           const std::vector<Value>& values = {});
  // Takes the step once, in place; or says why it cannot and leaves the state.
  [[nodiscard]] std::optional<std::string> advance(FlatState& state, const FlatStep& step);
  // Takes the step once or as often as it says; the first refusal. Very many repetitions are leapt
  // over where that is certain (repetition.h).
  [[nodiscard]] std::optional<std::string> advance_all(FlatState& state, const FlatStep& step);

 private:
  struct View {
    const FlatState* state = nullptr;
    const std::vector<SymbolId>* inputs = nullptr;
    const std::vector<Value>* values = nullptr;
    const std::vector<std::pair<std::uint32_t, Value>>* open = nullptr;
  };
  [[nodiscard]] std::optional<Value> value_of(SymbolId symbol) const;
  [[nodiscard]] bool advance_repeated(FlatState& state, const FlatStep& step, std::uint64_t n);

  const TransitionSystem& system_;
  Evaluator evaluator_;
  Evaluator::Lookup lookup_;
  std::vector<std::pair<std::uint32_t, bool>> meaning_;  // by symbol: variable, is it the next one
  View view_;
  std::vector<std::pair<std::uint32_t, Value>> pending_;
  Observations* observations_ = nullptr;
};

}  // namespace whittle

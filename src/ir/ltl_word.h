// SPDX-License-Identifier: Apache-2.0
// The value of a formula on an ultimately periodic word, straight from the definition of the
// operators: no automaton takes part, so that this can judge what automata say.
#pragma once

#include <cstddef>
#include <functional>

#include "ir/ltl.h"

namespace whittle {

// Positions 0 .. length - 1; behind the last comes position `loop` again. A run that ends repeats
// its last state: then `loop` is length - 1.
struct LassoWord {
  std::size_t length = 0;  // at least 1
  std::size_t loop = 0;    // less than length

  // The word of a run that ends with its `length`th state.
  [[nodiscard]] static LassoWord stays(std::size_t length) { return {length, length - 1}; }
};

// Whether an atom holds at a position.
using LetterOf = std::function<bool(Expr condition, std::size_t position)>;

// Does the formula hold at the beginning of the word? Time: formula times positions, these
// unrolled until what the past operators remember repeats (at most once per past operator and once
// more). requires: no future operator below a past one
[[nodiscard]] bool holds_on(const LtlPool& ltl, LtlFormula f, const LassoWord& word,
                            const LetterOf& letter);

}  // namespace whittle

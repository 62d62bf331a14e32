// SPDX-License-Identifier: Apache-2.0
// What a formula still asks for after a finite word: it is carried through the letters (Bacchus,
// Kabanza, Planning for temporally extended goals, 1998). Past operators are evaluated on the way.
#pragma once

#include <functional>
#include <unordered_map>

#include "ir/ltl.h"

namespace whittle {

class Progression {
 public:
  // requires: the formula is in negation normal form, without future operators below past ones
  Progression(LtlPool& ltl, LtlFormula f) : ltl_(ltl), left_(f) {}

  // The next letter.
  void read(const std::function<bool(Expr condition)>& letter);
  // What is left; asked of the word behind the letters that were read.
  [[nodiscard]] LtlFormula left() const { return left_; }
  // Nothing: whatever follows, the formula holds.
  [[nodiscard]] bool done() const { return ltl_.is_true(left_); }

 private:
  LtlPool& ltl_;
  LtlFormula left_;
  // Of past formulas: their values at the position that was read last. None: nothing was read.
  std::unordered_map<LtlFormula, bool> before_;
  bool begun_ = false;
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Formulas over whole numbers of known ranges as formulas over bits, with exactly the same models.
//
// A question about the order in which processes take their steps is mostly logic and little
// arithmetic, and a SAT solver that sees the bits of numbers and program counters decides it
// several times as fast as linear arithmetic does (`bmc` up to depth 15 of the random programs of
// `whittle bench projections`: 7 s instead of 55 s).
//
//   NumberBits bits(pool);
//   bits.learn(conditions);              // required: their ranges hold
//   if (!bits.bounded()) ...             // some number has no range that is known
//   solver.require(bits(condition)), for each of them and for each of bits.take_facts()
//
// Numbers have one width, in two's complement, in which every term fits; enumerations have as many
// bits as they need. What is required later may need a greater width: then `bounded()` still holds,
// `outgrown()` does, too, and everything is to be required again from a new solver.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absint/interval/value_range.h"
#include "expr/expr_map.h"
#include "smt/solver.h"

namespace whittle {

class NumberBits {
 public:
  explicit NumberBits(ExprPool& pool) : pool_(pool) {}

  // Looks at conditions that all are going to be required.
  void learn(std::span<const Expr> conditions);
  // Every number so far has a range, not too wide a one, and every operator can be had over bits.
  [[nodiscard]] bool bounded() const { return bounded_; }
  // What was translated so far has become too narrow; begins with a greater width.
  [[nodiscard]] bool outgrown();

  // requires: learned, bounded, not outgrown
  [[nodiscard]] Expr operator()(Expr condition);
  // What holds of the symbols that were translated since the last call.
  [[nodiscard]] std::vector<Expr> take_facts();
  // The value of a symbol or constant in a model of the translated conditions.
  [[nodiscard]] Value value(Expr term, smt::Solver& solver);

 private:
  void learn_range(Expr fact);
  void find_range(Expr term);
  [[nodiscard]] bool divides_well(Expr term) const;
  [[nodiscard]] Expr translated(Expr term);
  [[nodiscard]] Expr translated_symbol(Expr term);
  [[nodiscard]] Expr translated_constant(Expr term);
  [[nodiscard]] std::uint32_t width_of(Type type) const;
  [[nodiscard]] Expr bits(std::int64_t value, std::uint32_t width);

  ExprPool& pool_;
  bool bounded_ = true;
  std::uint32_t needed_ = 2;     // width of the widest number
  std::uint32_t width_ = 0;      // of all numbers
  ExprMap<ValueRange> stated_;   // of symbols, by what is required
  ExprMap<ValueRange> ranges_;   // of terms that were looked at
  ExprMap<Expr> translations_;   // at this width
  std::vector<Expr> facts_;      // not taken yet
  std::vector<Expr> arguments_;  // of the term at hand
};

}  // namespace whittle

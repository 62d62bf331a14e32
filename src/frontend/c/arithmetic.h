// SPDX-License-Identifier: Apache-2.0
// Arithmetic of C's integers in terms over Int or over bit vectors.
//
// A number over Int is kept as a term that is congruent to its value modulo 2^width, with bounds
// that are known of the term. It becomes the value itself (`settled`) only where that matters: in
// comparisons, divisions, conversions to wider types and assignments. So `a + b - c` wraps once.
// Where the bounds show that nothing wraps, nothing is written down; where little can, it is a
// distinction of cases and not `mod`, which engines handle badly.
#pragma once

#include <functional>

#include "expr/expr.h"
#include "frontend/c/tree.h"
#include "frontend/c/types.h"

namespace whittle::c {

struct Number {
  Expr term;
  TypeId type = kInt;
  Integer low;  // of the term; not of bits
  Integer high;
  Expr truth = {};    // valid: the term is 1 where this holds, and else 0
  bool bits = false;  // the term is a bit vector as wide as the type, and always settled
};

// What C leaves undefined: it happens where the condition holds.
enum class Fault : std::uint8_t {
  Division,  // by zero
  Quotient,  // the least number divided by -1, which processors do not wrap either
  Shift,     // by a negative amount, or by all bits
  Overflow,  // of signed arithmetic
};

class Arithmetic {
 public:
  using Report = std::function<void(Fault, Expr)>;

  // With `trap` a signed number that overflows is reported and then taken to be in range; else, if
  // `check`, it is reported and wraps.
  Arithmetic(ExprPool& pool, const Types& types, bool trap, bool check)
      : pool_(pool), types_(types), trap_(trap), check_(check) {}

  void report_to(Report report) { report_ = std::move(report); }

  [[nodiscard]] Number constant(const Integer& value, TypeId type) const;
  // A term whose values are those of the type.
  [[nodiscard]] Number value(Expr term, TypeId type) const;
  [[nodiscard]] Number truth(Expr condition, TypeId type = kInt) const;

  [[nodiscard]] Expr condition(const Number& n) const;
  [[nodiscard]] Number convert(const Number& n, TypeId type) const;
  // requires: both operands have the type (of shifts: the left one), unless it is a comparison,
  // whose operands have one type
  [[nodiscard]] Number binary(Operator op, const Number& a, const Number& b, TypeId type) const;
  [[nodiscard]] Number unary(Operator op, const Number& a, TypeId type) const;
  [[nodiscard]] Number choose(Expr condition, const Number& a, const Number& b) const;

  [[nodiscard]] Number settled(const Number& n) const;
  [[nodiscard]] Expr as_int(const Number& n) const;
  [[nodiscard]] Expr as_bits(const Number& n) const;
  [[nodiscard]] std::optional<Integer> constant_value(const Number& n) const;

  // Can `x op amount-or-mask` be said by arithmetic, `right` being its constant operand?
  [[nodiscard]] static bool is_arithmetic(Operator op, const std::optional<Integer>& right,
                                          unsigned width);

 private:
  [[nodiscard]] Expr number(const Integer& value) const { return pool_.integer(value); }
  [[nodiscard]] Expr bit_constant(const Integer& value, unsigned width) const;
  [[nodiscard]] Number in_range(Expr term, TypeId type, const Integer& low,
                                const Integer& high) const;
  [[nodiscard]] bool few_wraps(const Integer& low, const Integer& high, TypeId type) const;
  [[nodiscard]] bool exact(TypeId type) const {
    return (trap_ || check_) && types_.is_signed(type);
  }
  void report(Fault fault, Expr condition) const;
  [[nodiscard]] Number overflowing(Expr term, TypeId type, const Integer& low,
                                   const Integer& high) const;

  [[nodiscard]] Number sum(Operator op, const Number& a, const Number& b, TypeId type) const;
  [[nodiscard]] Number product(const Number& a, const Number& b, TypeId type) const;
  [[nodiscard]] Number quotient(Operator op, const Number& a, const Number& b, TypeId type) const;
  [[nodiscard]] Number compared(Operator op, const Number& a, const Number& b) const;
  [[nodiscard]] Number shifted(Operator op, const Number& a, const Number& b, TypeId type) const;
  [[nodiscard]] Number masked(Operator op, const Number& a, const Number& b, TypeId type) const;
  [[nodiscard]] Number of_bits(Operator op, const Number& a, const Number& b, TypeId type) const;
  [[nodiscard]] Expr compare_bits(Operator op, Expr a, Expr b, bool is_signed) const;
  void check_bits(Operator op, Expr a, Expr b, TypeId type) const;

  ExprPool& pool_;
  const Types& types_;
  bool trap_;
  bool check_;
  Report report_;
};

}  // namespace whittle::c

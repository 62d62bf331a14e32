// SPDX-License-Identifier: Apache-2.0
// Which theories a set of terms needs. A solver that is told is up to ten times faster than one
// that must be ready for everything.
#pragma once

#include <span>
#include <string>

#include "expr/expr.h"

namespace whittle::smt {

struct Logic {
  bool arrays = false;     // arrays and sets
  bool functions = false;  // symbols with parameters
  bool bit_vectors = false;
  bool strings = false;
  bool integers = false;
  bool reals = false;
  bool nonlinear = false;  // products, quotients or remainders of terms that are not constant

  bool operator==(const Logic&) const = default;
  [[nodiscard]] bool includes(const Logic& other) const;
  [[nodiscard]] Logic join(const Logic& other) const;
  // "QF_LIA", "QF_AUFLIRA", ...; "ALL" where SMT-LIB has no name for the combination.
  [[nodiscard]] std::string name() const;
};

[[nodiscard]] Logic logic_of(const ExprPool& pool, std::span<const Expr> terms);

}  // namespace whittle::smt

// SPDX-License-Identifier: Apache-2.0
// The facts about operators that several parts need, in one table: names, arity, notation.
#pragma once

#include <cstdint>

#include "expr/expr.h"

namespace whittle {

// How strongly a notation binds; the levels of LANGUAGES, weakest first.
enum class Precedence : std::uint8_t {
  Weakest,  // quantifiers, `c ? a : b`
  Implies,
  Or,
  And,
  Equality,
  Comparison,
  Not,
  Sum,
  Product,
  Power,
  Sign,
  Atom,
};

enum class OperatorNotation : std::uint8_t {
  Infix,    // a + b
  Prefix,   // !a
  Call,     // card(a)
  Special,  // the printer knows
};

inline constexpr std::uint32_t kAnyArity = UINT32_MAX;

struct OperatorFacts {
  Op op;
  const char* name;    // as in `Op`
  const char* symbol;  // as printed and as in messages
  std::uint32_t min_arity;
  std::uint32_t max_arity;
  OperatorNotation notation;
  Precedence precedence;
};

[[nodiscard]] const OperatorFacts& facts(Op op);

}  // namespace whittle

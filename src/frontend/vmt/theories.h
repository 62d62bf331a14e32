// SPDX-License-Identifier: Apache-2.0
// The functions of SMT-LIB's theories that VMT-LIB files use: Booleans, integers, reals, bit
// vectors, arrays and the little of strings that our terms have.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/expr.h"

namespace whittle::vmt {

// The term, or why there is none.
struct Applied {
  Expr term;            // invalid: see `problem`
  std::string problem;  // "`bvadd` needs two bit vectors, but its right side is Int"
};

// Bit vectors up to this width are read.
inline constexpr std::uint32_t kMaxWidth = 1U << 20;

[[nodiscard]] bool is_theory_function(std::string_view name);
// Names that no file can give another meaning: words of SMT-LIB, Boolean functions, signs. Others,
// such as `repeat`, belong to theories that a file need not use, and are names of its variables.
[[nodiscard]] bool is_core_name(std::string_view name);
// For "did you mean".
[[nodiscard]] std::span<const std::string_view> theory_functions();

// The term as a real. Terms of numerals alone (`(ite c 0 1)`) become real inside, so that no
// integers stay behind in a logic of reals. requires: Int or Real.
[[nodiscard]] Expr as_real(ExprPool& pool, Expr e);

// `(name a b)`, or `((_ name i j) a b)` with indices. Integers become reals where a real stands
// beside them. requires: is_theory_function(name).
[[nodiscard]] Applied apply_theory(ExprPool& pool, std::string_view name,
                                   std::span<const Integer> indices, std::vector<Expr> arguments);

}  // namespace whittle::vmt

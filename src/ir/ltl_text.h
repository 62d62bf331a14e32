// SPDX-License-Identifier: Apache-2.0
// The short notation of formulas that papers use: `G(p -> F q)`, `[](p -> <>q)`, `!p W q`. For
// schemes (rules, patterns), messages and tests; what users write is read by their language.
//
//   unary ! X G F O H [] <>, then U W R S T (right), then & && , then | ||, then -> (right), <->
//
// Names begin with a small letter and have no capitals, so that `GFa`, `aUb` need no blanks.
// O, H, S are once, historically, since; T is the dual of S. 1 and 0 are true and false.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ir/ltl.h"

namespace whittle {

// What a name stands for.
using LtlNames = std::function<LtlFormula(std::string_view name)>;

// requires: the text is a formula (it is ours; a mistake in it is an InternalError)
[[nodiscard]] LtlFormula read_ltl(LtlPool& ltl, std::string_view text, const LtlNames& names);

// How a condition is written.
using LtlConditionText = std::function<std::string(Expr condition)>;
[[nodiscard]] std::string print_ltl(const LtlPool& ltl, LtlFormula f,
                                    const LtlConditionText& condition);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// From a declaration of temporal logic to what is asked about runs.
#pragma once

#include <functional>
#include <optional>

#include "base/diagnostics.h"
#include "frontend/expression/expression_typer.h"
#include "frontend/ltl_parser.h"
#include "ir/network.h"

namespace whittle::frontend {

// The meaning of a piece of syntax; invalid after a report.
using FormulaOf = std::function<LtlFormula(SyntaxId)>;

// The formula with negations and conjunctions of conditions as one condition, where these are
// always defined; so it reads as people would write it.
[[nodiscard]] LtlFormula with_joined_conditions(LtlPool& ltl, ExprPool& pool, LtlFormula f);

// The formula of a pattern; invalid: a part is (which was reported), or there is no such scope.
[[nodiscard]] LtlFormula pattern_of(const PatternSyntax& syntax, LtlPool& ltl, ExprPool& pool,
                                    Diagnostics& diagnostics, const FormulaOf& formula_of);

// Nothing: a part could not be read or is wrong, which was reported.
[[nodiscard]] std::optional<RunGoal> run_goal(const LtlDeclaration& declaration, LtlPool& ltl,
                                              ExprPool& pool, Diagnostics& diagnostics,
                                              const FormulaOf& formula_of);
// The same with conditions of a language that shares our expressions.
[[nodiscard]] std::optional<RunGoal> run_goal(const LtlDeclaration& declaration,
                                              ExpressionTyper& typer, Scope& scope,
                                              const Network& network, Diagnostics& diagnostics);

}  // namespace whittle::frontend

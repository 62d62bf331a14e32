// SPDX-License-Identifier: Apache-2.0
// Does a product look for every run that refutes a property? Its automaton has to accept every word
// of the formula (automaton_check.h), and what past operators remember has to be what they mean.
// For a product that asks for a state (LiveFormula::sinks): every accepting component is in there.
#pragma once

#include <optional>
#include <string>

#include "ir/live/product.h"
#include "ir/ltl.h"

namespace whittle {

// What is wrong; none: every run of a word of `refuting`, a formula over atoms of the flat system,
// is found.
[[nodiscard]] std::optional<std::string> live_formula_problem(
    LtlPool& ltl, ExprPool& pool, LtlFormula refuting, const LiveFormula& formula,
    const AutomatonCertificate& certificate, const TransitionSystem& system);

}  // namespace whittle

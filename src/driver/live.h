// SPDX-License-Identifier: Apache-2.0
// A property of temporal logic on its way: from the formula of a network to an automaton over the
// conditions of its flat system. Never the other way round: what refutes a property is the negation
// of what it demands (ir/ltl.h), and past operators go before the automaton is made.
#pragma once

#include "ir/automaton.h"
#include "ir/live/product.h"
#include "ir/lowering/lower.h"
#include "ir/network.h"

namespace whittle {

struct LiveQuestion {
  LtlFormula refuting;  // over conditions of the flat system, with past operators
  LiveFormula formula;
  AutomatonCertificate certificate;
  AutomatonStrength strength = AutomatonStrength::General;
};

// `prefixes`: where a finite run can show a violation, the question is whether there is one.
// requires: a property of temporal logic, lowered. Throws ResourceError where the automaton gets
// too large.
[[nodiscard]] LiveQuestion live_question(Network& network, PropertyId property,
                                         const Lowered& lowered, bool prefixes);

// For products with systems that this lowering made.
[[nodiscard]] AtStep at_step(const Lowered& lowered);

}  // namespace whittle

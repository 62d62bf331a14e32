// SPDX-License-Identifier: Apache-2.0
// Questions about infinite runs for formats that have formulas of temporal logic but neither our
// fairness nor our atoms about steps: fairness is written into the formula, and a variable says
// which step came last.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/lowering/lower.h"

namespace whittle {

struct LiveExport {
  TransitionSystem system;  // without acceptance and fairness
  LtlPool* ltl = nullptr;   // of the network
  LtlFormula formula;       // all runs satisfy it; in negation normal form, over current symbols
};

// requires: a property of temporal logic, lowered. Throws Inexpressible where something about the
// runs could not be said in the flat system.
[[nodiscard]] LiveExport live_export(Network& network, PropertyId property, const Lowered& lowered);

// How a format writes formulas. Operators without a word cannot be written.
struct LtlSyntax {
  std::string_view negation, conjunction, disjunction;
  std::string_view next;  // empty: there is none
  std::string_view eventually, always;
  std::string_view until, release;
  std::string_view since, trigger;  // empty: there is no past
  bool prefix = false;              // (op a b), and not (a op b)
  std::string_view yes, no;
};

// Throws Inexpressible. `atom`: the text of a condition.
[[nodiscard]] std::string formula_text(const LtlPool& ltl, LtlFormula formula,
                                       const LtlSyntax& syntax,
                                       const std::function<std::string(Expr)>& atom);

}  // namespace whittle

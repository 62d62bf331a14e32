// SPDX-License-Identifier: Apache-2.0
// Equivalences of formulas in negation normal form without past, as pairs of schemes, for making
// formulas smaller before they are translated. Who rewrites names rule and arguments of each step,
// and who checks repeats the steps with the functions here (LtlReplacement in ir/automaton.h).
//
// Letters of a scheme: a b c any formula; e an eventual one, u a universal one, s one that is both;
// n the negation of a. Each rule is proved in the tests for fresh atoms, with F d for e, G d for u,
// GF d for s and !a for n. That is enough: LTL is closed under substitution, and e = F e, u = G u,
// s = GF s.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ir/ltl.h"

namespace whittle {

struct LtlRule {
  std::string_view from;  // in the notation of ir/ltl_text.h
  std::string_view to;
};

[[nodiscard]] std::span<const LtlRule> ltl_rules();

// What the letters stand for, in the order of kLtlRuleLetters; invalid where a rule has no such.
inline constexpr std::string_view kLtlRuleLetters = "abceusn";

// A pure eventuality: if it holds on a word, then also with anything put in front of it, so that
// f = F f (Etessami, Holzmann, CONCUR 2000). By its shape; a formula may be one without looking so.
[[nodiscard]] bool is_eventual(const LtlPool& ltl, LtlFormula f);
// Purely universal: if it holds on a word, then also on every suffix, so that f = G f.
[[nodiscard]] bool is_universal(const LtlPool& ltl, LtlFormula f);

struct LtlRuleInstance {
  LtlFormula from;
  LtlFormula to;
};

// Both sides with these arguments; none: a letter has no argument, or not one of its kind.
[[nodiscard]] std::optional<LtlRuleInstance> instance(LtlPool& ltl, const LtlRule& rule,
                                                      std::span<const LtlFormula> arguments);

// `f` with `to` wherever `from` stands. Where `from` is a conjunction (disjunction), also for some
// of the parts of a longer one.
[[nodiscard]] LtlFormula replaced(LtlPool& ltl, LtlFormula f, LtlFormula from, LtlFormula to);

}  // namespace whittle

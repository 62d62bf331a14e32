// SPDX-License-Identifier: Apache-2.0
// The property patterns of Dwyer, Avrunin, Corbett (Patterns in property specifications for
// finite-state verification, ICSE 1999) as formulas, for every language.
//
//   Pattern pattern{PatternBody::Response, PatternScope::Globally};
//   pattern.s = reply;
//   pattern.p = request;
//   std::optional<LtlFormula> f = pattern_formula(ltl, pattern);  // [](request -> <>reply)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "ir/ltl.h"

namespace whittle::frontend {

enum class PatternBody : std::uint8_t {
  Absence,           // absence of P
  Universality,      // universality of P
  Existence,         // existence of P
  ExistenceAtMost,   // existence of P at most n times: P becomes true so often
  Precedence,        // S precedes P
  Response,          // S responds to P
  PrecedenceChain,   // S, T precede P
  PrecedesChain,     // P precedes S, T
  ResponseChain,     // S, T respond to P
  ConstrainedChain,  // S, T without Z respond to P
  RespondsToChain,   // P responds to S, T
};

enum class PatternScope : std::uint8_t {
  Globally,
  Before,      // before R
  After,       // after Q
  Between,     // between Q and R
  AfterUntil,  // after Q until R
};

struct Pattern {
  PatternBody body = PatternBody::Absence;
  PatternScope scope = PatternScope::Globally;
  LtlFormula p, q, r, s, t, z;  // those that body and scope mention
  unsigned times = 0;           // ExistenceAtMost
  bool exclusive = false;       // S and T never hold together: then a chain needs no `X`
};

// None: there is no such scope for this body.
[[nodiscard]] std::optional<LtlFormula> pattern_formula(LtlPool& ltl, const Pattern& pattern);

struct PatternBodyInfo {
  PatternBody body;
  std::string_view text;     // "S responds to P"
  std::string_view letters;  // "sp": those it mentions
};
struct PatternScopeInfo {
  PatternScope scope;
  std::string_view text;  // "between Q and R"
  std::string_view letters;
};

// All of them, in the order of the enumerations.
[[nodiscard]] std::span<const PatternBodyInfo> pattern_bodies();
[[nodiscard]] std::span<const PatternScopeInfo> pattern_scopes();

// The most that `existence of P at most n times` takes; the formula grows with n.
inline constexpr unsigned kMostPatternTimes = 20;

}  // namespace whittle::frontend

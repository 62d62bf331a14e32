// SPDX-License-Identifier: Apache-2.0
// A row for each body, a column for each scope. Two published mappings are wrong and differ here:
// `S precedes P after Q` was about some Q, ours is about the first; `S, T respond to P` after Q
// (and until R) lacked a `<>`.
//
// Small letters are what the pattern is about; `f` is the part of a row that its body computes:
// what answers P in a response, the obligation at the beginning of a scope in a bounded existence.
#include "frontend/ltl_patterns.h"

#include <array>

#include "ir/ltl_text.h"

namespace whittle::frontend {

namespace {

constexpr std::array kBodies = {
    PatternBodyInfo{PatternBody::Absence, "absence of P", "p"},
    PatternBodyInfo{PatternBody::Universality, "universality of P", "p"},
    PatternBodyInfo{PatternBody::Existence, "existence of P", "p"},
    PatternBodyInfo{PatternBody::ExistenceAtMost, "existence of P at most n times", "p"},
    PatternBodyInfo{PatternBody::Precedence, "S precedes P", "sp"},
    PatternBodyInfo{PatternBody::Response, "S responds to P", "sp"},
    PatternBodyInfo{PatternBody::PrecedenceChain, "S, T precede P", "stp"},
    PatternBodyInfo{PatternBody::PrecedesChain, "P precedes S, T", "pst"},
    PatternBodyInfo{PatternBody::ResponseChain, "S, T respond to P", "stp"},
    PatternBodyInfo{PatternBody::ConstrainedChain, "S, T without Z respond to P", "stzp"},
    PatternBodyInfo{PatternBody::RespondsToChain, "P responds to S, T", "pst"},
};

constexpr std::array kScopes = {
    PatternScopeInfo{PatternScope::Globally, "globally", ""},
    PatternScopeInfo{PatternScope::Before, "before R", "r"},
    PatternScopeInfo{PatternScope::After, "after Q", "q"},
    PatternScopeInfo{PatternScope::Between, "between Q and R", "qr"},
    PatternScopeInfo{PatternScope::AfterUntil, "after Q until R", "qr"},
};

// In the order of the scopes; empty: there is none.
using Row = std::array<std::string_view, kScopes.size()>;

constexpr Row kAbsence = {"G!p", "Fr -> (!p U r)", "G(q -> G!p)", "G((q & !r & Fr) -> (!p U r))",
                          "G((q & !r) -> (!p W r))"};
constexpr Row kUniversality = {"Gp", "Fr -> (p U r)", "G(q -> Gp)", "G((q & !r & Fr) -> (p U r))",
                               "G((q & !r) -> (p W r))"};
constexpr Row kExistence = {"Fp", "!r W (p & !r)", "G!q | F(q & Fp)",
                            "G((q & !r) -> (!r W (p & !r)))", "G((q & !r) -> (!r U (p & !r)))"};
constexpr Row kExistenceAtMost = {"f", "Fr -> f", "!q W (q & f)", "G((q & !r & Fr) -> f)",
                                  "G((q & !r) -> f)"};
constexpr Row kPrecedence = {"!p W f", "Fr -> (!p U (f | r))", "!q W (q & (!p W f))",
                             "G((q & !r & Fr) -> (!p U (f | r)))", "G((q & !r) -> (!p W (f | r)))"};
constexpr Row kResponse = {"G(p -> Ff)", "Fr -> ((p -> (!r U f)) U r)", "G(q -> G(p -> Ff))",
                           "G((q & !r & Fr) -> ((p -> (!r U f)) U r))",
                           "G((q & !r) -> ((p -> (!r U f)) W r))"};
constexpr Row kPrecedesChain = {"Ff -> (!s U p)", "Fr -> (!f U (r | p))", "", "", ""};
constexpr Row kRespondsToChain = {"G(f -> XF(t & Fp))", "", "", "", ""};
constexpr Row kRespondsToExclusiveChain = {"G(f -> F(t & Fp))", "", "", "", ""};

class Expansion {
 public:
  Expansion(LtlPool& ltl, const Pattern& pattern) : ltl_(ltl), pattern_(pattern) {}

  std::optional<LtlFormula> operator()() {
    const auto [row, part] = row_and_part();
    const std::string_view text = row[static_cast<std::size_t>(pattern_.scope)];
    if (text.empty()) return std::nullopt;
    return read(text, part);
  }

 private:
  [[nodiscard]] LtlFormula read(std::string_view text, LtlFormula part) {
    return read_ltl(ltl_, text, [&](std::string_view name) {
      const LtlFormula meant = argument(name.front(), part);
      WHITTLE_REQUIRE(meant.valid(), "a pattern lacks a formula");
      return meant;
    });
  }
  [[nodiscard]] LtlFormula argument(char letter, LtlFormula part) const {
    switch (letter) {
      case 'p':
        return pattern_.p;
      case 'q':
        return pattern_.q;
      case 'r':
        return pattern_.r;
      case 's':
        return pattern_.s;
      case 't':
        return pattern_.t;
      case 'z':
        return pattern_.z;
      default:
        return part;
    }
  }

  // Whether R ends the scope.
  [[nodiscard]] bool ends() const {
    return pattern_.scope == PatternScope::Before || pattern_.scope == PatternScope::Between ||
           pattern_.scope == PatternScope::AfterUntil;
  }

  [[nodiscard]] std::pair<Row, LtlFormula> row_and_part() {
    const LtlFormula none = ltl_.constant(true);
    const LtlFormula not_r = ends() ? ltl_.negation(pattern_.r) : none;
    switch (pattern_.body) {
      case PatternBody::Absence:
        return {kAbsence, none};
      case PatternBody::Universality:
        return {kUniversality, none};
      case PatternBody::Existence:
        return {kExistence, none};
      case PatternBody::ExistenceAtMost:
        return {kExistenceAtMost, at_most()};
      case PatternBody::Precedence:
        return {kPrecedence, pattern_.s};
      case PatternBody::Response:
        return {kResponse, ltl_.both(pattern_.s, not_r)};
      case PatternBody::PrecedenceChain:
        return {kPrecedence, then(ltl_.negation(pattern_.p), none)};
      case PatternBody::PrecedesChain:
        return {kPrecedesChain, then(not_r, not_r)};
      case PatternBody::ResponseChain:
        return {kResponse, then(not_r, not_r)};
      case PatternBody::ConstrainedChain:
        return {kResponse, then(ltl_.both(not_r, ltl_.negation(pattern_.z)), not_r)};
      case PatternBody::RespondsToChain:
        return {pattern_.exclusive ? kRespondsToExclusiveChain : kRespondsToChain,
                then(none, none)};
    }
    throw InternalError("no such pattern");
  }

  // S, and later T; `on_the_way` holds from S on until T, `at_end` where T holds.
  LtlFormula then(LtlFormula on_the_way, LtlFormula at_end) {
    const LtlFormula later = ltl_.until(on_the_way, ltl_.both(pattern_.t, at_end));
    return ltl_.conjunction(
        std::array{pattern_.s, on_the_way, pattern_.exclusive ? later : ltl_.next(later)});
  }

  // W(n) = !P W (P W W(n-1)) and W(0) = []!P; where R ends the scope
  // V(n) = (!P && !R) U (R || ((P && !R) U (R || V(n-1)))) and V(0) = !P U R, with W for U where R
  // may stay away.
  LtlFormula at_most() {
    WHITTLE_REQUIRE(pattern_.times <= kMostPatternTimes, "a pattern with too many times");
    std::array<std::string_view, 2> texts = {"G!p", "!p W (p W f)"};
    if (ends()) texts = {"!p U r", "(!p & !r) U (r | ((p & !r) U (r | f)))"};
    if (pattern_.scope == PatternScope::AfterUntil)
      texts = {"!p W r", "(!p & !r) W (r | ((p & !r) W (r | f)))"};
    LtlFormula result = read(texts[0], {});
    for (unsigned i = 0; i < pattern_.times; ++i) result = read(texts[1], result);
    return result;
  }

  LtlPool& ltl_;
  const Pattern& pattern_;
};

}  // namespace

std::optional<LtlFormula> pattern_formula(LtlPool& ltl, const Pattern& pattern) {
  return Expansion(ltl, pattern)();
}

std::span<const PatternBodyInfo> pattern_bodies() { return kBodies; }
std::span<const PatternScopeInfo> pattern_scopes() { return kScopes; }

}  // namespace whittle::frontend

// SPDX-License-Identifier: Apache-2.0
#include "ir/ltl_rules.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include "ir/ltl_text.h"

namespace whittle {

namespace {

constexpr std::array kRules = {
    LtlRule{"a | n", "1"},
    LtlRule{"a & n", "0"},
    // What comes back, once or for ever (Etessami, Holzmann 2000; Babiak et al., TACAS 2012).
    LtlRule{"a U e", "e"},
    LtlRule{"a R u", "u"},
    LtlRule{"Xs", "s"},
    LtlRule{"G(a | s)", "Ga | s"},
    LtlRule{"F(a & s)", "Fa & s"},
    LtlRule{"G(a & s)", "Ga & s"},
    LtlRule{"F(a | s)", "Fa | s"},
    LtlRule{"GFXa", "GFa"},
    LtlRule{"FGXa", "FGa"},
    LtlRule{"GFa | GFb", "GF(a | b)"},
    LtlRule{"FGa & FGb", "FG(a & b)"},
    LtlRule{"GF(a & Fb)", "GFa & GFb"},
    LtlRule{"FG(a | Gb)", "FGa | FGb"},
    LtlRule{"GFa | FGa", "GFa"},
    LtlRule{"GFa & FGa", "FGa"},
    // Operators that meet (Somenzi, Bloem, CAV 2000, table 1).
    LtlRule{"Xa & Xb", "X(a & b)"},
    LtlRule{"Xa | Xb", "X(a | b)"},
    LtlRule{"Xa U Xb", "X(a U b)"},
    LtlRule{"Xa R Xb", "X(a R b)"},
    LtlRule{"Fa | Fb", "F(a | b)"},
    LtlRule{"Ga & Gb", "G(a & b)"},
    LtlRule{"(a U b) & (c U b)", "(a & c) U b"},
    LtlRule{"(a R b) | (c R b)", "(a | c) R b"},
    LtlRule{"(a U b) | (a U c)", "a U (b | c)"},
    LtlRule{"(a R b) & (a R c)", "a R (b & c)"},
    LtlRule{"a U (a U b)", "a U b"},
    LtlRule{"a R (a R b)", "a R b"},
    LtlRule{"F(a U b)", "Fb"},
    LtlRule{"G(a R b)", "Gb"},
    LtlRule{"a U (b U a)", "b U a"},
    LtlRule{"a R (b R a)", "b R a"},
    // What one part says already.
    LtlRule{"a | (b U a)", "b U a"},
    LtlRule{"a & (b U a)", "a"},
    LtlRule{"a & (b R a)", "b R a"},
    LtlRule{"a | (b R a)", "a"},
    LtlRule{"a | (a U b)", "a | b"},
    LtlRule{"a & (a R b)", "a & b"},
    LtlRule{"Fb | (a U b)", "Fb"},
    LtlRule{"Gb & (a R b)", "Gb"},
    LtlRule{"a & (a | b)", "a"},
    LtlRule{"a | (a & b)", "a"},
};

}  // namespace

std::span<const LtlRule> ltl_rules() { return kRules; }

namespace {

// Whether the formula is built up as one side (`op` with any argument at the first place) says.
bool has_shape(const LtlPool& ltl, LtlFormula f, LtlOp op, LtlOp dual) {
  std::unordered_map<LtlFormula, bool> shape;
  for (LtlFormula g : ltl.subformulas(f)) {
    const auto children = ltl.children(g);
    const auto has = [&](LtlFormula child) { return shape.at(child); };
    const bool all = std::all_of(children.begin(), children.end(), has);
    const LtlOp own = ltl.op(g);
    const bool repeats =
        own == op && (ltl.is_eventually(g) || ltl.is_always(g) || has(children[1]));
    const bool passes = own == LtlOp::And || own == LtlOp::Or || own == LtlOp::Next || own == dual;
    const bool constant = own == LtlOp::True || own == LtlOp::False;
    shape[g] = constant || repeats || (passes && all);
  }
  return shape.at(f);
}

bool fits(LtlPool& ltl, char letter, LtlFormula f, std::span<const LtlFormula> arguments) {
  switch (letter) {
    case 'n':
      return arguments[0].valid() && negation_normal_form(ltl, arguments[0], false) == f;
    case 'e':
      return is_eventual(ltl, f);
    case 'u':
      return is_universal(ltl, f);
    case 's':
      return is_eventual(ltl, f) && is_universal(ltl, f);
    default:
      return true;
  }
}

}  // namespace

bool is_eventual(const LtlPool& ltl, LtlFormula f) {
  return has_shape(ltl, f, LtlOp::Until, LtlOp::Release);
}

bool is_universal(const LtlPool& ltl, LtlFormula f) {
  return has_shape(ltl, f, LtlOp::Release, LtlOp::Until);
}

std::optional<LtlRuleInstance> instance(LtlPool& ltl, const LtlRule& rule,
                                        std::span<const LtlFormula> arguments) {
  bool complete = true;
  const auto argument = [&](std::string_view name) {
    const std::size_t letter = kLtlRuleLetters.find(name);
    WHITTLE_REQUIRE(letter != std::string_view::npos, "no letter of rules");
    const bool good = letter < arguments.size() && arguments[letter].valid() &&
                      fits(ltl, kLtlRuleLetters[letter], arguments[letter], arguments);
    complete = complete && good;
    return good ? arguments[letter] : ltl.constant(true);
  };
  const LtlFormula from = negation_normal_form(ltl, read_ltl(ltl, rule.from, argument));
  const LtlFormula to = negation_normal_form(ltl, read_ltl(ltl, rule.to, argument));
  if (!complete) return std::nullopt;
  return LtlRuleInstance{from, to};
}

LtlFormula replaced(LtlPool& ltl, LtlFormula f, LtlFormula from, LtlFormula to) {
  const LtlOp op = ltl.op(from);
  const bool junction = op == LtlOp::And || op == LtlOp::Or;
  std::unordered_map<LtlFormula, LtlFormula> done;
  for (LtlFormula g : ltl.subformulas(f)) {
    if (g == from) {
      done[g] = to;
      continue;
    }
    const std::vector<LtlFormula> own(ltl.children(g).begin(), ltl.children(g).end());
    const auto some = ltl.children(from);
    const bool inside = junction && ltl.op(g) == op &&
                        std::includes(own.begin(), own.end(), some.begin(), some.end());
    std::vector<LtlFormula> parts;
    for (LtlFormula child : own) {
      if (!inside || !std::binary_search(some.begin(), some.end(), child))
        parts.push_back(done.at(child));
    }
    if (inside) parts.push_back(to);
    done[g] = ltl.op(g) == LtlOp::Atom ? g : ltl.make(ltl.op(g), parts);
  }
  return done.at(f);
}

}  // namespace whittle

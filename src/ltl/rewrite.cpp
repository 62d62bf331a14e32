// SPDX-License-Identifier: Apache-2.0
// One redex after the other, innermost first, each replaced wherever it stands: so a step is
// described by its rule and arguments alone. Formulas are short, so simple beats fast here.
#include "ltl/rewrite.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/checkpoint.h"
#include "ir/ltl_rules.h"
#include "ir/ltl_text.h"

namespace whittle::ltl {

namespace {

using Arguments = std::array<LtlFormula, kLtlRuleLetters.size()>;

// The left sides of the rules as formulas over letters; the letter is the number of the atom.
struct Schemes {
  LtlPool pool;
  std::vector<LtlFormula> left;

  Schemes() {
    for (const LtlRule& rule : ltl_rules()) {
      left.push_back(read_ltl(pool, rule.from, [&](std::string_view name) {
        return pool.atom(Expr(static_cast<std::uint32_t>(kLtlRuleLetters.find(name))));
      }));
    }
  }
};

class Matcher {
 public:
  Matcher(LtlPool& ltl, const Schemes& schemes) : ltl_(ltl), schemes_(schemes) {}

  // A redex at the top of `f`; of several conjuncts or disjuncts, at two of them.
  std::optional<LtlReplacement> redex(LtlFormula f) {
    for (std::uint32_t rule = 0; rule < schemes_.left.size(); ++rule) {
      if (auto found = redex(f, rule)) return found;
    }
    return std::nullopt;
  }

 private:
  std::optional<LtlReplacement> redex(LtlFormula f, std::uint32_t rule) {
    const LtlFormula scheme = schemes_.left[rule];
    const LtlOp op = schemes_.pool.op(scheme);
    if (op != ltl_.op(f)) return std::nullopt;
    if (op != LtlOp::And && op != LtlOp::Or) {
      Arguments arguments{};
      if (!matches(scheme, f, arguments)) return std::nullopt;
      return replacement(rule, arguments);
    }
    const std::vector<LtlFormula> parts(ltl_.children(f).begin(), ltl_.children(f).end());
    const auto [first, second] = in_order(scheme);
    for (LtlFormula x : parts) {
      for (LtlFormula y : parts) {
        if (x == y) continue;
        Arguments arguments{};
        // A letter first: what it stands for decides how the other part is divided.
        if (!matches(second, y, arguments) || !matches(first, x, arguments)) continue;
        if (auto found = replacement(rule, arguments)) return found;
      }
    }
    return std::nullopt;
  }

  std::optional<LtlReplacement> replacement(std::uint32_t rule, const Arguments& arguments) {
    const auto both = instance(ltl_, ltl_rules()[rule], arguments);
    if (!both || both->from == both->to) return std::nullopt;
    return LtlReplacement{both->from, rule, {arguments.begin(), arguments.end()}};
  }

  // The two parts of a conjunction or disjunction; one that is more than a letter comes first.
  [[nodiscard]] std::pair<LtlFormula, LtlFormula> in_order(LtlFormula scheme) const {
    const LtlFormula a = schemes_.pool.child(scheme, 0);
    const LtlFormula b = schemes_.pool.child(scheme, 1);
    return schemes_.pool.op(a) == LtlOp::Atom ? std::pair(b, a) : std::pair(a, b);
  }

  // Schemes are a few levels deep, and so is this recursion.
  bool matches(LtlFormula scheme, LtlFormula f, Arguments& arguments) {
    const LtlOp op = schemes_.pool.op(scheme);
    if (op == LtlOp::Atom) {
      LtlFormula& bound = arguments.at(schemes_.pool.condition(scheme).id());
      if (!bound.valid()) bound = f;
      return bound == f;
    }
    if (op != ltl_.op(f)) return false;
    if (op == LtlOp::And || op == LtlOp::Or) return matches_split(scheme, f, arguments);
    for (std::size_t i = 0; i < ltl_.children(f).size(); ++i) {
      if (!matches(schemes_.pool.child(scheme, i), ltl_.child(f, i), arguments)) return false;
    }
    return true;
  }

  // Inside a scheme the second part takes all that the first leaves over.
  bool matches_split(LtlFormula scheme, LtlFormula f, Arguments& arguments) {
    const auto [first, second] = in_order(scheme);
    const std::vector<LtlFormula> parts(ltl_.children(f).begin(), ltl_.children(f).end());
    // `s` in `G(a | s)` is a letter with a condition: the other order is tried, too.
    for (const auto& [one, rest] : {std::pair(first, second), std::pair(second, first)}) {
      for (LtlFormula part : parts) {
        std::vector<LtlFormula> others;
        std::copy_if(parts.begin(), parts.end(), std::back_inserter(others),
                     [&](LtlFormula other) { return other != part; });
        Arguments tried = arguments;
        if (!matches(one, part, tried) || !fits(tried)) continue;
        if (!matches(rest, ltl_.make(ltl_.op(f), others), tried) || !fits(tried)) continue;
        arguments = tried;
        return true;
      }
    }
    return false;
  }

  // Whether the letters with a condition stand for formulas of their kind.
  [[nodiscard]] bool fits(const Arguments& arguments) const {
    const auto [e, u, s] = std::array{arguments[3], arguments[4], arguments[5]};
    return (!e.valid() || is_eventual(ltl_, e)) && (!u.valid() || is_universal(ltl_, u)) &&
           (!s.valid() || (is_eventual(ltl_, s) && is_universal(ltl_, s)));
  }

  LtlPool& ltl_;
  const Schemes& schemes_;
};

}  // namespace

Rewritten rewritten(LtlPool& ltl, LtlFormula f, std::size_t most) {
  static const Schemes schemes;
  Matcher matcher(ltl, schemes);
  Rewritten result{f, {}};
  const auto step = [&] {
    for (LtlFormula g : ltl.subformulas(result.formula)) {
      checkpoint();
      if (auto found = matcher.redex(g)) {
        const auto both = instance(ltl, ltl_rules()[found->rule], found->arguments);
        result.formula = replaced(ltl, result.formula, both->from, both->to);
        result.steps.push_back(std::move(*found));
        return true;
      }
    }
    return false;
  };
  while (result.steps.size() < most && step()) {
  }
  return result;
}

}  // namespace whittle::ltl

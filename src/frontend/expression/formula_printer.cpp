// SPDX-License-Identifier: Apache-2.0
// Children before parents, each in the three strengths its place can need. `a W b` is stored as
// `b R (a || b)` and `a -> b` as `!a || b`; they are written as people would.
#include "frontend/expression/formula_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace whittle::frontend {

namespace {

class FormulaPrinter {
 public:
  FormulaPrinter(const LtlPool& ltl, const ExprPool& pool, const SymbolWriter& symbol)
      : ltl_(ltl), pool_(pool), symbol_(symbol) {}

  std::string run(LtlFormula root, Strength needs) {
    for (const LtlFormula f : ltl_.subformulas(root)) {
      look_at(f);
      if (ltl_.op(f) != LtlOp::Atom) written_.emplace(f.index(), written(f));
    }
    return text(root, needs);
  }

 private:
  struct Text {
    std::string text;
    Strength strength = Strength::Atom;
  };
  struct Facts {
    bool temporal = false;
    bool total = true;  // every condition in it
  };

  void look_at(LtlFormula f) {
    Facts facts;
    if (ltl_.op(f) == LtlOp::Atom) {
      facts.total = pool_.total(ltl_.condition(f));
    } else {
      for (const LtlFormula child : ltl_.children(f)) {
        facts.temporal = facts.temporal || facts_.at(child.index()).temporal;
        facts.total = facts.total && facts_.at(child.index()).total;
      }
      const LtlOp op = ltl_.op(f);
      facts.temporal = facts.temporal || op == LtlOp::Next || op == LtlOp::Until ||
                       op == LtlOp::Release || op == LtlOp::Since || op == LtlOp::Trigger;
    }
    facts_.emplace(f.index(), facts);
  }

  [[nodiscard]] std::string text(LtlFormula f, Strength needs) const {
    if (ltl_.op(f) == LtlOp::Atom) {
      return print_expression(pool_, ltl_.condition(f), symbol_, {needs, false},
                              PrintMode::Formula);
    }
    const Text& known = written_.at(f.index());
    return known.strength < needs ? fmt::format("({})", known.text) : known.text;
  }

  // Behind a prefix operator: `[](x < 3)`, `[]!p`.
  [[nodiscard]] std::string operand(LtlFormula f) const {
    if (ltl_.op(f) != LtlOp::Atom) return text(f, Strength::Unary);
    const Op op = pool_.op(ltl_.condition(f));
    return text(f, op == Op::Not ? Strength::Unary : Strength::Atom);
  }
  [[nodiscard]] std::string side(LtlFormula f) const {
    return text(f, ltl_.op(f) == LtlOp::Atom ? Strength::Equality : Strength::Unary);
  }

  [[nodiscard]] Text prefix(std::string_view op, LtlFormula f) const {
    return {fmt::format("{}{}", op, operand(f)), Strength::Unary};
  }
  [[nodiscard]] Text infix(LtlFormula a, std::string_view op, LtlFormula b) const {
    return {fmt::format("{}{}{}", side(a), op, side(b)), Strength::TemporalBinary};
  }

  [[nodiscard]] Text written(LtlFormula f) const {
    const auto children = ltl_.children(f);
    switch (ltl_.op(f)) {
      case LtlOp::True:
        return {"true", Strength::Atom};
      case LtlOp::False:
        return {"false", Strength::Atom};
      case LtlOp::Atom:
        break;
      case LtlOp::Not:
        return prefix("!", children[0]);
      case LtlOp::And:
        return junction(f, " && ", "[]true", Strength::And);
      case LtlOp::Or:
        return disjunction({ltl_.children(f).begin(), ltl_.children(f).end()});
      case LtlOp::Next:
        return prefix("next ", children[0]);
      case LtlOp::Until:
        if (ltl_.is_true(children[0])) return prefix("<>", children[1]);
        return infix(children[0], " until ", children[1]);
      case LtlOp::Release:
        if (ltl_.is_false(children[0])) return prefix("[]", children[1]);
        return release(children[0], children[1]);
      case LtlOp::Since:
        if (ltl_.is_true(children[0])) return prefix("once ", children[1]);
        return infix(children[0], " since ", children[1]);
      case LtlOp::Trigger:
        if (ltl_.is_false(children[0])) return prefix("historically ", children[1]);
        return {fmt::format("!({} since {})", negated(children[0]), negated(children[1])),
                Strength::Unary};
    }
    return {};
  }

  [[nodiscard]] std::string negated(LtlFormula f) const {
    if (ltl_.op(f) == LtlOp::Not) return side(ltl_.child(f, 0));
    return fmt::format("!{}", operand(f));
  }

  [[nodiscard]] Text release(LtlFormula a, LtlFormula b) const {
    const std::vector<LtlFormula> rest = without(b, a);
    if (rest.empty()) return infix(a, " release ", b);
    const std::string left =
        rest.size() == 1 ? side(rest.front()) : fmt::format("({})", disjunction(rest).text);
    return {fmt::format("{} weakuntil {}", left, side(a)), Strength::TemporalBinary};
  }

  // The disjuncts of `b` that are none of `a`, if all of `a` are disjuncts of `b`.
  [[nodiscard]] std::vector<LtlFormula> without(LtlFormula b, LtlFormula a) const {
    if (ltl_.op(b) != LtlOp::Or) return {};
    std::vector<LtlFormula> rest(ltl_.children(b).begin(), ltl_.children(b).end());
    std::vector<LtlFormula> gone = {a};
    if (ltl_.op(a) == LtlOp::Or) gone.assign(ltl_.children(a).begin(), ltl_.children(a).end());
    for (const LtlFormula f : gone) {
      const auto it = std::find(rest.begin(), rest.end(), f);
      if (it == rest.end()) return {};
      rest.erase(it);
    }
    return rest;
  }

  [[nodiscard]] Text disjunction(std::vector<LtlFormula> parts) const {
    // The last one is what `a -> b` made, after its parts.
    const auto negation = std::find_if(
        parts.rbegin(), parts.rend(), [&](LtlFormula part) { return ltl_.op(part) == LtlOp::Not; });
    bool temporal = false;
    bool total = true;
    for (const LtlFormula part : parts) {
      temporal = temporal || facts_.at(part.index()).temporal;
      total = total && facts_.at(part.index()).total;
    }
    if (negation == parts.rend() || (!temporal && !total)) {
      return {joined(parts, " || ", "<>false", Strength::Or), Strength::Or};
    }
    const LtlFormula cause = ltl_.child(*negation, 0);
    parts.erase(std::next(negation).base());
    return {fmt::format("{} -> {}", text(cause, Strength::Or),
                        joined(parts, " || ", "<>false", Strength::Or)),
            Strength::Implies};
  }

  [[nodiscard]] Text junction(LtlFormula f, std::string_view op, std::string_view apart,
                              Strength own) const {
    const std::vector<LtlFormula> parts(ltl_.children(f).begin(), ltl_.children(f).end());
    return {joined(parts, op, apart, own), own};
  }

  // Conditions first, so that the order is the same when the text is read.
  [[nodiscard]] std::string joined(std::vector<LtlFormula> parts, std::string_view op,
                                   std::string_view apart, Strength own) const {
    std::stable_partition(parts.begin(), parts.end(),
                          [&](LtlFormula f) { return !facts_.at(f.index()).temporal; });
    const auto needs = static_cast<Strength>(static_cast<int>(own) + 1);
    if (parts.size() == 1) return text(parts.front(), needs);
    const bool total = std::all_of(parts.begin(), parts.end(),
                                   [&](LtlFormula f) { return facts_.at(f.index()).total; });
    std::string result;
    bool condition = false;  // the part before is one
    for (const LtlFormula part : parts) {
      const bool is_condition = !facts_.at(part.index()).temporal;
      if (!result.empty()) result += op;
      if (condition && is_condition && !total) {
        result += apart;
        result += op;
      }
      result += text(part, needs);
      condition = is_condition;
    }
    return result;
  }

  const LtlPool& ltl_;
  const ExprPool& pool_;
  const SymbolWriter& symbol_;
  std::unordered_map<std::size_t, Facts> facts_;
  std::unordered_map<std::size_t, Text> written_;
};

}  // namespace

std::string print_formula(const LtlPool& ltl, const ExprPool& pool, LtlFormula f,
                          const SymbolWriter& symbol, Strength needs) {
  return FormulaPrinter(ltl, pool, symbol).run(f, needs);
}

}  // namespace whittle::frontend

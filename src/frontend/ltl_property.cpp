// SPDX-License-Identifier: Apache-2.0
#include "frontend/ltl_property.h"

#include <fmt/format.h>

#include <unordered_map>
#include <vector>

#include "expr/contradiction.h"

namespace whittle::frontend {

namespace {

// Two conditions that bounds and values show to exclude each other.
bool exclude_each_other(const LtlPool& ltl, const ExprPool& pool, LtlFormula a, LtlFormula b) {
  if (!a.valid() || !b.valid() || ltl.op(a) != LtlOp::Atom || ltl.op(b) != LtlOp::Atom) {
    return false;
  }
  const Expr both[] = {ltl.condition(a), ltl.condition(b)};
  return !contradiction(pool, both).empty();
}

std::string_view scope_text(PatternScope scope) {
  return pattern_scopes()[static_cast<std::size_t>(scope)].text;
}

}  // namespace

LtlFormula with_joined_conditions(LtlPool& ltl, ExprPool& pool, LtlFormula f) {
  std::unordered_map<std::size_t, LtlFormula> made;
  const auto condition = [&](LtlFormula part) {
    return ltl.op(part) == LtlOp::Atom && pool.total(ltl.condition(part)) ? ltl.condition(part)
                                                                          : Expr();
  };
  for (const LtlFormula sub : ltl.subformulas(f)) {
    std::vector<LtlFormula> parts;
    std::vector<Expr> conditions;
    const LtlOp op = ltl.op(sub);
    const bool connective = op == LtlOp::Not || op == LtlOp::And;
    for (const LtlFormula child : ltl.children(sub)) {
      LtlFormula part = made.at(child.index());
      // `!a || b` is an implication.
      if (op == LtlOp::Or && ltl.op(child) == LtlOp::Not) {
        part = ltl.negation(made.at(ltl.child(child, 0).index()));
      }
      const Expr e = connective ? condition(part) : Expr();
      if (e.valid()) {
        conditions.push_back(e);
      } else {
        parts.push_back(part);
      }
    }
    if (!conditions.empty()) {
      const Expr joined = op == LtlOp::Not ? pool.negate(conditions[0]) : pool.conj(conditions);
      const LtlFormula atom =
          pool.is_const(joined) ? ltl.constant(pool.is_true(joined)) : ltl.atom(joined);
      if (op == LtlOp::Not) {
        made.emplace(sub.index(), atom);
        continue;
      }
      parts.push_back(atom);
    }
    made.emplace(sub.index(), op == LtlOp::Atom ? sub : ltl.make(op, parts));
  }
  return made.at(f.index());
}

LtlFormula pattern_of(const PatternSyntax& syntax, LtlPool& ltl, ExprPool& pool,
                      Diagnostics& diagnostics, const FormulaOf& formula_of) {
  Pattern pattern;
  pattern.body = syntax.body;
  pattern.scope = syntax.scope;
  pattern.times = syntax.times;
  bool whole = true;
  const auto part = [&](const std::optional<SyntaxId>& id, LtlFormula& result) {
    if (!id) return;
    result = formula_of(*id);
    whole = whole && result.valid();
  };
  part(syntax.p, pattern.p);
  part(syntax.q, pattern.q);
  part(syntax.r, pattern.r);
  part(syntax.s, pattern.s);
  part(syntax.t, pattern.t);
  part(syntax.z, pattern.z);
  if (!whole) return {};
  pattern.exclusive = exclude_each_other(ltl, pool, pattern.s, pattern.t);
  if (const auto formula = pattern_formula(ltl, pattern)) {
    return with_joined_conditions(ltl, pool, *formula);
  }
  diagnostics.report("ltl-005", syntax.span,
                     fmt::format("this pattern has no scope `{}`", scope_text(syntax.scope)),
                     "`whittle help patterns` shows which scopes each pattern has");
  return {};
}

std::optional<RunGoal> run_goal(const LtlDeclaration& declaration, LtlPool& ltl, ExprPool& pool,
                                Diagnostics& diagnostics, const FormulaOf& formula_of) {
  RunGoal goal;
  goal.text = declaration.text;
  goal.assuming = declaration.assuming;
  if (declaration.assumption) {
    goal.assumption = formula_of(*declaration.assumption);
    if (!goal.assumption.valid()) return std::nullopt;
  }
  if (declaration.pattern) {
    goal.formula = pattern_of(*declaration.pattern, ltl, pool, diagnostics, formula_of);
    goal.pattern = declaration.text;
    const bool globally = declaration.pattern->scope == PatternScope::Globally;
    if (globally && !goal.pattern.ends_with(" globally")) goal.pattern += " globally";
  } else if (declaration.formula) {
    goal.formula = formula_of(*declaration.formula);
  }
  if (!goal.formula.valid()) return std::nullopt;
  return goal;
}

std::optional<RunGoal> run_goal(const LtlDeclaration& declaration, ExpressionTyper& typer,
                                Scope& scope, const Network& network, Diagnostics& diagnostics) {
  return run_goal(declaration, network.ltl(), network.pool(), diagnostics,
                  [&](SyntaxId id) { return typer.formula(id, scope, network.ltl()); });
}

}  // namespace whittle::frontend

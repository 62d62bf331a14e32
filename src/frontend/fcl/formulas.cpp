// SPDX-License-Identifier: Apache-2.0
// Operands stand before their operations, so one pass over the range of a formula is enough: first
// what is temporal, then from there the formulas.
#include "frontend/fcl/formulas.h"

#include <fmt/format.h>

namespace whittle::fcl {

namespace {

bool is_connective(Operator op) {
  return op == Operator::Not || op == Operator::And || op == Operator::Or ||
         op == Operator::Implies || op == Operator::Iff;
}

bool is_past(Operator op) {
  return op == Operator::Once || op == Operator::Historically || op == Operator::Since;
}

}  // namespace

LtlFormula Formulas::atom(ExprId id) const {
  const Expr condition = condition_(id);
  if (!condition.valid()) return {};
  if (pool_.is_const(condition)) return ltl_.constant(pool_.is_true(condition));
  return ltl_.atom(condition);
}

LtlFormula Formulas::operator()(ExprId root) const {
  const ExprId first = expressions_[root].first;
  std::vector<bool> temporal(root - first + 1, false);
  for (ExprId id = first; id <= root; ++id) {
    const Expression& e = expressions_[id];
    bool some = is_temporal(e.op);
    for (const ExprId operand : e.operands) some = some || temporal[operand - first];
    temporal[id - first] = some;
  }
  if (!temporal[root - first]) return atom(root);
  std::vector<LtlFormula> made(root - first + 1);
  for (ExprId id = first; id <= root; ++id) {
    if (!temporal[id - first]) continue;
    const Expression& e = expressions_[id];
    std::vector<LtlFormula> parts;
    bool whole = true;
    for (const ExprId operand : e.operands) {
      parts.push_back(temporal[operand - first] ? made[operand - first] : atom(operand));
      whole = whole && parts.back().valid();
    }
    if (!whole) return {};
    if (!is_temporal(e.op) && !is_connective(e.op)) {
      diagnostics_.report("ltl-002", e.span, "an operand here is about runs; a value is needed",
                          "temporal operators are joined by `!`, `and`, `or`, `->`, `<->` and by "
                          "each other only");
      return {};
    }
    if (asks_future_of_past(e, parts)) return {};
    made[id - first] = applied(e, parts);
  }
  return made[root - first];
}

bool Formulas::asks_future_of_past(const Expression& e,
                                   const std::vector<LtlFormula>& parts) const {
  if (!is_past(e.op)) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!ltl_.mentions(parts[i], {LtlOp::Next, LtlOp::Until, LtlOp::Release})) continue;
    diagnostics_.report("ltl-003", expressions_[e.operands[i]].span,
                        "an operator that looks back cannot ask what will be",
                        "once, historically and since take formulas about present and past");
    return true;
  }
  return false;
}

LtlFormula Formulas::applied(const Expression& e, const std::vector<LtlFormula>& parts) const {
  switch (e.op) {
    case Operator::Not:
      return ltl_.negation(parts[0]);
    case Operator::And:
      return ltl_.conjunction(parts);
    case Operator::Or:
      return ltl_.disjunction(parts);
    case Operator::Implies:
      return ltl_.implies(parts[0], parts[1]);
    case Operator::Iff:
      return ltl_.equivalent(parts[0], parts[1]);
    case Operator::Always:
      return ltl_.always(parts[0]);
    case Operator::Eventually:
      return ltl_.eventually(parts[0]);
    case Operator::NextState:
      return ltl_.next(parts[0]);
    case Operator::Once:
      return ltl_.once(parts[0]);
    case Operator::Historically:
      return ltl_.historically(parts[0]);
    case Operator::Until:
      return ltl_.until(parts[0], parts[1]);
    case Operator::WeakUntil:
      return ltl_.weak_until(parts[0], parts[1]);
    case Operator::Release:
      return ltl_.release(parts[0], parts[1]);
    case Operator::Since:
      return ltl_.since(parts[0], parts[1]);
    default:
      return {};
  }
}

}  // namespace whittle::fcl

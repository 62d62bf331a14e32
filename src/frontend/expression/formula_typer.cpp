// SPDX-License-Identifier: Apache-2.0
// Formulas of temporal logic in the run over an expression: operands are conditions (terms) until a
// temporal operator, or a connective with a temporal operand, makes atoms of them. So a part
// without temporal operators stays one term, which is evaluated lazily from the left.
#include <fmt/format.h>

#include "base/text.h"
#include "frontend/expression/expression_typer.h"
#include "frontend/expression/operator_table.h"

namespace whittle::frontend {

namespace {

bool is_connective(SyntaxKind kind) {
  return kind == SyntaxKind::Not || kind == SyntaxKind::And || kind == SyntaxKind::Or ||
         kind == SyntaxKind::Implies || kind == SyntaxKind::Iff;
}

bool is_prefix(SyntaxKind kind) {
  return kind == SyntaxKind::Always || kind == SyntaxKind::Eventually ||
         kind == SyntaxKind::NextState || kind == SyntaxKind::Once ||
         kind == SyntaxKind::Historically;
}

LtlFormula applied(LtlPool& ltl, SyntaxKind kind, LtlFormula a, LtlFormula b) {
  switch (kind) {
    case SyntaxKind::Always:
      return ltl.always(a);
    case SyntaxKind::Eventually:
      return ltl.eventually(a);
    case SyntaxKind::NextState:
      return ltl.next(a);
    case SyntaxKind::Once:
      return ltl.once(a);
    case SyntaxKind::Historically:
      return ltl.historically(a);
    case SyntaxKind::Until:
      return ltl.until(a, b);
    case SyntaxKind::WeakUntil:
      return ltl.weak_until(a, b);
    case SyntaxKind::Release:
      return ltl.release(a, b);
    case SyntaxKind::Since:
      return ltl.since(a, b);
    case SyntaxKind::Not:
      return ltl.negation(a);
    case SyntaxKind::Implies:
      return ltl.implies(a, b);
    case SyntaxKind::Iff:
      return ltl.equivalent(a, b);
    default:
      fail_contract("kind", __FILE__, __LINE__, "no operator of formulas");
  }
}

}  // namespace

LtlFormula ExpressionTyper::formula(SyntaxId root, Scope& scope, LtlPool& ltl) {
  ltl_ = &ltl;
  LtlFormula result;
  if (run(root, scope)) result = as_formula(stack_.back());
  ltl_ = nullptr;
  return result;
}

LtlFormula ExpressionTyper::atom(Expr condition) {
  if (pool_.is_const(condition)) return ltl_->constant(pool_.is_true(condition));
  return ltl_->atom(condition);
}

// An operand that is no condition is reported, and gives an invalid formula.
LtlFormula ExpressionTyper::as_formula(const Item& item) {
  if (!item.valid || item.formula.valid()) return item.formula;
  const Expr e = item.operand.expr;
  if (!e.valid()) {
    diagnostics_.report("type-011", tree_.span(item.node),
                        fmt::format("{} has no value of its own", quote(item.node)),
                        "name a part of it");
    return {};
  }
  if (pool_.type(e) == Type::boolean()) return atom(e);
  diagnostics_.report("type-002", tree_.span(item.node),
                      fmt::format("a formula is made of Bools, but this is of type {}",
                                  pool_.to_string(pool_.type(e))),
                      "compare it with something, as in `x > 0`");
  return {};
}

void ExpressionTyper::temporal(SyntaxId id) {
  const SyntaxKind kind = tree_.node(id).kind;
  const std::size_t count = is_prefix(kind) ? 1 : 2;
  const std::vector<Item> operands(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
  stack_.resize(stack_.size() - count);
  LtlFormula parts[2];
  for (std::size_t i = 0; i < count; ++i) {
    parts[i] = as_formula(operands[i]);
    if (!parts[i].valid()) return push_failure(id);
    if (is_past(kind) && ltl_->mentions(parts[i], {LtlOp::Next, LtlOp::Until, LtlOp::Release})) {
      diagnostics_.report(
          "ltl-003", tree_.span(operands[i].node),
          fmt::format("`{}` looks back and cannot ask what will be", operator_text(kind)),
          "once, historically and since take formulas about present and past");
      return push_failure(id);
    }
  }
  push_formula(id, applied(*ltl_, kind, parts[0], parts[1]));
}

// True: the operands were temporal, and the result (or the failure) is on the stack.
bool ExpressionTyper::combine_formulas(SyntaxId id, std::span<const Item> operands) {
  bool temporal = false;
  for (const Item& item : operands) {
    if (!item.valid) return false;
    temporal = temporal || item.formula.valid();
  }
  if (!temporal) return false;
  const SyntaxKind kind = tree_.node(id).kind;
  if (!is_connective(kind)) return refuse_temporal(id, operands);
  LtlFormula result;
  if (kind == SyntaxKind::And || kind == SyntaxKind::Or) {
    result = junction(kind, operands);
  } else {
    const LtlFormula a = as_formula(operands[0]);
    const LtlFormula b = operands.size() > 1 ? as_formula(operands[1]) : a;
    if (a.valid() && b.valid()) result = applied(*ltl_, kind, a, b);
  }
  if (!result.valid()) {
    push_failure(id);
  } else {
    push_formula(id, result);
  }
  return true;
}

// Neighbouring conditions are one: the left one may guard the right one.
LtlFormula ExpressionTyper::junction(SyntaxKind kind, std::span<const Item> operands) {
  std::vector<LtlFormula> parts;
  std::vector<Expr> conditions;
  const auto flush = [&] {
    if (conditions.empty()) return;
    parts.push_back(
        atom(kind == SyntaxKind::And ? pool_.conj(conditions) : pool_.disj(conditions)));
    conditions.clear();
  };
  for (const Item& item : operands) {
    const Expr e = item.operand.expr;
    if (!item.formula.valid() && e.valid() && pool_.type(e) == Type::boolean()) {
      conditions.push_back(e);
      continue;
    }
    const LtlFormula part = as_formula(item);
    if (!part.valid()) return {};
    flush();
    parts.push_back(part);
  }
  flush();
  return kind == SyntaxKind::And ? ltl_->conjunction(parts) : ltl_->disjunction(parts);
}

// True: one of the operands was temporal, which was reported, and the failure is on the stack.
bool ExpressionTyper::refuse_temporal(SyntaxId id, std::span<const Item> operands) {
  for (const Item& item : operands) {
    if (!item.valid || !item.formula.valid()) continue;
    diagnostics_.report("ltl-002", tree_.span(item.node),
                        fmt::format("{} is about runs; here a value is needed", quote(item.node)),
                        "temporal operators are joined by `!`, `&&`, `||`, `->`, `<->` and by "
                        "each other only");
    push_failure(id);
    return true;
  }
  return false;
}

void ExpressionTyper::end_of_formula(SyntaxId id, std::span<const Item> cases) {
  std::vector<LtlFormula> parts;
  for (const Item& item : cases) {
    // A case may have lost its temporal operators: `[]true` is no longer one.
    parts.push_back(as_formula(item));
    if (!parts.back().valid()) return push_failure(id);
  }
  push_formula(id, tree_.node(id).kind == SyntaxKind::Forall ? ltl_->conjunction(parts)
                                                             : ltl_->disjunction(parts));
}

void ExpressionTyper::taken(SyntaxId id, Scope& scope) {
  const Item base = stack_.back();
  stack_.pop_back();
  if (!base.valid) return push_failure(id);
  if (refuse_temporal(id, {&base, 1})) return;
  const auto operand = tree_.node(id).kind == SyntaxKind::TakenLabel
                           ? scope.taken(base.operand, name_of(tree_, id), tree_.span(id))
                           : scope.taken(base.operand, tree_.span(id));
  if (!operand) return push_failure(id);
  if (tree_.node(id).kind == SyntaxKind::TakenLabel) record_use(operand->declaration, id);
  stack_.push_back({*operand, id, true});
}

}  // namespace whittle::frontend

// SPDX-License-Identifier: Apache-2.0
// Quantifiers in the run over an expression: their bodies are built once per case.
#include <fmt/format.h>

#include "frontend/expression/expression_typer.h"

namespace whittle::frontend {

std::optional<Integer> ExpressionTyper::constant_bound(const Item& item, std::string_view which) {
  if (!item.valid) return std::nullopt;
  const Expr e = item.operand.expr;
  if (e.valid() && pool_.is_const(e) && pool_.value(e).is_integer()) {
    return pool_.value(e).as_integer();
  }
  diagnostics_.report("type-005", tree_.span(item.node),
                      fmt::format("the {} end of the range must be a constant Int", which),
                      "ranges of quantifiers are made of numbers and constants");
  return std::nullopt;
}

void ExpressionTyper::bind(SyntaxId id, Scope& scope) {
  const SyntaxNode& node = tree_.node(id);
  const Token& name = tree_.token_of(id);
  Loop loop;
  loop.bind = id;
  loop.name = tree_.text(name);
  bool usable = true;
  if (node.kind == SyntaxKind::BindEnum) {
    // The tokens are: name, `in`, the enumeration.
    const Token& type = tree_.token(node.token + 2);
    const auto found = scope.enum_type(tree_.text(type), tree_.span_of(type));
    usable = found.has_value();
    if (usable) {
      loop.type = *found;
      loop.end = Integer(pool_.info(*found).values.size()) - 1;
    }
  } else {
    const auto low = constant_bound(stack_[stack_.size() - 2], "lower");
    const auto high = constant_bound(stack_.back(), "upper");
    stack_.resize(stack_.size() - 2);
    usable = low && high;
    if (usable) {
      loop.type = Type::integer();
      loop.value = *low;
      loop.end = *high;
      loop.empty = *high < *low;
    }
    if (usable && *high - *low >= Integer(static_cast<unsigned long>(kMaxExpansion))) {
      diagnostics_.report("type-006", join(tree_.span(tree_.left(id)), tree_.span(tree_.right(id))),
                          fmt::format("the range has more than {} values", kMaxExpansion),
                          "use a smaller range");
      usable = false;
    }
  }
  const bool first_time = first_round();
  if (first_time) symbols_.declare(SymbolKind::Bound, loop.name, name_span(id));
  if (first_time && (bound(loop.name) != nullptr || scope.declares(loop.name))) {
    diagnostics_.report("type-012", tree_.span(id),
                        fmt::format("`{}` hides something of the same name", loop.name),
                        "give the bound name a name of its own");
  }
  if (!usable) {
    push_failure(node.link);
    at_ = node.link + 1;
    return;
  }
  loop.base = stack_.size();
  loops_.push_back(std::move(loop));
}

// The operand on top is the body for the case at hand.
void ExpressionTyper::end_of_body(SyntaxId id) {
  Loop& loop = loops_.back();
  Item& body = stack_.back();
  if (body.valid && !body.formula.valid() &&
      (!body.operand.expr.valid() || pool_.type(body.operand.expr) != Type::boolean())) {
    diagnostics_.report("type-002", tree_.span(body.node),
                        "the body of a quantifier must be a Bool",
                        "write a condition after the colon");
    body.valid = false;
  }
  const bool failed = !body.valid;  // the other cases would only say the same again
  if (!failed && !loop.empty && loop.value < loop.end) {
    loop.value += 1;
    loop.first = false;
    at_ = loop.bind + 1;
    return;
  }
  if (!failed && body.formula.valid()) {
    const std::vector<Item> cases(stack_.begin() + static_cast<std::ptrdiff_t>(loop.base),
                                  stack_.end());
    const bool empty = loop.empty;
    stack_.resize(loop.base);
    loops_.pop_back();
    return end_of_formula(id, empty ? std::span<const Item>() : cases);
  }
  arguments_.clear();
  if (!loop.empty) {
    for (std::size_t i = loop.base; i < stack_.size(); ++i) {
      arguments_.push_back(stack_[i].operand.expr);
    }
  }
  stack_.resize(loop.base);
  loops_.pop_back();
  if (failed) return push_failure(id);
  push(id,
       tree_.node(id).kind == SyntaxKind::Forall ? pool_.conj(arguments_) : pool_.disj(arguments_));
}

}  // namespace whittle::frontend

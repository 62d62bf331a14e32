// SPDX-License-Identifier: Apache-2.0
// One run over the nodes of an expression with a stack of operands. Quantifiers make it jump back:
// their body is built once per case with the bound name standing for that case's constant (built
// anew and not by substitution, because a constant may be needed there: exponents, inner ranges,
// `P[i].x`). A chain `a && b && c` is collected and built as one term, so that long conjunctions
// cost linear time. Whatever contains a piece that was refused is refused silently.
#include "frontend/expression/expression_typer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "frontend/expression/lexer.h"

namespace whittle::frontend {

namespace {

std::uint64_t bits(const Integer& number) {
  if (number.to_int64()) return 64;
  return number.bit_length();
}

// Rough size of a constant.
std::uint64_t bits(const Value& value) {
  if (value.is_integer()) return bits(value.as_integer());
  if (value.is_real()) {
    return bits(value.as_real().numerator()) + bits(value.as_real().denominator());
  }
  if (value.is_string()) return 8 * value.as_string().size();
  return 1;
}

bool numeric(Type type) { return type == Type::integer() || type == Type::real(); }

std::string_view article(std::string_view type) {
  return type.starts_with("I") || type.starts_with("A") || type.starts_with("E") ? "an" : "a";
}

}  // namespace

std::string name_of(const SyntaxTree& tree, SyntaxId id) {
  const Token& token = tree.token_of(id);
  const std::string_view text = tree.text(token);
  return token.kind == TokenKind::Text ? unquoted(text) : std::string(text);
}

std::string ExpressionTyper::quote(SyntaxId id) const {
  return fmt::format("`{}`", ellipsized(safe_text(tree_.source(id)), 40));
}

// Leaves the result on the stack.
bool ExpressionTyper::run(SyntaxId root, Scope& scope) {
  stack_.clear();
  chains_.clear();
  loops_.clear();
  steps_ = 0;
  at_ = tree_.node(root).first;
  while (at_ <= root) {
    if (diagnostics_.saturated()) return false;
    if (++steps_ > kMaxExpansion) {
      diagnostics_.report(
          "type-006", tree_.span(root),
          fmt::format("the quantifiers in this expression make more than {} parts", kMaxExpansion),
          "use smaller ranges");
      return false;
    }
    step(scope);
  }
  return stack_.back().valid;
}

Expr ExpressionTyper::operator()(SyntaxId root, Scope& scope) {
  if (!run(root, scope)) return {};
  if (!stack_.back().operand.expr.valid()) {
    diagnostics_.report("type-011", tree_.span(root),
                        fmt::format("{} has no value of its own", quote(root)),
                        "name a part of it");
    return {};
  }
  return stack_.back().operand.expr;
}

Expr ExpressionTyper::typed(SyntaxId root, Scope& scope, Type type, std::string_view what) {
  Expr e = (*this)(root, scope);
  if (!e.valid()) return {};
  if (type == Type::real() && pool_.type(e) == Type::integer()) e = pool_.to_real(e);
  if (pool_.type(e) == type) return e;
  const std::string wanted = pool_.to_string(type);
  const std::string found = pool_.to_string(pool_.type(e));
  diagnostics_.report("type-002", tree_.span(root),
                      fmt::format("{} must be {} {}, but this is {} {}", what, article(wanted),
                                  wanted, article(found), found),
                      type == Type::boolean() && numeric(pool_.type(e))
                          ? "compare it with something, as in `x > 0`"
                          : fmt::format("write an expression of type {}", wanted));
  return {};
}

void ExpressionTyper::step(Scope& scope) {
  const SyntaxId id = at_++;
  switch (tree_.node(id).kind) {
    case SyntaxKind::Integer:
    case SyntaxKind::Decimal:
    case SyntaxKind::Text:
    case SyntaxKind::True:
    case SyntaxKind::False:
    case SyntaxKind::Name:
    case SyntaxKind::Primed:
    case SyntaxKind::AtNode:
    case SyntaxKind::Any:
    case SyntaxKind::Halt:
    case SyntaxKind::TakenName:
      return leaf(id, scope);
    case SyntaxKind::Index:
    case SyntaxKind::Member:
    case SyntaxKind::AtLabel:
      return postfix(id, scope);
    case SyntaxKind::Not:
    case SyntaxKind::Negate:
      return unary(id);
    case SyntaxKind::BindRange:
    case SyntaxKind::BindEnum:
      return bind(id, scope);
    case SyntaxKind::Forall:
    case SyntaxKind::Exists:
      return end_of_body(id);
    case SyntaxKind::Conditional:
      return conditional(id);
    case SyntaxKind::Or:
    case SyntaxKind::And:
    case SyntaxKind::Add:
    case SyntaxKind::Concat:
    case SyntaxKind::Multiply:
      return chain(id);
    case SyntaxKind::Implies:
    case SyntaxKind::Equal:
    case SyntaxKind::NotEqual:
    case SyntaxKind::Less:
    case SyntaxKind::LessEqual:
    case SyntaxKind::Greater:
    case SyntaxKind::GreaterEqual:
    case SyntaxKind::Subtract:
    case SyntaxKind::Divide:
    case SyntaxKind::Remainder:
    case SyntaxKind::Power:
    case SyntaxKind::Iff:
      return binary(id);
    case SyntaxKind::Taken:
    case SyntaxKind::TakenLabel:
      return taken(id, scope);
    case SyntaxKind::Always:
    case SyntaxKind::Eventually:
    case SyntaxKind::NextState:
    case SyntaxKind::Once:
    case SyntaxKind::Historically:
    case SyntaxKind::Until:
    case SyntaxKind::WeakUntil:
    case SyntaxKind::Release:
    case SyntaxKind::Since:
      return temporal(id);
  }
}

// -------------------------------------------------------------------------------------- leaves

void ExpressionTyper::leaf(SyntaxId id, Scope& scope) {
  const std::string_view text = tree_.text(tree_.token_of(id));
  const Span span = tree_.span(id);
  std::optional<Operand> operand;
  switch (tree_.node(id).kind) {
    case SyntaxKind::Integer: {
      const auto number = Integer::parse(text);
      return number ? push(id, pool_.integer(*number)) : push_failure(id);
    }
    case SyntaxKind::Decimal: {
      const auto number = Rational::parse(text);
      return number ? push(id, pool_.real(*number)) : push_failure(id);
    }
    case SyntaxKind::Text:
      return push(id, pool_.string(unquoted(text)));
    case SyntaxKind::True:
      return push(id, pool_.boolean(true));
    case SyntaxKind::False:
      return push(id, pool_.boolean(false));
    case SyntaxKind::Name:
      if (const Loop* loop = bound(text)) {
        record_use(name_span(loop->bind), id);
        return push(
            id, loop->type == Type::integer()
                    ? pool_.integer(loop->value)
                    : pool_.constant(EnumValue{static_cast<std::uint32_t>(*loop->value.to_int64())},
                                     loop->type));
      }
      operand = scope.name(text, span);
      break;
    case SyntaxKind::Primed:
      if (bound(text) != nullptr) {
        diagnostics_.report(
            "type-007", span,
            fmt::format("`{}` is bound by a quantifier and has no next value", text),
            "write it without `'`");
      } else {
        operand = scope.primed(text, span);
      }
      break;
    case SyntaxKind::AtNode:
      operand = scope.at_node(name_of(tree_, id), span);
      break;
    case SyntaxKind::Halt:
      operand = scope.halt(span);
      break;
    case SyntaxKind::TakenName:
      operand = scope.taken(name_of(tree_, id), name_span(id));
      break;
    default:
      diagnostics_.report(
          "type-009", span, fmt::format("{} must stand alone", quote(id)),
          "`any x` is joined to the rest of an effect with `&&`, outside parentheses "
          "of other operators");
      break;
  }
  if (!operand) return push_failure(id);
  record_use(operand->declaration, id);
  stack_.push_back({*operand, id, true});
}

void ExpressionTyper::record_use(Span declaration, SyntaxId id) {
  if (symbols_.wanted() && first_round()) symbols_.use(declaration, name_span(id));
}

bool ExpressionTyper::first_round() const {
  return std::all_of(loops_.begin(), loops_.end(), [](const Loop& loop) { return loop.first; });
}

const ExpressionTyper::Loop* ExpressionTyper::bound(std::string_view name) const {
  for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
    if (loop->name == name) return &*loop;
  }
  return nullptr;
}

void ExpressionTyper::postfix(SyntaxId id, Scope& scope) {
  const SyntaxKind kind = tree_.node(id).kind;
  std::optional<Item> index;
  if (kind == SyntaxKind::Index) {
    index = stack_.back();
    stack_.pop_back();
  }
  const Item base = stack_.back();
  stack_.pop_back();
  if (!base.valid || (index && !index->valid)) return push_failure(id);
  if (refuse_temporal(id, {&base, 1}) || (index && refuse_temporal(id, {&*index, 1}))) return;
  const Span span = tree_.span(id);
  std::optional<Operand> result;
  if (kind == SyntaxKind::Index) {
    if (base.operand.expr.valid() && index->operand.expr.valid() &&
        pool_.kind(pool_.type(base.operand.expr)) == TypeKind::Array) {
      const Type wanted = pool_.info(pool_.type(base.operand.expr)).index;
      if (pool_.type(index->operand.expr) == wanted) {
        return push(id, pool_.select(base.operand.expr, index->operand.expr));
      }
      diagnostics_.report("type-002", tree_.span(index->node),
                          fmt::format("an index must be {} {}", article(pool_.to_string(wanted)),
                                      pool_.to_string(wanted)),
                          fmt::format("{} is of type {}", quote(index->node),
                                      pool_.to_string(pool_.type(index->operand.expr))));
      return push_failure(id);
    }
    result = scope.index(base.operand, index->operand, span);
  } else if (kind == SyntaxKind::Member) {
    result = scope.member(base.operand, name_of(tree_, id), span);
  } else {
    result = scope.label(base.operand, name_of(tree_, id), span);
  }
  if (!result) return push_failure(id);
  if (kind != SyntaxKind::Index) record_use(result->declaration, id);
  stack_.push_back({*result, id, true});
}

// ------------------------------------------------------------------------------------ operators

void ExpressionTyper::unary(SyntaxId id) {
  const Item item = stack_.back();
  stack_.pop_back();
  combine(id, {&item, 1});
}

void ExpressionTyper::binary(SyntaxId id) {
  const Item operands[] = {stack_[stack_.size() - 2], stack_.back()};
  stack_.resize(stack_.size() - 2);
  combine(id, operands);
}

void ExpressionTyper::conditional(SyntaxId id) {
  const Item operands[] = {stack_[stack_.size() - 3], stack_[stack_.size() - 2], stack_.back()};
  stack_.resize(stack_.size() - 3);
  combine(id, operands);
}

// Operands of `a && b && c` stay on the stack until the last `&&` of the chain.
void ExpressionTyper::chain(SyntaxId id) {
  const SyntaxNode& left = tree_.node(tree_.left(id));
  std::uint32_t count = 2;
  if (left.kind == tree_.node(id).kind && left.chained) {
    count = chains_.back() + 1;
    chains_.pop_back();
  }
  if (tree_.node(id).chained) {
    chains_.push_back(count);
    return;
  }
  const std::vector<Item> operands(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
  stack_.resize(stack_.size() - count);
  combine(id, operands);
}

void ExpressionTyper::combine(SyntaxId id, std::span<const Item> operands) {
  if (ltl_ != nullptr && combine_formulas(id, operands)) return;
  arguments_.clear();
  for (const Item& item : operands) {
    if (!item.valid) return push_failure(id);
    if (!item.operand.expr.valid()) {
      diagnostics_.report("type-011", tree_.span(item.node),
                          fmt::format("{} has no value of its own", quote(item.node)),
                          "name a part of it");
      return push_failure(id);
    }
    arguments_.push_back(item.operand.expr);
  }
  const Expr result = build(id, arguments_);
  if (result.valid() && pool_.is_const(result) && bits(pool_.value(result)) > kMaxBits) {
    diagnostics_.report("type-004", tree_.span(id), "this constant is too large",
                        fmt::format("constants have at most {} bits", kMaxBits));
    return push_failure(id);
  }
  push(id, result);
}

// Makes all Real if one is; false when something is not a number.
bool ExpressionTyper::widen(std::span<Expr> arguments) {
  bool real = false;
  for (const Expr e : arguments) {
    if (!numeric(pool_.type(e))) return false;
    real = real || pool_.type(e) == Type::real();
  }
  if (real) {
    for (Expr& e : arguments) e = pool_.to_real(e);
  }
  return true;
}

void ExpressionTyper::refuse(SyntaxId id, std::string_view needs, std::span<const Expr> arguments) {
  std::string types;
  std::size_t shown = 0;
  for (const Expr e : arguments) {
    const std::string type = pool_.to_string(pool_.type(e));
    if (shown++ > 0) types += ", ";
    if (shown > 4) {
      types += "...";
      break;
    }
    types += type;
  }
  const SyntaxKind kind = tree_.node(id).kind;
  std::string hint = arguments.size() == 1 ? fmt::format("its operand is of type {}", types)
                                           : fmt::format("its operands are of types {}", types);
  const bool comparison = kind == SyntaxKind::Less || kind == SyntaxKind::LessEqual ||
                          kind == SyntaxKind::Greater || kind == SyntaxKind::GreaterEqual;
  if (kind == SyntaxKind::Not || (comparison && pool_.type(arguments[0]) == Type::boolean())) {
    hint += kind == SyntaxKind::Not ? "; `!` binds stronger than comparisons: write `!(a == b)`"
                                    : "; write `a < b && b < c` instead of `a < b < c`";
  }
  diagnostics_.report("type-001", tree_.operator_span(id),
                      fmt::format("`{}` needs {}", tree_.text(tree_.token_of(id)), needs), hint);
}

Expr ExpressionTyper::build(SyntaxId id, std::span<Expr> a) {
  const auto all = [&](Type type) {
    return std::all_of(a.begin(), a.end(), [&](Expr e) { return pool_.type(e) == type; });
  };
  switch (tree_.node(id).kind) {
    case SyntaxKind::Not:
      if (all(Type::boolean())) return pool_.negate(a[0]);
      refuse(id, "a Bool", a);
      return {};
    case SyntaxKind::And:
    case SyntaxKind::Or:
      if (all(Type::boolean())) {
        return tree_.node(id).kind == SyntaxKind::And ? pool_.conj(a) : pool_.disj(a);
      }
      refuse(id, "Bools", a);
      return {};
    case SyntaxKind::Implies:
      if (all(Type::boolean())) return pool_.implies(a[0], a[1]);
      refuse(id, "Bools", a);
      return {};
    case SyntaxKind::Iff:
      if (all(Type::boolean())) return pool_.eq(a[0], a[1]);
      refuse(id, "Bools", a);
      return {};
    case SyntaxKind::Negate:
      if (numeric(pool_.type(a[0]))) return pool_.minus(a[0]);
      refuse(id, "a number", a);
      return {};
    case SyntaxKind::Add:
      if (widen(a)) return pool_.make(Op::Add, a);
      if (all(Type::string())) {
        refuse(id, "numbers; texts are joined with `++`", a);
        return {};
      }
      refuse(id, "numbers", a);
      return {};
    case SyntaxKind::Subtract:
      if (widen(a)) return pool_.sub(a[0], a[1]);
      refuse(id, "numbers", a);
      return {};
    case SyntaxKind::Multiply:
      if (widen(a)) return pool_.make(Op::Mul, a);
      refuse(id, "numbers", a);
      return {};
    case SyntaxKind::Concat:
      if (all(Type::string())) return pool_.make(Op::Concat, a);
      refuse(id, "Strings", a);
      return {};
    case SyntaxKind::Divide:
    case SyntaxKind::Remainder:
      return divide(id, a);
    case SyntaxKind::Power:
      return power(id, a[0], a[1]);
    case SyntaxKind::Conditional:
      if (pool_.type(a[0]) != Type::boolean()) {
        refuse(id, "a Bool as its condition", a.first(1));
        return {};
      }
      if (pool_.type(a[1]) != pool_.type(a[2]) && !widen(a.subspan(1))) {
        refuse(id, "two values of one type", a.subspan(1));
        return {};
      }
      return pool_.ite(a[0], a[1], a[2]);
    default:
      return compare(id, a);
  }
}

Expr ExpressionTyper::divide(SyntaxId id, std::span<Expr> a) {
  if (tree_.node(id).kind == SyntaxKind::Remainder) {
    if (pool_.type(a[0]) == Type::integer() && pool_.type(a[1]) == Type::integer()) {
      return pool_.make(Op::Mod, a);
    }
    refuse(id, "Ints", a);
    return {};
  }
  if (!widen(a)) {
    refuse(id, "numbers", a);
    return {};
  }
  return pool_.make(pool_.type(a[0]) == Type::integer() ? Op::IDiv : Op::Div, a);
}

Expr ExpressionTyper::power(SyntaxId id, Expr base, Expr exponent) {
  const Span span = tree_.span(tree_.right(id));
  if (!numeric(pool_.type(base))) {
    const Expr arguments[] = {base, exponent};
    refuse(id, "a number and a constant exponent", arguments);
    return {};
  }
  if (!pool_.is_const(exponent) || !pool_.value(exponent).is_integer()) {
    diagnostics_.report("type-003", span, "the exponent of `^` must be a constant natural number",
                        "write a number such as `2` or a `const`");
    return {};
  }
  const auto value = pool_.value(exponent).as_integer().to_int64();
  if (!value || *value < 0 || *value > kMaxExponent) {
    diagnostics_.report("type-003", span,
                        fmt::format("the exponent of `^` must be between 0 and {}", kMaxExponent),
                        "other powers cannot be computed");
    return {};
  }
  if (pool_.is_const(base) &&
      bits(pool_.value(base)) * static_cast<std::uint64_t>(*value) > kMaxBits) {
    diagnostics_.report("type-004", tree_.span(id), "this constant is too large",
                        fmt::format("constants have at most {} bits", kMaxBits));
    return {};
  }
  return pool_.make(Op::Pow, {base, exponent});
}

Expr ExpressionTyper::compare(SyntaxId id, std::span<Expr> a) {
  const SyntaxKind kind = tree_.node(id).kind;
  const bool numbers = widen(a);
  if (kind == SyntaxKind::Equal || kind == SyntaxKind::NotEqual) {
    if (pool_.type(a[0]) != pool_.type(a[1])) {
      refuse(id, "two operands of one type", a);
      return {};
    }
    return kind == SyntaxKind::Equal ? pool_.eq(a[0], a[1]) : pool_.ne(a[0], a[1]);
  }
  if (!numbers) {
    refuse(id, "numbers", a);
    return {};
  }
  switch (kind) {
    case SyntaxKind::Less:
      return pool_.lt(a[0], a[1]);
    case SyntaxKind::LessEqual:
      return pool_.le(a[0], a[1]);
    case SyntaxKind::Greater:
      return pool_.gt(a[0], a[1]);
    default:
      return pool_.ge(a[0], a[1]);
  }
}

}  // namespace whittle::frontend

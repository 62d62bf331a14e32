// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/nearest.h"
#include "frontend/c/parser_impl.h"

namespace whittle::c {

namespace {

struct BinaryOperator {
  std::string_view text;
  int strength;
  Operator op;  // None: `&&`, `||`
};

constexpr BinaryOperator kBinaryOperators[] = {
    {"||", 1, Operator::None},  {"&&", 2, Operator::None},  {"|", 3, Operator::BitOr},
    {"^", 4, Operator::BitXor}, {"&", 5, Operator::BitAnd}, {"==", 6, Operator::Eq},
    {"!=", 6, Operator::Ne},    {"<", 7, Operator::Lt},     {"<=", 7, Operator::Le},
    {">", 7, Operator::Gt},     {">=", 7, Operator::Ge},    {"<<", 8, Operator::Shl},
    {">>", 8, Operator::Shr},   {"+", 9, Operator::Add},    {"-", 9, Operator::Sub},
    {"*", 10, Operator::Mul},   {"/", 10, Operator::Div},   {"%", 10, Operator::Rem},
};

const BinaryOperator* binary_operator(const Token& token) {
  if (token.kind != TokenKind::Symbol) return nullptr;
  for (const BinaryOperator& entry : kBinaryOperators)
    if (entry.text == token.text) return &entry;
  return nullptr;
}

constexpr std::pair<std::string_view, Operator> kAssignments[] = {
    {"=", Operator::None},   {"+=", Operator::Add},    {"-=", Operator::Sub},
    {"*=", Operator::Mul},   {"/=", Operator::Div},    {"%=", Operator::Rem},
    {"<<=", Operator::Shl},  {">>=", Operator::Shr},   {"&=", Operator::BitAnd},
    {"|=", Operator::BitOr}, {"^=", Operator::BitXor},
};

}  // namespace

ExpressionId Parser::expression() {
  ExpressionId result = assignment();
  while (accept(",")) result = build_.comma(result, assignment());
  return result;
}

ExpressionId Parser::assignment() {
  const Deeper deeper(*this);
  const ExpressionId left = conditional();
  if (peek().kind != TokenKind::Symbol) return left;
  for (const auto& [text, op] : kAssignments)
    if (accept(text)) return build_.assign(op, left, assignment());
  return left;
}

ExpressionId Parser::conditional() {
  const ExpressionId condition = operators(1);
  if (!accept("?")) return condition;
  const Deeper deeper(*this);
  const ExpressionId first = is(":") ? kNone : expression();
  expect(":");
  return build_.conditional(condition, first, conditional());
}

ExpressionId Parser::operators(int weakest) {
  ExpressionId left = cast_expression();
  while (true) {
    const BinaryOperator* entry = binary_operator(peek());
    if (entry == nullptr || entry->strength < weakest) return left;
    skip();
    const ExpressionId right = operators(entry->strength + 1);
    if (entry->op != Operator::None)
      left = build_.binary(entry->op, left, right);
    else
      left = build_.logical(entry->text == "&&" ? ExpressionKind::And : ExpressionKind::Or, left,
                            right);
  }
}

ExpressionId Parser::cast_expression() {
  if (!is("(") || !begins_type(1)) return unary();
  const Deeper deeper(*this);
  const Span begin = peek().span;
  skip();
  const TypeId type = type_name();
  expect(")");
  if (is("{")) return build_.literal(type, initializer(type), join(begin, last()));
  const ExpressionId operand = cast_expression();
  return build_.cast(operand, type, join(begin, build_.at(operand).span));
}

ExpressionId Parser::unary() {
  const Deeper deeper(*this);
  const Span begin = peek().span;
  const auto whole = [&](ExpressionId operand) { return join(begin, build_.at(operand).span); };
  if (peek().kind == TokenKind::Symbol) {
    static constexpr std::pair<std::string_view, Operator> kPrefix[] = {{"+", Operator::Plus},
                                                                        {"-", Operator::Minus},
                                                                        {"~", Operator::BitNot},
                                                                        {"!", Operator::Not}};
    for (const auto& [text, op] : kPrefix) {
      if (!accept(text)) continue;
      const ExpressionId operand = cast_expression();
      return build_.unary(op, operand, whole(operand));
    }
    if (is("++") || is("--")) {
      const Operator op = is("++") ? Operator::Add : Operator::Sub;
      skip();
      const ExpressionId operand = unary();
      return build_.step(op, true, operand, whole(operand));
    }
    if (accept("*")) {
      const ExpressionId operand = cast_expression();
      return build_.dereference(operand, whole(operand));
    }
    if (accept("&&")) {
      const Token label = name("a label");
      return build_.other(Refusal::Jump, unit_.types.pointer_to(kVoid), join(begin, label.span));
    }
    if (accept("&")) {
      const ExpressionId operand = cast_expression();
      return build_.address(operand, whole(operand));
    }
    return postfix();
  }
  if (is("sizeof")) return size_of(false);
  if (is("_Alignof") || is("__alignof__") || is("__alignof")) return size_of(true);
  if (is("__extension__")) {
    skip();
    return cast_expression();
  }
  if (is("__real__") || is("__imag__")) {
    skip();
    cast_expression();
    return build_.other(Refusal::Float, kDouble, join(begin, last()));
  }
  return postfix();
}

ExpressionId Parser::size_of(bool alignment) {
  const Span begin = peek().span;
  skip();
  TypeId type = kInt;
  if (is("(") && begins_type(1)) {
    skip();
    type = type_name();
    expect(")");
  } else {
    type = build_.at(unary()).type;
  }
  const Span span = join(begin, last());
  auto size = unit_.types.size(type);
  if (alignment && size && *size > 16) size = std::nullopt;
  if (!size)
    return build_.other(unit_.types[type].variable ? Refusal::Vla : Refusal::Extension,
                        unit_.types.size_type(), span);
  return build_.constant(*size, unit_.types.size_type(), span);
}

ExpressionId Parser::postfix() {
  ExpressionId result = primary();
  while (peek().kind == TokenKind::Symbol) {
    const Span begin = build_.at(result).span;
    if (accept("[")) {
      const ExpressionId index = expression();
      expect("]");
      result = build_.index(result, index, join(begin, last()));
    } else if (is("(")) {
      result = arguments(result);
    } else if (accept(".")) {
      const Token member = name("a member");
      result = build_.member(result, member.text, join(begin, member.span));
    } else if (accept("->")) {
      const Token member = name("a member");
      const Span span = join(begin, member.span);
      result = build_.member(build_.dereference(result, span), member.text, span);
    } else if (is("++") || is("--")) {
      const Operator op = is("++") ? Operator::Add : Operator::Sub;
      skip();
      result = build_.step(op, false, result, join(begin, last()));
    } else {
      return result;
    }
  }
  return result;
}

ExpressionId Parser::arguments(ExpressionId callee) {
  const Span begin = build_.at(callee).span;
  expect("(");
  std::vector<ExpressionId> list;
  if (!is(")")) {
    do {
      list.push_back(assignment());
    } while (accept(","));
  }
  expect(")");
  return build_.call(callee, std::move(list), join(begin, last()));
}

ExpressionId Parser::primary() {
  const Token token = peek();
  switch (token.kind) {
    case TokenKind::Number:
      skip();
      return build_.number(token.text, token.span);
    case TokenKind::Character:
      skip();
      return build_.character(token.text, token.span);
    case TokenKind::String: {
      skip();
      if (peek().kind != TokenKind::String) return build_.string(token.text, token.span);
      std::string& text = unit_.texts.emplace_back(token.text);
      for (; peek().kind == TokenKind::String; skip()) {
        text.pop_back();
        text += peek().text.substr(peek().text.find('"') + 1);
      }
      return build_.string(text, join(token.span, last()));
    }
    case TokenKind::Word:
      return named();
    default:
      break;
  }
  if (!is("(")) stop("an expression");
  skip();
  if (is("{")) {
    const StatementId body = compound();
    expect(")");
    TypeId type = kVoid;
    const Statement& block = unit_.statements[body];
    if (!block.list.empty()) {
      const Statement& end = unit_.statements[block.list.back()];
      if (end.kind == StatementKind::Expression) type = build_.at(end.expression).type;
    }
    return build_.block(body, type, join(token.span, last()));
  }
  const ExpressionId inner = expression();
  expect(")");
  return inner;
}

ExpressionId Parser::named() {
  const Token token = peek();
  if (token.text == "__builtin_va_arg" || token.text == "__builtin_offsetof" ||
      token.text == "__builtin_types_compatible_p" || token.text == "_Generic" ||
      token.text == "__builtin_choose_expr")
    return built_in();
  if (token.text == "__func__" || token.text == "__FUNCTION__" ||
      token.text == "__PRETTY_FUNCTION__") {
    skip();
    return build_.string("\"\"", token.span);
  }
  const Entity* entity = find(token.text);
  if (entity == nullptr) {
    skip();
    if (is("(")) {  // declared by its use, as in old C
      TypeEntry type;
      type.kind = TypeKind::Function;
      type.target = kInt;
      const TypeId id = unit_.types.add(std::move(type));
      return build_.function(function_named(token, id), token.span);
    }
    NearestName nearest{std::string(token.text)};
    for (const Scope& scope : scopes_)
      for (const auto& entry : scope.names) nearest.offer(std::string(entry.first));
    diagnostics_.report(
        "c-002", token.span, fmt::format("`{}` is not declared", token.text),
        nearest.result() ? fmt::format("did you mean `{}`?", *nearest.result()) : "");
    return build_.constant(0, kInt, token.span);
  }
  skip();
  use(*entity, token.span);
  switch (entity->kind) {
    case EntityKind::Enumerator:
      return build_.constant(entity->value, kInt, token.span);
    case EntityKind::Object:
      return build_.object(entity->id, token.span);
    case EntityKind::Function:
      return build_.function(entity->id, token.span);
    case EntityKind::Typedef:
      break;
  }
  --at_;
  stop("an expression");
}

ExpressionId Parser::built_in() {
  const Token token = peek();
  skip();
  skip_parentheses();
  const bool variadic = token.text == "__builtin_va_arg";
  return build_.other(variadic ? Refusal::Variadic : Refusal::Extension, kInt,
                      join(token.span, last()));
}

}  // namespace whittle::c

// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/builder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "frontend/c/literals.h"

namespace whittle::c {

ExpressionId Builder::add(Expression e) {
  std::uint32_t depth = 0;
  for (const ExpressionId child : {e.a, e.b, e.c})
    if (child != kNone) depth = std::max(depth, depth_[child]);
  for (const ExpressionId child : e.list) depth = std::max(depth, depth_[child]);
  if (++depth > kMaxDepth) {
    if (depth == kMaxDepth + 1)
      diagnostics_.report("parse-003", e.span, "this expression is nested too deeply",
                          "give parts of it names");
    depth = kMaxDepth + 2;
  }
  depth_.push_back(depth);
  unit_.expressions.push_back(std::move(e));
  return static_cast<ExpressionId>(unit_.expressions.size() - 1);
}

// ----- leaves

ExpressionId Builder::constant(std::uint64_t value, TypeId type, Span span) {
  Expression e;
  e.value = value;
  e.type = type;
  e.span = span;
  return add(std::move(e));
}

ExpressionId Builder::string(std::string_view text, Span span) {
  Expression e;
  e.kind = ExpressionKind::String;
  e.text = text;
  TypeEntry type;
  type.kind = TypeKind::Array;
  type.target = kChar;
  type.length = string_bytes(text).size();
  e.type = unit_.types.add(std::move(type));
  e.span = span;
  return add(std::move(e));
}

ExpressionId Builder::object(ObjectId id, Span span) {
  Expression e;
  e.kind = ExpressionKind::Object;
  e.ref = id;
  e.type = unit_.objects[id].type;
  e.span = span;
  return add(std::move(e));
}

ExpressionId Builder::function(FunctionId id, Span span) {
  Expression e;
  e.kind = ExpressionKind::Function;
  e.ref = id;
  e.type = unit_.functions[id].type;
  e.span = span;
  return add(std::move(e));
}

ExpressionId Builder::other(Refusal refusal, TypeId type, Span span) {
  Expression e;
  e.kind = ExpressionKind::Other;
  e.ref = static_cast<std::uint32_t>(refusal);
  e.type = type;
  e.span = span;
  return add(std::move(e));
}

ExpressionId Builder::block(StatementId body, TypeId type, Span span) {
  Expression e;
  e.kind = ExpressionKind::Block;
  e.ref = body;
  e.type = type;
  e.span = span;
  return add(std::move(e));
}

ExpressionId Builder::literal(TypeId type, std::uint32_t initializer, Span span) {
  Expression e;
  e.kind = ExpressionKind::Literal;
  e.ref = initializer;
  e.type = type;
  e.span = span;
  return add(std::move(e));
}

// ----- conversions

ExpressionId Builder::decayed(ExpressionId a) {
  const TypeEntry& entry = unit_.types[type(a)];
  if (entry.kind != TypeKind::Array && entry.kind != TypeKind::Function) return a;
  const TypeId target = entry.kind == TypeKind::Array ? entry.target : type(a);
  Expression e;
  e.kind = ExpressionKind::Cast;
  e.implicit = true;
  e.span = at(a).span;
  e.a = a;
  e.type = unit_.types.pointer_to(target);
  return add(std::move(e));
}

ExpressionId Builder::converted(ExpressionId a, TypeId to) {
  a = decayed(a);
  if (type(a) == to) return a;
  // Structures and pointers have many types that mean the same.
  if (!unit_.types.is_arithmetic(to) && !unit_.types.is_arithmetic(type(a))) return a;
  Expression e;
  e.kind = ExpressionKind::Cast;
  e.implicit = true;
  e.span = at(a).span;
  e.a = a;
  e.type = to;
  return add(std::move(e));
}

ExpressionId Builder::cast(ExpressionId a, TypeId to, Span span) {
  a = decayed(a);
  Expression e;
  e.kind = ExpressionKind::Cast;
  e.span = span;
  e.a = a;
  e.type = to;
  return add(std::move(e));
}

ExpressionId Builder::promote(ExpressionId a) {
  a = decayed(a);
  return unit_.types.is_integer(type(a)) ? converted(a, unit_.types.promoted(type(a))) : a;
}

// ----- operators

ExpressionId Builder::unary(Operator op, ExpressionId a, Span span) {
  Expression e;
  e.kind = ExpressionKind::Unary;
  e.op = op;
  e.span = span;
  e.a = op == Operator::Not ? decayed(a) : promote(a);
  e.type = op == Operator::Not ? static_cast<TypeId>(kInt) : type(e.a);
  return add(std::move(e));
}

ExpressionId Builder::binary(Operator op, ExpressionId a, ExpressionId b) {
  Expression e;
  e.kind = ExpressionKind::Binary;
  e.op = op;
  e.span = join(at(a).span, at(b).span);
  e.a = promote(a);
  e.b = promote(b);
  const bool comparison = op >= Operator::Eq;
  const bool shift = op == Operator::Shl || op == Operator::Shr;
  if (unit_.types.is_arithmetic(type(e.a)) && unit_.types.is_arithmetic(type(e.b))) {
    if (!shift) {
      const TypeId common = unit_.types.common(type(e.a), type(e.b));
      e.a = converted(e.a, common);
      e.b = converted(e.b, common);
    }
    e.type = comparison ? static_cast<TypeId>(kInt) : type(e.a);
  } else if (comparison) {
    e.type = kInt;
  } else if (unit_.types.is(type(e.a), TypeKind::Pointer)) {
    e.type =
        unit_.types.is(type(e.b), TypeKind::Pointer) ? unit_.types.difference_type() : type(e.a);
  } else {
    e.type = type(e.b);
  }
  return add(std::move(e));
}

ExpressionId Builder::logical(ExpressionKind kind, ExpressionId a, ExpressionId b) {
  Expression e;
  e.kind = kind;
  e.span = join(at(a).span, at(b).span);
  e.a = decayed(a);
  e.b = decayed(b);
  return add(std::move(e));
}

ExpressionId Builder::conditional(ExpressionId a, ExpressionId b, ExpressionId c) {
  Expression e;
  e.kind = ExpressionKind::Conditional;
  e.span = join(at(a).span, at(c).span);
  e.a = decayed(a);
  e.b = b == kNone ? kNone : decayed(b);
  e.c = decayed(c);
  const ExpressionId first = b == kNone ? e.a : e.b;
  e.type = type(first);
  if (unit_.types.is_arithmetic(type(first)) && unit_.types.is_arithmetic(type(e.c))) {
    e.type = unit_.types.common(type(first), type(e.c));
    if (e.b != kNone) e.b = converted(e.b, e.type);
    e.c = converted(e.c, e.type);
  } else if (unit_.types.is(type(e.c), TypeKind::Void) ||
             (unit_.types.is(type(e.c), TypeKind::Pointer) && unit_.types.is_integer(e.type))) {
    e.type = type(e.c);
  }
  return add(std::move(e));
}

ExpressionId Builder::comma(ExpressionId a, ExpressionId b) {
  Expression e;
  e.kind = ExpressionKind::Comma;
  e.span = join(at(a).span, at(b).span);
  e.a = a;
  e.b = decayed(b);
  e.type = type(e.b);
  return add(std::move(e));
}

ExpressionId Builder::assign(Operator op, ExpressionId a, ExpressionId b) {
  Expression e;
  e.kind = op == Operator::None ? ExpressionKind::Assign : ExpressionKind::Compound;
  e.op = op;
  e.span = join(at(a).span, at(b).span);
  e.a = a;
  e.type = e.other = type(a);
  if (op == Operator::None) {
    e.b = converted(b, e.type);
    return add(std::move(e));
  }
  e.b = promote(b);
  if (!unit_.types.is_arithmetic(e.type) || !unit_.types.is_arithmetic(type(e.b)))
    return add(std::move(e));
  if (op == Operator::Shl || op == Operator::Shr) {
    e.other = unit_.types.promoted(e.type);
  } else {
    e.other = unit_.types.common(e.type, type(e.b));
    e.b = converted(e.b, e.other);
  }
  return add(std::move(e));
}

ExpressionId Builder::step(Operator op, bool prefix, ExpressionId a, Span span) {
  Expression e;
  e.kind = ExpressionKind::Step;
  e.op = op;
  e.prefix = prefix;
  e.span = span;
  e.a = a;
  e.type = type(a);
  e.other = unit_.types.is_integer(e.type) ? unit_.types.common(e.type, kInt) : e.type;
  return add(std::move(e));
}

// ----- functions, arrays, pointers and structures

ExpressionId Builder::call(ExpressionId callee, std::vector<ExpressionId> arguments, Span span) {
  Expression e;
  e.kind = ExpressionKind::Call;
  e.span = span;
  e.a = callee;
  TypeId called = type(callee);
  if (unit_.types.is(called, TypeKind::Pointer)) called = unit_.types[called].target;
  const TypeEntry function = unit_.types[called];
  e.type = function.kind == TypeKind::Function ? function.target : static_cast<TypeId>(kInt);
  // Without a prototype, the parameters of the definition are known when it is called.
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (function.prototype && i < function.parameters.size())
      arguments[i] = converted(arguments[i], function.parameters[i]);
    else
      arguments[i] = promote(arguments[i]);
  }
  e.list = std::move(arguments);
  return add(std::move(e));
}

ExpressionId Builder::index(ExpressionId a, ExpressionId b, Span span) {
  Expression e;
  e.kind = ExpressionKind::Index;
  e.span = span;
  e.a = decayed(a);
  e.b = decayed(b);
  if (unit_.types.is_integer(type(e.a))) std::swap(e.a, e.b);
  const TypeEntry& base = unit_.types[type(e.a)];
  e.type = base.kind == TypeKind::Pointer ? base.target : static_cast<TypeId>(kInt);
  return add(std::move(e));
}

ExpressionId Builder::dereference(ExpressionId a, Span span) {
  Expression e;
  e.kind = ExpressionKind::Dereference;
  e.span = span;
  e.a = decayed(a);
  const TypeEntry& base = unit_.types[type(e.a)];
  e.type = base.kind == TypeKind::Pointer ? base.target : static_cast<TypeId>(kInt);
  return add(std::move(e));
}

ExpressionId Builder::address(ExpressionId a, Span span) {
  Expression e;
  e.kind = ExpressionKind::Address;
  e.span = span;
  e.a = a;
  e.type = unit_.types.pointer_to(type(a));
  return add(std::move(e));
}

ExpressionId Builder::member(ExpressionId a, std::string_view name, Span span) {
  const TypeEntry entry = unit_.types[type(a)];
  for (std::size_t i = 0; i < entry.members.size(); ++i) {
    Expression e;
    e.kind = ExpressionKind::Member;
    e.span = span;
    e.a = a;
    e.ref = static_cast<std::uint32_t>(i);
    e.type = entry.members[i].type;
    if (entry.members[i].name == name) return add(std::move(e));
    // Through one without a name.
    if (!entry.members[i].name.empty()) continue;
    const auto& inner = unit_.types[entry.members[i].type].members;
    if (std::any_of(inner.begin(), inner.end(), [&](const Member& m) { return m.name == name; }))
      return member(add(std::move(e)), name, span);
  }
  const bool structure = entry.kind == TypeKind::Struct || entry.kind == TypeKind::Union;
  diagnostics_.report("c-006", span,
                      fmt::format("{} has no member `{}`", unit_.types.text(type(a)), name),
                      structure ? "" : "only structures and unions have members");
  return other(Refusal::Struct, kInt, span);
}

}  // namespace whittle::c

// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/representation.h"

#include <numeric>

namespace whittle::c {

Representation::Representation(const Unit& unit, FunctionId main, Numbers numbers)
    : unit_(unit),
      constants_(unit),
      objects_(static_cast<std::uint32_t>(unit.objects.size())),
      all_(numbers == Numbers::Bits),
      parents_(unit.objects.size() + unit.functions.size()),
      marked_(parents_.size(), all_),
      seen_(unit.functions.size(), false) {
  std::iota(parents_.begin(), parents_.end(), 0U);
  if (numbers != Numbers::Auto || main == kNone) return;
  for (ObjectId id = 0; id < objects_; ++id)
    if (unit.objects[id].initializer != kNone && unit.objects[id].keeps)
      initializer(unit.objects[id].initializer, of_object(id));
  open_.push_back(main);
  seen_[main] = true;
  while (!open_.empty()) {
    const FunctionId next = open_.back();
    open_.pop_back();
    function(next);
  }
}

Representation::Class Representation::root(Class c) const {
  while (parents_[c] != c) c = parents_[c] = parents_[parents_[c]];
  return c;
}

Representation::Class Representation::join(Class a, Class b) {
  if (a == kNone) return b;
  if (b == kNone) return a;
  a = root(a);
  b = root(b);
  if (a == b) return a;
  marked_[a] = marked_[a] || marked_[b];
  parents_[b] = a;
  return a;
}

// A _Bool is a number whatever happens to it.
Representation::Class Representation::of_object(ObjectId id) const {
  TypeId type = unit_.objects[id].type;
  while (unit_.types.is(type, TypeKind::Array) || unit_.types.is(type, TypeKind::Pointer))
    type = unit_.types[type].target;
  return type == kBool ? kNone : id;
}

void Representation::function(FunctionId id) {
  if (unit_.functions[id].body != kNone) statement(unit_.functions[id].body, id);
}

void Representation::statement(StatementId id, FunctionId function) {
  const Statement& s = unit_.statements[id];
  for (const ObjectId object : s.objects)
    if (unit_.objects[object].initializer != kNone)
      initializer(unit_.objects[object].initializer, of_object(object));
  if (s.expression != kNone) {
    const Class value = expression(s.expression);
    if (s.kind == StatementKind::Return) join(objects_ + function, value);
  }
  if (s.step != kNone) expression(s.step);
  if (s.kind == StatementKind::Other) return;
  for (const StatementId inner : {s.first, s.body, s.otherwise})
    if (inner != kNone) statement(inner, function);
  for (const StatementId inner : s.list) statement(inner, function);
}

void Representation::initializer(std::uint32_t id, Class target) {
  const Initializer& value = unit_.initializers[id];
  if (value.expression != kNone) join(target, expression(value.expression));
  for (const Initializer::Entry& entry : value.entries) initializer(entry.value, target);
}

// Is the value 0 or 1 by its form?
bool Representation::boolean(ExpressionId id) const {
  const Expression& e = unit_.expressions[id];
  switch (e.kind) {
    case ExpressionKind::And:
    case ExpressionKind::Or:
      return true;
    case ExpressionKind::Unary:
      return e.op == Operator::Not;
    case ExpressionKind::Binary:
      if (e.op == Operator::BitAnd || e.op == Operator::BitOr || e.op == Operator::BitXor)
        return boolean(e.a) && boolean(e.b);
      return e.op >= Operator::Eq;
    case ExpressionKind::Cast:
      return e.type == kBool || boolean(e.a);
    case ExpressionKind::Constant:
      return e.value <= 1;
    default:
      return e.type == kBool;
  }
}

Representation::Class Representation::operation(Operator op, ExpressionId left, Class a,
                                                ExpressionId right, Class b) {
  if (op >= Operator::Eq) {
    join(a, b);
    return kNone;
  }
  const bool shift = op == Operator::Shl || op == Operator::Shr;
  const bool bitwise = op == Operator::BitAnd || op == Operator::BitOr || op == Operator::BitXor;
  if (!shift && !bitwise) return join(a, b);
  const unsigned width = unit_.types.width(unit_.expressions[left].type);
  std::optional<Integer> known = constants_.value(right);
  if (bitwise && !known) known = constants_.value(left);
  const bool simple =
      Arithmetic::is_arithmetic(op, known, width) || (bitwise && boolean(left) && boolean(right));
  const Class result = shift && simple ? a : join(a, b);
  if (!simple) mark(result);
  return result;
}

Representation::Class Representation::call(const Expression& e) {
  const Expression& callee = unit_.expressions[e.a];
  if (callee.kind != ExpressionKind::Function) {
    for (const ExpressionId argument : e.list) expression(argument);
    return kNone;
  }
  const Function& function = unit_.functions[callee.ref];
  for (std::size_t i = 0; i < e.list.size(); ++i) {
    const Class value = expression(e.list[i]);
    if (i < function.parameters.size()) {
      const Class parameter = of_object(function.parameters[i]);
      if (parameter != kNone) join(parameter, value);
    }
  }
  if (!function.defined) return kNone;
  if (!seen_[callee.ref]) {
    seen_[callee.ref] = true;
    open_.push_back(callee.ref);
  }
  return e.type == kBool ? kNone : objects_ + callee.ref;
}

Representation::Class Representation::expression(ExpressionId id) {
  const Expression& e = unit_.expressions[id];
  switch (e.kind) {
    case ExpressionKind::Object:
      return of_object(e.ref);
    case ExpressionKind::Unary: {
      const Class a = expression(e.a);
      return e.op == Operator::Not ? kNone : a;
    }
    case ExpressionKind::Binary:
    case ExpressionKind::Compound: {
      const Class a = expression(e.a);
      const Class b = expression(e.b);
      const Class result = operation(e.op, e.a, a, e.b, b);
      return e.kind == ExpressionKind::Compound ? a : result;
    }
    case ExpressionKind::And:
    case ExpressionKind::Or:
      expression(e.a);
      expression(e.b);
      return kNone;
    case ExpressionKind::Conditional: {
      const Class a = expression(e.a);
      const Class b = e.b == kNone ? a : expression(e.b);
      return join(b, expression(e.c));
    }
    case ExpressionKind::Comma:
      expression(e.a);
      return expression(e.b);
    case ExpressionKind::Assign: {
      const Class a = expression(e.a);
      return join(a, expression(e.b));
    }
    case ExpressionKind::Step:
    case ExpressionKind::Dereference:
    case ExpressionKind::Address:
    case ExpressionKind::Member:
      return expression(e.a);
    case ExpressionKind::Cast: {
      const Class a = expression(e.a);
      return e.type == kBool ? kNone : a;
    }
    case ExpressionKind::Call:
      return call(e);
    case ExpressionKind::Index:
      expression(e.b);
      return expression(e.a);
    case ExpressionKind::Block:
      statement(e.ref, 0);
      return kNone;
    default:
      return kNone;
  }
}

}  // namespace whittle::c

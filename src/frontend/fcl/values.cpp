// SPDX-License-Identifier: Apache-2.0
#include "frontend/fcl/values.h"

namespace whittle::fcl {

Expr Values::as_number(Expr e) const {
  if (!e.valid() || pool_.kind(pool_.type(e)) != TypeKind::Bool) return e;
  return pool_.ite(e, pool_.integer(1), pool_.integer(0));
}

Expr Values::as_condition(Expr e) const {
  if (!e.valid() || pool_.kind(pool_.type(e)) != TypeKind::Int) return e;
  return pool_.ne(e, pool_.integer(0));
}

Expr Values::number(ExprId root, const Surroundings& at) const {
  return as_number(term(root, at).value);
}

Expr Values::condition(ExprId root, const Surroundings& at) const {
  return as_condition(term(root, at).value);
}

// Operands stand before their operations, so one pass over the range is enough.
Term Values::term(ExprId root, const Surroundings& at) const {
  const ExprId first = file_.expressions[root].first;
  std::vector<Term> terms;
  for (ExprId id = first; id <= root; ++id) {
    std::vector<Term> operands;
    bool whole = true;
    for (const ExprId operand : file_.expressions[id].operands) {
      operands.push_back(terms[operand - first]);
      whole = whole && operands.back().value.valid();
    }
    terms.push_back(whole ? one(id, operands, at) : Term());
  }
  return terms.back();
}

Term Values::named(const std::string& name, const Surroundings& at) const {
  std::uint32_t enumeration = 0;
  std::uint32_t value = 0;
  if (types_.find_value(name, enumeration, value))
    return {pool_.constant(EnumValue{value}, enums_[enumeration]), {}, {}, {}};
  const auto found = variables_.find(name);
  if (found == variables_.end()) return {};
  const Parts& parts = found->second;
  if (parts.number.valid()) return {at.read(parts.number), {}, {}, {}};
  Term result;
  if (parts.length.valid()) result.length = at.read(parts.length);
  if (parts.items.valid()) {
    result.items = at.read(parts.items);
    result.from = at.read(parts.from);
    result.value = pool_.integer(0);
  } else {
    result.value = at.read(parts.head);
  }
  return result;
}

Expr Values::first_element(const Term& list, const Surroundings&) const {
  if (!list.items.valid()) return list.value;
  return pool_.ite(pool_.gt(list.length, pool_.integer(0)), pool_.select(list.items, list.from),
                   pool_.integer(0));
}

Term Values::anything(ExprId id, const Surroundings& at) const {
  const bool number = types_.sort(id) != Sort::Enum;
  if (!at.input) return {};
  return {at.input(number ? Type::integer() : enums_[types_.enumeration(id)]), {}, {}, {}};
}

Expr Values::choice(const std::vector<Term>& operands, const Surroundings& at) const {
  if (!at.input) return {};
  Expr result = as_number(operands.back().value);
  for (std::size_t i = operands.size() - 1; i-- > 0;)
    result = pool_.ite(at.input(Type::boolean()), as_number(operands[i].value), result);
  return result;
}

Expr Values::junction(Operator op, const std::vector<Term>& operands) const {
  std::vector<Expr> parts;
  for (const Term& operand : operands) parts.push_back(as_condition(operand.value));
  return op == Operator::And ? pool_.conj(parts) : pool_.disj(parts);
}

// By zero it is 0; the divisor is written so that it never is.
Expr Values::divided(Operator op, Expr a, Expr b) const {
  const Op divide = op == Operator::Divide ? Op::IDiv : Op::Mod;
  const Expr zero = pool_.integer(0);
  if (pool_.is_const(b))
    return pool_.value(b) == Value(Integer(0)) ? zero : pool_.make(divide, {a, b});
  return pool_.ite(pool_.eq(b, zero), zero, pool_.make(divide, {a, b}));
}

Expr Values::arithmetic(Operator op, const std::vector<Expr>& numbers) const {
  const Expr a = numbers[0];
  switch (op) {
    case Operator::Negate:
      return pool_.minus(a);
    case Operator::Add:
      return pool_.make(Op::Add, numbers);
    case Operator::Subtract:
      return pool_.sub(a, numbers[1]);
    case Operator::Multiply:
      return pool_.make(Op::Mul, numbers);
    case Operator::Divide:
    case Operator::Remainder:
      return divided(op, a, numbers[1]);
    case Operator::Equal:
      return pool_.eq(a, numbers[1]);
    case Operator::NotEqual:
      return pool_.ne(a, numbers[1]);
    case Operator::Less:
      return pool_.lt(a, numbers[1]);
    case Operator::LessEqual:
      return pool_.le(a, numbers[1]);
    case Operator::Greater:
      return pool_.gt(a, numbers[1]);
    case Operator::GreaterEqual:
      return pool_.ge(a, numbers[1]);
    case Operator::Even:
    case Operator::Odd: {
      const Expr rest = pool_.make(Op::Mod, {a, pool_.integer(2)});
      return pool_.eq(rest, pool_.integer(op == Operator::Even ? 0 : 1));
    }
    default:
      return {};
  }
}

Term Values::one(ExprId id, const std::vector<Term>& operands, const Surroundings& at) const {
  const Expression& e = file_.expressions[id];
  const Expr zero = pool_.integer(0);
  switch (e.op) {
    case Operator::Integer:
      return {pool_.integer(e.number), {}, {}, {}};
    case Operator::Name:
      return named(e.name, at);
    case Operator::Any:
      return anything(id, at);
    case Operator::Choice:
      return {choice(operands, at), {}, {}, {}};
    case Operator::Place:
      return {at.place ? at.place(e) : Expr(), {}, {}, {}};
    case Operator::Not:
      return {pool_.negate(as_condition(operands[0].value)), {}, {}, {}};
    case Operator::And:
    case Operator::Or:
      return {junction(e.op, operands), {}, {}, {}};
    case Operator::Implies:
    case Operator::Iff: {
      const Expr a = as_condition(operands[0].value);
      const Expr b = as_condition(operands[1].value);
      return {e.op == Operator::Implies ? pool_.implies(a, b) : pool_.eq(a, b), {}, {}, {}};
    }
    case Operator::IsNull:
      if (!operands[0].length.valid()) return {pool_.boolean(false), {}, {}, {}};
      return {pool_.eq(operands[0].length, zero), {}, {}, {}};
    case Operator::Car:
      return {first_element(operands[0], at), {}, {}, {}};
    case Operator::Cdr: {
      Term list = operands[0];
      if (!list.items.valid()) return list;  // the assignment knows (network_builder.cpp)
      const Expr more = pool_.gt(list.length, zero);
      list.from = pool_.ite(more, pool_.add(list.from, pool_.integer(1)), list.from);
      list.length = pool_.ite(more, pool_.sub(list.length, pool_.integer(1)), zero);
      return list;
    }
    case Operator::Cons: {
      Term list = operands[1];
      if (!list.items.valid()) return {};
      list.from = pool_.sub(list.from, pool_.integer(1));
      list.items = pool_.store(list.items, list.from, as_number(operands[0].value));
      list.length = pool_.add(list.length, pool_.integer(1));
      return list;
    }
    default: {
      std::vector<Expr> numbers;
      for (const Term& operand : operands) numbers.push_back(as_number(operand.value));
      return {arithmetic(e.op, numbers), {}, {}, {}};
    }
  }
}

}  // namespace whittle::fcl

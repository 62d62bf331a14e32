// SPDX-License-Identifier: Apache-2.0
// Which arguments an operator takes, with messages for users, and the type of the result.
#include "base/error.h"
#include "expr/expr.h"
#include "expr/operators.h"

namespace whittle {

namespace {

// Beyond this an exponent is a mistake rather than a model.
constexpr std::int64_t kMaxExponent = 1 << 16;

using Problem = std::optional<std::string>;

class Checker {
 public:
  Checker(const ExprPool& pool, Op op, std::span<const Expr> arguments)
      : pool_(pool), op_(op), arguments_(arguments) {}

  [[nodiscard]] Problem run() const;

 private:
  [[nodiscard]] std::string quoted() const { return "'" + std::string(facts(op_).symbol) + "'"; }
  [[nodiscard]] std::string place(std::size_t i) const {
    if (arguments_.size() == 1) return "its argument";
    if (op_ == Op::Ite) return i == 0 ? "its condition" : "its branch";
    if (op_ == Op::Select || op_ == Op::Store) {
      return i == 0 ? "what is indexed" : (i == 1 ? "the index" : "the new element");
    }
    if (arguments_.size() == 2) return i == 0 ? "its left side" : "its right side";
    return "argument " + std::to_string(i + 1);
  }
  [[nodiscard]] TypeKind kind(std::size_t i) const { return pool_.kind(type(i)); }
  [[nodiscard]] Type type(std::size_t i) const { return pool_.type(arguments_[i]); }
  [[nodiscard]] std::string name(std::size_t i) const { return pool_.to_string(type(i)); }

  [[nodiscard]] Problem wrong(const std::string& needed, std::size_t i) const {
    return quoted() + " needs " + needed + ", but " + place(i) + " is " + name(i);
  }
  [[nodiscard]] std::string several(const std::string& one, const std::string& more) const {
    if (arguments_.size() == 1) return (one == "Int" ? "an " : "a ") + one;
    return (arguments_.size() == 2 ? "two " : "") + more;
  }
  [[nodiscard]] Problem arity() const;
  [[nodiscard]] Problem all_of(TypeKind kind, const std::string& one,
                               const std::string& more) const;
  [[nodiscard]] Problem one_type() const;
  [[nodiscard]] Problem numbers() const;
  [[nodiscard]] Problem power() const;
  [[nodiscard]] Problem ite() const;
  [[nodiscard]] Problem array() const;
  [[nodiscard]] Problem member() const;
  [[nodiscard]] Problem sets() const;
  [[nodiscard]] Problem bound() const;

  const ExprPool& pool_;
  Op op_;
  std::span<const Expr> arguments_;
};

Problem Checker::arity() const {
  const OperatorFacts& f = facts(op_);
  std::size_t n = arguments_.size();
  if (n >= f.min_arity && n <= f.max_arity) return std::nullopt;
  std::string needed = std::to_string(f.min_arity);
  if (f.max_arity == kAnyArity) needed = "at least " + needed;
  return quoted() + " needs " + needed + (f.min_arity == 1 ? " argument" : " arguments") +
         ", but there " + (n == 1 ? "is " : "are ") + std::to_string(n);
}

Problem Checker::all_of(TypeKind expected, const std::string& one, const std::string& more) const {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (kind(i) != expected) return wrong(several(one, more), i);
  }
  return std::nullopt;
}

Problem Checker::one_type() const {
  for (std::size_t i = 1; i < arguments_.size(); ++i) {
    if (type(i) != type(0)) {
      return quoted() + " needs both sides of one type, but they are " + name(0) + " and " +
             name(i);
    }
  }
  return std::nullopt;
}

Problem Checker::numbers() const {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (kind(i) != TypeKind::Int && kind(i) != TypeKind::Real) {
      return wrong(several("number", "numbers"), i);
    }
  }
  return one_type();
}

Problem Checker::power() const {
  if (kind(0) != TypeKind::Int && kind(0) != TypeKind::Real) return wrong("a number", 0);
  bool natural = kind(1) == TypeKind::Int && pool_.is_const(arguments_[1]) &&
                 pool_.value(arguments_[1]).as_integer().sign() >= 0;
  if (!natural) return quoted() + " needs a constant natural number as exponent";
  if (pool_.value(arguments_[1]).as_integer() > Integer(static_cast<long>(kMaxExponent))) {
    return quoted() + " takes exponents up to " + std::to_string(kMaxExponent);
  }
  return std::nullopt;
}

Problem Checker::ite() const {
  if (kind(0) != TypeKind::Bool) return wrong("a Bool as condition", 0);
  if (type(1) != type(2)) {
    return quoted() + " needs branches of one type, but they are " + name(1) + " and " + name(2);
  }
  return std::nullopt;
}

Problem Checker::array() const {
  if (kind(0) != TypeKind::Array) return wrong("an array", 0);
  const TypeInfo& a = pool_.info(type(0));
  if (type(1) != a.index) return wrong("an index of type " + pool_.to_string(a.index), 1);
  if (op_ == Op::Store && type(2) != a.element) {
    return wrong("an element of type " + pool_.to_string(a.element), 2);
  }
  return std::nullopt;
}

Problem Checker::member() const {
  if (kind(1) != TypeKind::Set) return wrong("a set on its right side", 1);
  Type element = pool_.info(type(1)).element;
  if (type(0) != element) return wrong("an element of type " + pool_.to_string(element), 0);
  return std::nullopt;
}

Problem Checker::sets() const {
  if (auto problem = all_of(TypeKind::Set, "set", "sets")) return problem;
  return one_type();
}

Problem Checker::bound() const {
  if (!pool_.is_variable(arguments_[0])) return quoted() + " needs a variable to bind";
  if (kind(1) != TypeKind::Set) return quoted() + " needs a set, but it ranges over " + name(1);
  if (pool_.info(type(1)).element != type(0)) {
    return quoted() + " binds a variable of type " + name(0) + " to elements of " + name(1);
  }
  if (kind(2) != TypeKind::Bool) return quoted() + " needs a Bool as body, but it is " + name(2);
  return std::nullopt;
}

Problem Checker::run() const {
  if (auto problem = arity()) return problem;
  switch (op_) {
    case Op::Const:
    case Op::Apply:
    case Op::ConstArray:
    case Op::SetOf:
    case Op::BvExtract:
    case Op::BvZeroExtend:
    case Op::BvSignExtend:
    case Op::IntToBv:
      return std::string(facts(op_).name) + " has a builder of its own";
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Implies:
      return all_of(TypeKind::Bool, "Bool", "Bools");
    case Op::Ite:
      return ite();
    case Op::Eq:
      return one_type();
    case Op::Lt:
    case Op::Le:
    case Op::Neg:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
      return numbers();
    case Op::Div:
      return all_of(TypeKind::Real, "Real", "Reals");
    case Op::IDiv:
    case Op::Mod:
    case Op::ToReal:
      return all_of(TypeKind::Int, "Int", "Ints");
    case Op::Pow:
      return power();
    case Op::ToInt:
      return all_of(TypeKind::Real, "Real", "Reals");
    case Op::Concat:
      return all_of(TypeKind::String, "String", "Strings");
    case Op::Select:
    case Op::Store:
      return array();
    case Op::Member:
      return member();
    case Op::Union:
    case Op::Intersection:
    case Op::Difference:
    case Op::Subset:
    case Op::Card:
      return sets();
    case Op::Forall:
    case Op::Exists:
    case Op::Filter:
      return bound();
    case Op::BvConcat:
      return all_of(TypeKind::BitVector, "bit vector", "bit vectors");
    default:
      break;  // the bit-vector operators on one width
  }
  if (auto problem = all_of(TypeKind::BitVector, "bit vector", "bit vectors")) return problem;
  return one_type();
}

}  // namespace

std::optional<std::string> ExprPool::type_problem(Op op, std::span<const Expr> arguments) const {
  return Checker(*this, op, arguments).run();
}

Type ExprPool::result_type(Op op, std::span<const Expr> arguments) {
  switch (op) {
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Eq:
    case Op::Lt:
    case Op::Le:
    case Op::Member:
    case Op::Subset:
    case Op::Forall:
    case Op::Exists:
    case Op::BvULt:
    case Op::BvULe:
    case Op::BvSLt:
    case Op::BvSLe:
      return Type::boolean();
    case Op::IDiv:
    case Op::Mod:
    case Op::ToInt:
    case Op::Card:
    case Op::BvToNat:
      return Type::integer();
    case Op::Div:
    case Op::ToReal:
      return Type::real();
    case Op::Ite:
    case Op::Filter:
      return type(arguments[1]);
    case Op::Select:
      return info(type(arguments[0])).element;
    case Op::BvConcat:
      return bit_vector_type(info(type(arguments[0])).width + info(type(arguments[1])).width);
    default:
      return type(arguments[0]);
  }
}

}  // namespace whittle

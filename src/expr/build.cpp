// SPDX-License-Identifier: Apache-2.0
// The builders. Folding itself is in fold.cpp.
#include "base/error.h"
#include "expr/expr.h"
#include "expr/operators.h"

namespace whittle {

Expr ExprPool::constant(const Value& value, Type type) {
  if (kind(type) == TypeKind::Array || kind(type) == TypeKind::Set) {
    Value normal = normalized(value, type);
    WHITTLE_REQUIRE(has_type(normal, type), "the value is not of type " + to_string(type));
    return intern({Op::Const, type, intern_value(normal), {}});
  }
  WHITTLE_REQUIRE(has_type(value, type), "the value is not of type " + to_string(type));
  return intern({Op::Const, type, intern_value(value), {}});
}

Expr ExprPool::integer(Integer value) { return constant(Value(std::move(value)), Type::integer()); }
Expr ExprPool::real(Rational value) { return constant(Value(std::move(value)), Type::real()); }
Expr ExprPool::string(std::string value) {
  return constant(Value::string(std::move(value)), Type::string());
}

Expr ExprPool::symbol(SymbolId symbol) { return apply(symbol, {}); }

Expr ExprPool::apply(SymbolId symbol, std::span<const Expr> arguments) {
  const SymbolInfo& s = info(symbol);
  WHITTLE_REQUIRE(s.params.size() == arguments.size(), "wrong number of arguments of " + s.name);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    WHITTLE_REQUIRE(type(arguments[i]) == s.params[i], "wrong type of an argument of " + s.name);
  }
  return intern({Op::Apply, s.type, symbol.index(), arguments});
}

Expr ExprPool::make(Op op, std::span<const Expr> arguments) {
  if (auto problem = type_problem(op, arguments)) {
    fail_contract("well-typed arguments", __FILE__, __LINE__, *problem);
  }
  return fold({op, result_type(op, arguments), 0, arguments});
}

Expr ExprPool::const_array(Type array, Expr element) {
  WHITTLE_REQUIRE(kind(array) == TypeKind::Array && info(array).element == type(element),
                  "the elements of a constant array have the array's element type");
  return fold({Op::ConstArray, array, 0, {&element, 1}});
}

Expr ExprPool::set_of(Type set, std::span<const Expr> elements) {
  WHITTLE_REQUIRE(kind(set) == TypeKind::Set, "a set has a set type");
  for (Expr e : elements) {
    WHITTLE_REQUIRE(type(e) == info(set).element, "the elements of a set have its element type");
  }
  return fold({Op::SetOf, set, 0, elements});
}

Expr ExprPool::bv_extract(Expr e, std::uint32_t high, std::uint32_t low) {
  WHITTLE_REQUIRE(kind(type(e)) == TypeKind::BitVector, "bits are extracted from bit vectors");
  WHITTLE_REQUIRE(low <= high && high < info(type(e)).width, "extracted bits must exist");
  return fold({Op::BvExtract, bit_vector_type(high - low + 1), low, {&e, 1}});
}

Expr ExprPool::bv_extend(Op op, Expr e, std::uint32_t bits) {
  WHITTLE_REQUIRE(op == Op::BvZeroExtend || op == Op::BvSignExtend, "not an extension");
  WHITTLE_REQUIRE(kind(type(e)) == TypeKind::BitVector, "bit vectors are extended");
  return fold({op, bit_vector_type(info(type(e)).width + bits), 0, {&e, 1}});
}

Expr ExprPool::int_to_bv(Expr e, std::uint32_t width) {
  WHITTLE_REQUIRE(type(e) == Type::integer(), "int_to_bv takes an Int");
  return fold({Op::IntToBv, bit_vector_type(width), 0, {&e, 1}});
}

Expr ExprPool::with_arguments(Expr e, std::span<const Expr> arguments) {
  const Node node = nodes_[e.id()];
  WHITTLE_REQUIRE(
      facts(node.op).min_arity <= arguments.size() && arguments.size() <= facts(node.op).max_arity,
      std::string("wrong number of arguments of ") + facts(node.op).name);
  switch (node.op) {
    case Op::Const:
      return e;
    case Op::Apply:
      return apply(symbol_of(e), arguments);
    case Op::ConstArray:
      return const_array(node.type, arguments[0]);
    case Op::SetOf:
      return set_of(node.type, arguments);
    case Op::BvExtract:
      return bv_extract(arguments[0], indices(e).first, indices(e).second);
    case Op::BvZeroExtend:
    case Op::BvSignExtend:
      return bv_extend(node.op, arguments[0], indices(e).first);
    case Op::IntToBv:
      return int_to_bv(arguments[0], info(node.type).width);
    default:
      return make(node.op, arguments);
  }
}

Expr ExprPool::conj(std::span<const Expr> parts) {
  for (Expr e : parts) WHITTLE_REQUIRE(type(e) == Type::boolean(), "conjuncts are Bool");
  return fold_junction(Op::And, parts);
}

Expr ExprPool::disj(std::span<const Expr> parts) {
  for (Expr e : parts) WHITTLE_REQUIRE(type(e) == Type::boolean(), "disjuncts are Bool");
  return fold_junction(Op::Or, parts);
}

Expr ExprPool::to_real(Expr a) { return type(a) == Type::real() ? a : make(Op::ToReal, {a}); }

}  // namespace whittle

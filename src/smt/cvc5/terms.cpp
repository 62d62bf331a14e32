// SPDX-License-Identifier: Apache-2.0
#include "smt/cvc5/terms.h"

#include <fmt/format.h>

#include "base/error.h"
#include "smt/solver.h"
#include "smt/string_literal.h"
#include "smt/unsupported.h"

namespace whittle::smt {

namespace {

// Operators that are one of cvc5's; the others need more than a name.
cvc5::Kind kind_of(Op op) {
  switch (op) {
    case Op::Not:
      return cvc5::NOT;
    case Op::And:
      return cvc5::AND;
    case Op::Or:
      return cvc5::OR;
    case Op::Implies:
      return cvc5::IMPLIES;
    case Op::Ite:
      return cvc5::ITE;
    case Op::Eq:
      return cvc5::EQUAL;
    case Op::Lt:
      return cvc5::LT;
    case Op::Le:
      return cvc5::LEQ;
    case Op::Neg:
      return cvc5::NEG;
    case Op::Add:
      return cvc5::ADD;
    case Op::Sub:
      return cvc5::SUB;
    case Op::Mul:
      return cvc5::MULT;
    case Op::Div:
      return cvc5::DIVISION;
    case Op::IDiv:
      return cvc5::INTS_DIVISION;
    case Op::Mod:
      return cvc5::INTS_MODULUS;
    case Op::ToReal:
      return cvc5::TO_REAL;
    case Op::ToInt:
      return cvc5::TO_INTEGER;
    case Op::Concat:
      return cvc5::STRING_CONCAT;
    case Op::Select:
      return cvc5::SELECT;
    case Op::Store:
      return cvc5::STORE;
    case Op::Member:
      return cvc5::SET_MEMBER;
    case Op::Union:
      return cvc5::SET_UNION;
    case Op::Intersection:
      return cvc5::SET_INTER;
    case Op::Difference:
      return cvc5::SET_MINUS;
    case Op::BvNot:
      return cvc5::BITVECTOR_NOT;
    case Op::BvNeg:
      return cvc5::BITVECTOR_NEG;
    case Op::BvAnd:
      return cvc5::BITVECTOR_AND;
    case Op::BvOr:
      return cvc5::BITVECTOR_OR;
    case Op::BvXor:
      return cvc5::BITVECTOR_XOR;
    case Op::BvAdd:
      return cvc5::BITVECTOR_ADD;
    case Op::BvSub:
      return cvc5::BITVECTOR_SUB;
    case Op::BvMul:
      return cvc5::BITVECTOR_MULT;
    case Op::BvUDiv:
      return cvc5::BITVECTOR_UDIV;
    case Op::BvURem:
      return cvc5::BITVECTOR_UREM;
    case Op::BvSDiv:
      return cvc5::BITVECTOR_SDIV;
    case Op::BvSRem:
      return cvc5::BITVECTOR_SREM;
    case Op::BvSMod:
      return cvc5::BITVECTOR_SMOD;
    case Op::BvShl:
      return cvc5::BITVECTOR_SHL;
    case Op::BvLShr:
      return cvc5::BITVECTOR_LSHR;
    case Op::BvAShr:
      return cvc5::BITVECTOR_ASHR;
    case Op::BvULt:
      return cvc5::BITVECTOR_ULT;
    case Op::BvULe:
      return cvc5::BITVECTOR_ULE;
    case Op::BvSLt:
      return cvc5::BITVECTOR_SLT;
    case Op::BvSLe:
      return cvc5::BITVECTOR_SLE;
    case Op::BvConcat:
      return cvc5::BITVECTOR_CONCAT;
    case Op::BvToNat:
      return cvc5::BITVECTOR_TO_NAT;
    default:
      throw InternalError("a term that is not plain reached cvc5");
  }
}

}  // namespace

Cvc5Terms::Cvc5Terms(const ExprPool& pool, cvc5::Solver& solver, std::set<Type> datatypes,
                     OnFact on_fact)
    : pool_(pool),
      cvc5_(solver),
      datatypes_(std::move(datatypes)),
      on_fact_(std::move(on_fact)),
      translator_(pool, *this) {}

// ----- types and symbols

const cvc5::Sort& Cvc5Terms::sort(Type type) {
  auto known = sorts_.find(type.id());
  if (known != sorts_.end()) return known->second;
  return sorts_[type.id()] = make_sort(type);
}

cvc5::Sort Cvc5Terms::make_sort(Type type) {
  const TypeInfo& info = pool_.info(type);
  switch (info.kind) {
    case TypeKind::Bool:
      return cvc5_.getBooleanSort();
    case TypeKind::Int:
      return cvc5_.getIntegerSort();
    case TypeKind::Real:
      return cvc5_.getRealSort();
    case TypeKind::String:
      return cvc5_.getStringSort();
    case TypeKind::BitVector:
      return cvc5_.mkBitVectorSort(info.width);
    case TypeKind::Array: {
      cvc5::Sort index = sort(info.index);
      return cvc5_.mkArraySort(index, sort(info.element));
    }
    case TypeKind::Set:
      return cvc5_.mkSetSort(sort(info.element));
    case TypeKind::Enum:
      break;
  }
  if (!datatypes_.contains(type)) return cvc5_.getIntegerSort();
  if (info.values.empty()) throw Unsupported("an enumeration without values in an array or set");
  cvc5::DatatypeDecl declaration = cvc5_.mkDatatypeDecl(fmt::format("{}!{}", info.name, type.id()));
  for (const std::string& value : info.values)
    declaration.addConstructor(
        cvc5_.mkDatatypeConstructorDecl(fmt::format("{}!{}", value, type.id())));
  cvc5::Sort result = cvc5_.mkDatatypeSort(declaration);
  cvc5::Datatype datatype = result.getDatatype();
  std::vector<cvc5::Term>& values = values_[type.id()];
  for (std::size_t i = 0; i < info.values.size(); ++i)
    values.push_back(cvc5_.mkTerm(cvc5::APPLY_CONSTRUCTOR, {datatype[i].getTerm()}));
  return result;
}

const cvc5::Term& Cvc5Terms::symbol(SymbolId symbol) {
  auto known = symbols_.find(symbol);
  if (known != symbols_.end()) return known->second;
  const SymbolInfo& info = pool_.info(symbol);
  std::string name = fmt::format("{}!{}", info.name, symbol.index());
  cvc5::Sort result = sort(info.type);
  if (!info.params.empty()) {
    std::vector<cvc5::Sort> domain;
    for (Type param : info.params) domain.push_back(sort(param));
    result = cvc5_.mkFunctionSort(domain, result);
  }
  const cvc5::Term& term = symbols_[symbol] = cvc5_.mkConst(result, name);
  if (info.params.empty() && pool_.kind(info.type) == TypeKind::Enum &&
      !datatypes_.contains(info.type)) {
    auto last = static_cast<std::int64_t>(pool_.info(info.type).values.size()) - 1;
    on_fact_(cvc5_.mkTerm(cvc5::AND, {cvc5_.mkTerm(cvc5::LEQ, {cvc5_.mkInteger(0), term}),
                                      cvc5_.mkTerm(cvc5::LEQ, {term, cvc5_.mkInteger(last)})}));
  }
  return term;
}

cvc5::Term Cvc5Terms::name(Expr e, const cvc5::Term& term) {
  cvc5::Term named = cvc5_.mkConst(sort(pool_.type(e)), fmt::format("deep!{}", names_++));
  // An equation that solvers would solve, and so build the deep term again, is said in two halves.
  switch (pool_.kind(pool_.type(e))) {
    case TypeKind::Bool:
      on_fact_(cvc5_.mkTerm(cvc5::IMPLIES, {named, term}));
      on_fact_(cvc5_.mkTerm(cvc5::IMPLIES, {term, named}));
      break;
    case TypeKind::Int:
    case TypeKind::Real:
      on_fact_(cvc5_.mkTerm(cvc5::LEQ, {named, term}));
      on_fact_(cvc5_.mkTerm(cvc5::LEQ, {term, named}));
      break;
    default:
      on_fact_(cvc5_.mkTerm(cvc5::EQUAL, {named, term}));
  }
  return named;
}

// ----- terms

cvc5::Term Cvc5Terms::build(Expr e, std::span<const cvc5::Term> children) {
  switch (pool_.op(e)) {
    case Op::Const:
      return constant(pool_.value(e), pool_.type(e));
    case Op::Apply: {
      const cvc5::Term& function = symbol(pool_.symbol_of(e));
      if (children.empty()) return function;
      arguments_.assign(1, function);
      arguments_.insert(arguments_.end(), children.begin(), children.end());
      return cvc5_.mkTerm(cvc5::APPLY_UF, arguments_);
    }
    case Op::ConstArray:
      if (!pool_.is_const(pool_.child(e, 0)))
        throw Unsupported("an array that has one variable everywhere (by cvc5)");
      return cvc5_.mkConstArray(sort(pool_.type(e)), children[0]);
    case Op::SetOf:
      return set_of(pool_.type(e), children);
    case Op::BvExtract:
    case Op::BvZeroExtend:
    case Op::BvSignExtend:
    case Op::IntToBv:
      return cvc5_.mkTerm(indexed(e), {children[0]});
    default:
      arguments_.assign(children.begin(), children.end());
      return cvc5_.mkTerm(kind_of(pool_.op(e)), arguments_);
  }
}

cvc5::Op Cvc5Terms::indexed(Expr e) {
  switch (pool_.op(e)) {
    case Op::BvExtract:
      return cvc5_.mkOp(cvc5::BITVECTOR_EXTRACT, {pool_.indices(e).first, pool_.indices(e).second});
    case Op::BvZeroExtend:
      return cvc5_.mkOp(cvc5::BITVECTOR_ZERO_EXTEND, {pool_.indices(e).first});
    case Op::BvSignExtend:
      return cvc5_.mkOp(cvc5::BITVECTOR_SIGN_EXTEND, {pool_.indices(e).first});
    default:
      return cvc5_.mkOp(cvc5::INT_TO_BITVECTOR, {pool_.info(pool_.type(e)).width});
  }
}

cvc5::Term Cvc5Terms::set_of(Type type, std::span<const cvc5::Term> elements) {
  cvc5::Term result = cvc5_.mkEmptySet(sort(type));
  for (const cvc5::Term& element : elements)
    result = cvc5_.mkTerm(cvc5::SET_UNION, {result, cvc5_.mkTerm(cvc5::SET_SINGLETON, {element})});
  return result;
}

cvc5::Term Cvc5Terms::constant(const Value& value, Type type) {
  const TypeInfo& info = pool_.info(type);
  switch (info.kind) {
    case TypeKind::Bool:
      return cvc5_.mkBoolean(value.as_bool());
    case TypeKind::Int:
      if (auto small = value.as_integer().to_int64()) return cvc5_.mkInteger(*small);
      return cvc5_.mkInteger(value.as_integer().to_string());
    case TypeKind::Real: {
      const Rational& number = value.as_real();
      return cvc5_.mkReal(number.numerator().to_string() + "/" + number.denominator().to_string());
    }
    case TypeKind::String: {
      auto text = escaped(value.as_string());
      if (!text) throw Unsupported("a string that is not UTF-8");
      return cvc5_.mkString(*text, true);
    }
    case TypeKind::Enum: {
      std::uint32_t index = value.as_enum().index;
      if (!datatypes_.contains(type)) return cvc5_.mkInteger(static_cast<std::int64_t>(index));
      sort(type);
      return values_.at(type.id())[index];
    }
    case TypeKind::BitVector:
      return cvc5_.mkBitVector(info.width, value.as_bit_vector().bits.to_string(), 10);
    case TypeKind::Array: {
      const ArrayValue& array = value.as_array();
      cvc5::Term result = cvc5_.mkConstArray(sort(type), constant(array.otherwise, info.element));
      for (const auto& [index, element] : array.entries)
        result = cvc5_.mkTerm(
            cvc5::STORE, {result, constant(index, info.index), constant(element, info.element)});
      return result;
    }
    case TypeKind::Set: {
      std::vector<cvc5::Term> elements;
      for (const Value& element : value.as_set().elements)
        elements.push_back(constant(element, info.element));
      return set_of(type, elements);
    }
  }
  throw InternalError("a type that cvc5 does not know");
}

// ----- values

Value Cvc5Terms::value(const cvc5::Term& term, Type type) {
  const TypeInfo& info = pool_.info(type);
  switch (info.kind) {
    case TypeKind::Bool:
      if (term.isBooleanValue()) return Value(term.getBooleanValue());
      break;
    case TypeKind::Int:
      if (term.isIntegerValue()) return Value(Integer::parse(term.getIntegerValue()).value());
      break;
    case TypeKind::Real:
      if (term.isRealValue()) return Value(Rational::parse(term.getRealValue()).value());
      throw NoValue("irrational value");
    case TypeKind::String:
      if (term.isStringValue()) {
        std::string text;
        for (wchar_t c : term.getStringValue()) append_utf8(static_cast<std::uint32_t>(c), text);
        return Value::string(std::move(text));
      }
      break;
    case TypeKind::BitVector:
      if (term.isBitVectorValue())
        return Value(
            BitVectorValue{Integer::parse(term.getBitVectorValue(10)).value(), info.width});
      break;
    case TypeKind::Enum: {
      if (datatypes_.contains(type)) {
        sort(type);
        const auto& values = values_.at(type.id());
        for (std::uint32_t i = 0; i < values.size(); ++i)
          if (values[i] == term) return Value(EnumValue{i});
        break;
      }
      if (!term.isUInt32Value() || term.getUInt32Value() >= info.values.size())
        throw NoValue("enumeration value out of range");
      return Value(EnumValue{term.getUInt32Value()});
    }
    case TypeKind::Array:
      return array_value(term, info);
    case TypeKind::Set:
      if (term.isSetValue()) {
        SetValue set;
        for (const cvc5::Term& element : term.getSetValue())
          set.elements.insert(value(element, info.element));
        return Value::set(std::move(set));
      }
      break;
  }
  throw NoValue("value that is not written out: " + term.toString());
}

Value Cvc5Terms::array_value(cvc5::Term term, const TypeInfo& info) {
  std::vector<std::pair<Value, Value>> stores;  // outermost first
  while (term.getKind() == cvc5::STORE) {
    stores.emplace_back(value(term[1], info.index), value(term[2], info.element));
    term = term[0];
  }
  if (!term.isConstArray()) throw NoValue("array that is not written out");
  ArrayValue result;
  result.otherwise = value(term.getConstArrayBase(), info.element);
  for (auto store = stores.rbegin(); store != stores.rend(); ++store)
    result.put(store->first, store->second);
  return Value::array(std::move(result));
}

}  // namespace whittle::smt

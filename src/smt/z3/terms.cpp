// SPDX-License-Identifier: Apache-2.0
#include "smt/z3/terms.h"

#include <fmt/format.h>

#include "smt/solver.h"
#include "smt/string_literal.h"
#include "smt/unsupported.h"

namespace whittle::smt {

namespace {

// Z3 does not tell a backslash from the beginning of an escape when it hands a string back, so a
// backslash travels as a character that nobody else uses.
constexpr std::string_view kBackslash = "\\u{5c}";
constexpr std::string_view kStandIn = "\\u{2ff5c}";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

Z3Terms::Z3Terms(const ExprPool& pool, Z3Context& context, std::set<Type> datatypes, OnFact on_fact)
    : pool_(pool),
      z3_(context),
      datatypes_(std::move(datatypes)),
      on_fact_(std::move(on_fact)),
      translator_(pool, *this) {}

// ----- types and symbols

Z3_sort Z3Terms::sort(Type type) {
  auto known = sorts_.find(type.id());
  if (known != sorts_.end()) return known->second;
  const TypeInfo& info = pool_.info(type);
  Z3_sort result = nullptr;
  switch (info.kind) {
    case TypeKind::Bool:
      result = Z3_mk_bool_sort(z3_);
      break;
    case TypeKind::Int:
      result = Z3_mk_int_sort(z3_);
      break;
    case TypeKind::Real:
      result = Z3_mk_real_sort(z3_);
      break;
    case TypeKind::String:
      result = Z3_mk_string_sort(z3_);
      break;
    case TypeKind::BitVector:
      result = Z3_mk_bv_sort(z3_, info.width);
      break;
    case TypeKind::Array:
      result = Z3_mk_array_sort(z3_, sort(info.index), sort(info.element));
      break;
    case TypeKind::Set:
      result = Z3_mk_set_sort(z3_, sort(info.element));
      break;
    case TypeKind::Enum: {
      if (!is_datatype(type)) {
        result = Z3_mk_int_sort(z3_);
        break;
      }
      if (info.values.empty())
        throw Unsupported("an enumeration without values in an array or set");
      std::vector<Z3_symbol> names;
      for (const std::string& value : info.values)
        names.push_back(Z3_mk_string_symbol(z3_, fmt::format("{}!{}", value, type.id()).c_str()));
      std::vector<Z3_func_decl> values(names.size());
      std::vector<Z3_func_decl> testers(names.size());
      Z3_symbol name = Z3_mk_string_symbol(z3_, fmt::format("{}!{}", info.name, type.id()).c_str());
      result = Z3_mk_enumeration_sort(z3_, name, static_cast<unsigned>(names.size()), names.data(),
                                      values.data(), testers.data());
      z3_.check();
      for (Z3_func_decl value : values) z3_.keep_as(value);
      values_[type.id()] = std::move(values);
      break;
    }
  }
  z3_.keep_as(result);
  sorts_[type.id()] = result;
  return result;
}

Z3_func_decl Z3Terms::declaration(SymbolId symbol) {
  auto known = declarations_.find(symbol);
  if (known != declarations_.end()) return known->second;
  const SymbolInfo& info = pool_.info(symbol);
  std::vector<Z3_sort> domain;
  for (Type param : info.params) domain.push_back(sort(param));
  // Names may repeat in our pool, not in Z3, where two declarations of one name are one.
  Z3_symbol name =
      Z3_mk_string_symbol(z3_, fmt::format("{}!{}", info.name, symbol.index()).c_str());
  Z3_func_decl result = z3_.keep_as(Z3_mk_func_decl(z3_, name, static_cast<unsigned>(domain.size()),
                                                    domain.data(), sort(info.type)));
  declarations_[symbol] = result;
  symbols_[result] = symbol;
  if (domain.empty()) {
    Z3_ast variable = z3_.keep(Z3_mk_app(z3_, result, 0, nullptr));
    if (Z3_ast fact = range(variable, info.type)) on_fact_(fact);
  }
  return result;
}

std::optional<SymbolId> Z3Terms::symbol_of(Z3_func_decl decl) const {
  auto found = symbols_.find(decl);
  if (found == symbols_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::pair<Type, EnumValue>> Z3Terms::enum_value(Z3_func_decl decl) const {
  for (const auto& [type, values] : values_) {
    for (std::uint32_t i = 0; i < values.size(); ++i)
      if (values[i] == decl) return std::pair(Type(type), EnumValue{i});
  }
  return std::nullopt;
}

Z3_ast Z3Terms::range(Z3_ast variable, Type type) {
  const TypeInfo& info = pool_.info(type);
  if (info.kind == TypeKind::Enum && !is_datatype(type)) {
    Z3_sort integers = sort(Type::integer());
    auto last = static_cast<std::int64_t>(info.values.size()) - 1;
    Z3_ast low = z3_.keep(Z3_mk_int64(z3_, 0, integers));
    Z3_ast high = z3_.keep(Z3_mk_int64(z3_, last, integers));
    Z3_ast above = z3_.keep(Z3_mk_le(z3_, low, variable));
    Z3_ast parts[] = {above, z3_.keep(Z3_mk_le(z3_, variable, high))};
    return z3_.keep(Z3_mk_and(z3_, 2, parts));
  }
  // Ours are finite sets: almost everything is outside. (With a finite element type every set is
  // finite, and Z3's default says nothing about elements.)
  if (info.kind == TypeKind::Set) {
    TypeKind element = pool_.kind(info.element);
    if (element == TypeKind::Int || element == TypeKind::Real || element == TypeKind::String)
      return z3_.keep(Z3_mk_not(z3_, z3_.keep(Z3_mk_array_default(z3_, variable))));
  }
  return nullptr;
}

Z3_ast Z3Terms::fresh(const char* prefix, Z3_sort sort) {
  return z3_.keep(Z3_mk_fresh_const(z3_, prefix, sort));
}

Z3_ast Z3Terms::name(Expr e, Z3_ast term) {
  if (refuse_deep_) throw Unsupported("a term that is too deep");
  Z3_ast named = fresh("deep", sort(pool_.type(e)));
  // An equation that solvers would solve, and so build the deep term again, is said in two halves.
  switch (pool_.kind(pool_.type(e))) {
    case TypeKind::Bool:
      on_fact_(z3_.keep(Z3_mk_implies(z3_, named, term)));
      on_fact_(z3_.keep(Z3_mk_implies(z3_, term, named)));
      break;
    case TypeKind::Int:
    case TypeKind::Real:
      on_fact_(z3_.keep(Z3_mk_le(z3_, named, term)));
      on_fact_(z3_.keep(Z3_mk_le(z3_, term, named)));
      break;
    default:
      on_fact_(z3_.keep(Z3_mk_eq(z3_, named, term)));
  }
  return named;
}

// ----- terms

Z3_ast Z3Terms::build(Expr e, std::span<const Z3_ast> children) {
  return z3_.keep(pool_.op(e) == Op::Const ? constant(pool_.value(e), pool_.type(e))
                                           : apply(e, children));
}

Z3_ast Z3Terms::apply(Expr e, std::span<const Z3_ast> children) {
  const Z3_ast* c = children.data();
  auto n = static_cast<unsigned>(children.size());
  switch (pool_.op(e)) {
    case Op::Apply: {
      Z3_func_decl function = declaration(pool_.symbol_of(e));
      return Z3_mk_app(z3_, function, n, c);
    }
    case Op::Not:
      return Z3_mk_not(z3_, c[0]);
    case Op::And:
      return Z3_mk_and(z3_, n, c);
    case Op::Or:
      return Z3_mk_or(z3_, n, c);
    case Op::Implies:
      return Z3_mk_implies(z3_, c[0], c[1]);
    case Op::Ite:
      return Z3_mk_ite(z3_, c[0], c[1], c[2]);
    case Op::Eq:
      return Z3_mk_eq(z3_, c[0], c[1]);
    case Op::Lt:
      return Z3_mk_lt(z3_, c[0], c[1]);
    case Op::Le:
      return Z3_mk_le(z3_, c[0], c[1]);
    case Op::Neg:
      return Z3_mk_unary_minus(z3_, c[0]);
    case Op::Add:
      return Z3_mk_add(z3_, n, c);
    case Op::Sub:
      return Z3_mk_sub(z3_, n, c);
    case Op::Mul:
      return Z3_mk_mul(z3_, n, c);
    case Op::Div:
    case Op::IDiv:
      return Z3_mk_div(z3_, c[0], c[1]);
    case Op::Mod:
      return Z3_mk_mod(z3_, c[0], c[1]);
    case Op::ToReal:
      return Z3_mk_int2real(z3_, c[0]);
    case Op::ToInt:
      return Z3_mk_real2int(z3_, c[0]);
    case Op::Concat:
      return Z3_mk_seq_concat(z3_, n, c);
    case Op::Select:
      return Z3_mk_select(z3_, c[0], c[1]);
    case Op::Store:
      return Z3_mk_store(z3_, c[0], c[1], c[2]);
    case Op::ConstArray:
      return Z3_mk_const_array(z3_, sort(pool_.info(pool_.type(e)).index), c[0]);
    case Op::SetOf:
      return elements(Z3_mk_empty_set(z3_, sort(pool_.info(pool_.type(e)).element)), children);
    case Op::Member:
      return Z3_mk_set_member(z3_, c[0], c[1]);
    case Op::Union:
      return Z3_mk_set_union(z3_, n, c);
    case Op::Intersection:
      return Z3_mk_set_intersect(z3_, n, c);
    case Op::Difference:
      return Z3_mk_set_difference(z3_, c[0], c[1]);
    case Op::Const:
    case Op::Pow:
    case Op::Subset:
    case Op::Card:
    case Op::Forall:
    case Op::Exists:
    case Op::Filter:
      throw InternalError("a term that is not plain reached Z3");
    default:
      return apply_bits(e, c);
  }
}

Z3_ast Z3Terms::apply_bits(Expr e, const Z3_ast* c) {
  switch (pool_.op(e)) {
    case Op::BvNot:
      return Z3_mk_bvnot(z3_, c[0]);
    case Op::BvNeg:
      return Z3_mk_bvneg(z3_, c[0]);
    case Op::BvAnd:
      return Z3_mk_bvand(z3_, c[0], c[1]);
    case Op::BvOr:
      return Z3_mk_bvor(z3_, c[0], c[1]);
    case Op::BvXor:
      return Z3_mk_bvxor(z3_, c[0], c[1]);
    case Op::BvAdd:
      return Z3_mk_bvadd(z3_, c[0], c[1]);
    case Op::BvSub:
      return Z3_mk_bvsub(z3_, c[0], c[1]);
    case Op::BvMul:
      return Z3_mk_bvmul(z3_, c[0], c[1]);
    case Op::BvUDiv:
      return Z3_mk_bvudiv(z3_, c[0], c[1]);
    case Op::BvURem:
      return Z3_mk_bvurem(z3_, c[0], c[1]);
    case Op::BvSDiv:
      return Z3_mk_bvsdiv(z3_, c[0], c[1]);
    case Op::BvSRem:
      return Z3_mk_bvsrem(z3_, c[0], c[1]);
    case Op::BvSMod:
      return Z3_mk_bvsmod(z3_, c[0], c[1]);
    case Op::BvShl:
      return Z3_mk_bvshl(z3_, c[0], c[1]);
    case Op::BvLShr:
      return Z3_mk_bvlshr(z3_, c[0], c[1]);
    case Op::BvAShr:
      return Z3_mk_bvashr(z3_, c[0], c[1]);
    case Op::BvULt:
      return Z3_mk_bvult(z3_, c[0], c[1]);
    case Op::BvULe:
      return Z3_mk_bvule(z3_, c[0], c[1]);
    case Op::BvSLt:
      return Z3_mk_bvslt(z3_, c[0], c[1]);
    case Op::BvSLe:
      return Z3_mk_bvsle(z3_, c[0], c[1]);
    case Op::BvConcat:
      return Z3_mk_concat(z3_, c[0], c[1]);
    case Op::BvExtract:
      return Z3_mk_extract(z3_, pool_.indices(e).first, pool_.indices(e).second, c[0]);
    case Op::BvZeroExtend:
      return Z3_mk_zero_ext(z3_, pool_.indices(e).first, c[0]);
    case Op::BvSignExtend:
      return Z3_mk_sign_ext(z3_, pool_.indices(e).first, c[0]);
    case Op::BvToNat:
      return Z3_mk_bv2int(z3_, c[0], false);
    case Op::IntToBv:
      return Z3_mk_int2bv(z3_, pool_.info(pool_.type(e)).width, c[0]);
    default:
      throw InternalError("an operator that Z3 does not know");
  }
}

Z3_ast Z3Terms::elements(Z3_ast set, std::span<const Z3_ast> elements) {
  Z3_ast result = z3_.keep(set);
  for (Z3_ast element : elements) result = z3_.keep(Z3_mk_set_add(z3_, result, element));
  return result;
}

Z3_ast Z3Terms::constant(const Value& value, Type type) {
  const TypeInfo& info = pool_.info(type);
  switch (info.kind) {
    case TypeKind::Bool:
      return value.as_bool() ? Z3_mk_true(z3_) : Z3_mk_false(z3_);
    case TypeKind::Int: {
      const Integer& number = value.as_integer();
      if (auto small = number.to_int64()) return Z3_mk_int64(z3_, *small, sort(type));
      return Z3_mk_numeral(z3_, number.to_string().c_str(), sort(type));
    }
    case TypeKind::Real: {
      const Rational& number = value.as_real();
      std::string text = number.numerator().to_string() + "/" + number.denominator().to_string();
      return Z3_mk_numeral(z3_, text.c_str(), sort(type));
    }
    case TypeKind::String: {
      auto text = escaped(value.as_string());
      if (!text || text->find(kStandIn) != std::string::npos)
        throw Unsupported("a string that is not UTF-8");
      return Z3_mk_string(z3_, replaced(*text, kBackslash, kStandIn).c_str());
    }
    case TypeKind::Enum: {
      std::uint32_t index = value.as_enum().index;
      if (!is_datatype(type)) return Z3_mk_int64(z3_, index, sort(Type::integer()));
      sort(type);
      return Z3_mk_app(z3_, values_.at(type.id())[index], 0, nullptr);
    }
    case TypeKind::BitVector:
      return Z3_mk_numeral(z3_, value.as_bit_vector().bits.to_string().c_str(), sort(type));
    case TypeKind::Array: {
      const ArrayValue& array = value.as_array();
      Z3_ast otherwise = z3_.keep(constant(array.otherwise, info.element));
      Z3_ast result = z3_.keep(Z3_mk_const_array(z3_, sort(info.index), otherwise));
      for (const auto& [index, element] : array.entries) {
        Z3_ast at = z3_.keep(constant(index, info.index));
        Z3_ast content = z3_.keep(constant(element, info.element));
        result = z3_.keep(Z3_mk_store(z3_, result, at, content));
      }
      return result;
    }
    case TypeKind::Set: {
      std::vector<Z3_ast> members;
      for (const Value& element : value.as_set().elements)
        members.push_back(z3_.keep(constant(element, info.element)));
      return elements(Z3_mk_empty_set(z3_, sort(info.element)), members);
    }
  }
  throw InternalError("a type that Z3 does not know");
}

// ----- values

Value Z3Terms::value(Z3_ast ast, Type type, Z3_model model) {
  const TypeInfo& info = pool_.info(type);
  auto numeral = [&]() -> std::string {
    if (Z3_get_ast_kind(z3_, ast) != Z3_NUMERAL_AST) {
      if (Z3_is_algebraic_number(z3_, ast)) throw NoValue("irrational value");
      throw NoValue("value that is not a number");
    }
    return Z3_get_numeral_string(z3_, ast);
  };
  switch (info.kind) {
    case TypeKind::Bool: {
      Z3_lbool truth = Z3_get_bool_value(z3_, ast);
      if (truth == Z3_L_UNDEF) throw NoValue("truth value that is neither");
      return Value(truth == Z3_L_TRUE);
    }
    case TypeKind::Int:
      return Value(Integer::parse(numeral()).value());
    case TypeKind::Real:
      return Value(Rational::parse(numeral()).value());
    case TypeKind::BitVector:
      return Value(BitVectorValue{Integer::parse(numeral()).value(), info.width});
    case TypeKind::String:
      if (!Z3_is_string(z3_, ast)) throw NoValue("string that is not a literal");
      return Value::string(unescaped(replaced(Z3_get_string(z3_, ast), kStandIn, kBackslash)));
    case TypeKind::Enum: {
      if (!is_datatype(type)) {
        auto index = Integer::parse(numeral()).value().to_int64();
        if (!index || *index < 0 || *index >= static_cast<std::int64_t>(info.values.size()))
          throw NoValue("enumeration value out of range");
        return Value(EnumValue{static_cast<std::uint32_t>(*index)});
      }
      sort(type);
      if (Z3_is_app(z3_, ast)) {
        const auto& values = values_.at(type.id());
        Z3_func_decl decl = Z3_get_app_decl(z3_, Z3_to_app(z3_, ast));
        for (std::uint32_t i = 0; i < values.size(); ++i)
          if (values[i] == decl) return Value(EnumValue{i});
      }
      throw NoValue("enumeration value that is none of its values");
    }
    case TypeKind::Array:
      return Value::array(content(ast, info.index, info.element, model, 0));
    case TypeKind::Set:
      return set_value(content(ast, info.element, Type::boolean(), model, 0), info.element);
  }
  throw InternalError("a type that Z3 does not know");
}

ArrayValue Z3Terms::function_content(Z3_func_interp function, Type index, Type element,
                                     Z3_model model) {
  ArrayValue result;
  result.otherwise = value(z3_.keep(Z3_func_interp_get_else(z3_, function)), element, model);
  unsigned count = Z3_func_interp_get_num_entries(z3_, function);
  for (unsigned i = 0; i < count; ++i) {
    Z3_func_entry entry = Z3_func_interp_get_entry(z3_, function, i);
    Z3_func_entry_inc_ref(z3_, entry);
    Z3_ast at = z3_.keep(Z3_func_entry_get_arg(z3_, entry, 0));
    Z3_ast content = z3_.keep(Z3_func_entry_get_value(z3_, entry));
    Z3_func_entry_dec_ref(z3_, entry);
    result.put(value(at, index, model), value(content, element, model));
  }
  return result;
}

// Sets that were combined come back as a map of a Boolean connective over arrays.
ArrayValue Z3Terms::mapped_content(Z3_app app, Type index, Z3_model model, unsigned depth) {
  Z3_func_decl decl = Z3_get_app_decl(z3_, app);
  Z3_decl_kind kind = Z3_get_decl_kind(z3_, decl);
  if (kind == Z3_OP_ARRAY_MAP)
    kind = Z3_get_decl_kind(z3_, Z3_get_decl_func_decl_parameter(z3_, decl, 0));
  auto combined = [&](bool a, bool b) {
    switch (kind) {
      case Z3_OP_OR:
      case Z3_OP_SET_UNION:
        return a || b;
      case Z3_OP_AND:
      case Z3_OP_SET_INTERSECT:
        return a && b;
      case Z3_OP_SET_DIFFERENCE:
        return a && !b;
      case Z3_OP_NOT:
      case Z3_OP_SET_COMPLEMENT:
        return !a;
      default:
        throw NoValue("array that is not written out");
    }
  };
  unsigned count = Z3_get_app_num_args(z3_, app);
  ArrayValue result;
  for (unsigned i = 0; i < count; ++i) {
    ArrayValue next =
        content(Z3_get_app_arg(z3_, app, i), index, Type::boolean(), model, depth + 1);
    if (i == 0 && count > 1) {
      result = std::move(next);
      continue;
    }
    ArrayValue both;
    bool unary = count == 1;
    const ArrayValue& left = unary ? next : result;
    both.otherwise = Value(combined(left.otherwise.as_bool(), next.otherwise.as_bool()));
    for (const auto* side : {&left, static_cast<const ArrayValue*>(&next)}) {
      for (const auto& entry : side->entries)
        both.put(entry.first,
                 Value(combined(left.at(entry.first).as_bool(), next.at(entry.first).as_bool())));
    }
    result = std::move(both);
  }
  return result;
}

// Z3 writes arrays as stores into a constant array, as a function of the model, or as a map.
ArrayValue Z3Terms::content(Z3_ast ast, Type index, Type element, Z3_model model, unsigned depth) {
  constexpr unsigned kMaxDepth = 1000;
  if (depth > kMaxDepth) throw NoValue("array that is nested too deeply");
  std::vector<std::pair<Value, Value>> stores;  // outermost first
  while (Z3_is_app(z3_, ast) &&
         Z3_get_decl_kind(z3_, Z3_get_app_decl(z3_, Z3_to_app(z3_, ast))) == Z3_OP_STORE) {
    Z3_app app = Z3_to_app(z3_, ast);
    stores.emplace_back(value(Z3_get_app_arg(z3_, app, 1), index, model),
                        value(Z3_get_app_arg(z3_, app, 2), element, model));
    ast = Z3_get_app_arg(z3_, app, 0);
  }
  if (!Z3_is_app(z3_, ast)) throw NoValue("array that is not written out");
  Z3_app app = Z3_to_app(z3_, ast);
  ArrayValue result;
  switch (Z3_get_decl_kind(z3_, Z3_get_app_decl(z3_, app))) {
    case Z3_OP_CONST_ARRAY:
      result.otherwise = value(Z3_get_app_arg(z3_, app, 0), element, model);
      break;
    case Z3_OP_AS_ARRAY: {
      Z3Ref function(z3_, Z3_model_get_func_interp(z3_, model, Z3_get_as_array_func_decl(z3_, ast)),
                     Z3_func_interp_inc_ref, Z3_func_interp_dec_ref);
      if (function.get() == nullptr) throw NoValue("array that is not written out");
      result = function_content(function.get(), index, element, model);
      break;
    }
    default:
      if (element != Type::boolean()) throw NoValue("array that is not written out");
      result = mapped_content(app, index, model, depth);
  }
  for (auto store = stores.rbegin(); store != stores.rend(); ++store)
    result.put(store->first, store->second);
  return result;
}

Value Z3Terms::set_value(const ArrayValue& content, Type element) {
  SetValue members;
  if (content.otherwise.as_bool()) {
    const TypeInfo& info = pool_.info(element);
    if (info.kind == TypeKind::Bool) {
      members.elements = {Value(false), Value(true)};
    } else if (info.kind == TypeKind::Enum) {
      for (std::uint32_t i = 0; i < info.values.size(); ++i)
        members.elements.insert(Value(EnumValue{i}));
    } else if (info.kind == TypeKind::BitVector && info.width <= 16) {
      for (unsigned i = 0; i < 1U << info.width; ++i)
        members.elements.insert(Value(BitVectorValue{Integer(i), info.width}));
    } else {
      throw NoValue("infinite set");
    }
  }
  for (const auto& [member, inside] : content.entries) {
    if (inside.as_bool())
      members.elements.insert(member);
    else
      members.elements.erase(member);
  }
  return Value::set(std::move(members));
}

}  // namespace whittle::smt

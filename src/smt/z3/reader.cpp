// SPDX-License-Identifier: Apache-2.0
#include "smt/z3/reader.h"

namespace whittle::smt {

void Z3Reader::bind(std::vector<Expr> variables) {
  variables_ = std::move(variables);
  done_.clear();
}

std::optional<Expr> Z3Reader::operator()(Z3_ast root) {
  std::vector<Z3_ast> stack{root};
  std::vector<Expr> arguments;
  while (!stack.empty()) {
    Z3_ast ast = stack.back();
    if (done_.contains(ast)) {
      stack.pop_back();
      continue;
    }
    arguments.clear();
    bool ready = true;
    if (Z3_is_app(z3_, ast)) {
      Z3_app app = Z3_to_app(z3_, ast);
      for (unsigned i = Z3_get_app_num_args(z3_, app); i-- > 0;) {
        Z3_ast child = Z3_get_app_arg(z3_, app, i);
        auto found = done_.find(child);
        if (found == done_.end()) {
          stack.push_back(child);
          ready = false;
        } else {
          arguments.insert(arguments.begin(), found->second);
        }
      }
    }
    if (!ready) continue;
    stack.pop_back();
    Expr result = read(z3_.keep(ast), arguments);
    if (!result.valid()) return std::nullopt;
    done_[ast] = result;
  }
  return done_[root];
}

std::optional<Expr> Z3Reader::formula(Z3_ast ast) {
  auto result = (*this)(ast);
  if (result && pool_.type(*result) != Type::boolean()) return std::nullopt;
  return result;
}

Expr Z3Reader::read(Z3_ast ast, std::span<const Expr> arguments) {
  switch (Z3_get_ast_kind(z3_, ast)) {
    case Z3_NUMERAL_AST:
      return read_numeral(ast);
    case Z3_APP_AST:
      return read_application(Z3_to_app(z3_, ast), arguments);
    case Z3_VAR_AST: {
      unsigned index = Z3_get_index_value(z3_, ast);
      return index < variables_.size() ? variables_[index] : Expr();
    }
    default:
      return Expr();
  }
}

Expr Z3Reader::read_numeral(Z3_ast ast) {
  Z3_sort_kind sort = Z3_get_sort_kind(z3_, Z3_get_sort(z3_, ast));
  std::string text = Z3_get_numeral_string(z3_, ast);
  if (sort == Z3_INT_SORT) {
    auto number = Integer::parse(text);
    return number ? pool_.integer(*number) : Expr();
  }
  if (sort == Z3_REAL_SORT) {
    auto number = Rational::parse(text);
    return number ? pool_.real(*number) : Expr();
  }
  if (sort == Z3_BV_SORT) {
    auto number = Integer::parse(text);
    const unsigned width = Z3_get_bv_sort_size(z3_, Z3_get_sort(z3_, ast));
    return number
               ? pool_.constant(Value(BitVectorValue{*number, width}), pool_.bit_vector_type(width))
               : Expr();
  }
  return Expr();
}

Expr Z3Reader::make(Op op, std::span<const Expr> arguments) {
  if (pool_.type_problem(op, arguments)) return Expr();
  return pool_.make(op, arguments);
}

Expr Z3Reader::read_application(Z3_app app, std::span<const Expr> a) {
  Z3_func_decl decl = Z3_get_app_decl(z3_, app);
  std::vector<Expr> numbers;
  switch (Z3_get_decl_kind(z3_, decl)) {
    case Z3_OP_TRUE:
      return pool_.boolean(true);
    case Z3_OP_FALSE:
      return pool_.boolean(false);
    case Z3_OP_NOT:
      return make(Op::Not, a);
    case Z3_OP_AND:
      return pool_.conj(a);
    case Z3_OP_OR:
      return pool_.disj(a);
    case Z3_OP_IMPLIES:
      return make(Op::Implies, a);
    case Z3_OP_XOR:
      return a.size() == 2 ? pool_.ne(a[0], a[1]) : Expr();
    case Z3_OP_EQ:
    case Z3_OP_IFF:
      return equality(a[0], a[1]);
    case Z3_OP_DISTINCT: {
      std::vector<Expr> parts;
      for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          Expr equal = equality(a[j], a[i]);
          if (!equal.valid()) return Expr();
          parts.push_back(pool_.negate(equal));
        }
      }
      return pool_.conj(parts);
    }
    case Z3_OP_ITE:
      return choice(a);
    case Z3_OP_LE:
      return comparison(Op::Le, a[0], a[1]);
    case Z3_OP_LT:
      return comparison(Op::Lt, a[0], a[1]);
    case Z3_OP_GE:
      return comparison(Op::Le, a[1], a[0]);
    case Z3_OP_GT:
      return comparison(Op::Lt, a[1], a[0]);
    case Z3_OP_ADD:
      numbers = integers(a);
      return numbers.size() == 1 ? numbers[0] : make(Op::Add, numbers);
    case Z3_OP_MUL:
      numbers = integers(a);
      return numbers.size() == 1 ? numbers[0] : make(Op::Mul, numbers);
    case Z3_OP_SUB: {
      numbers = integers(a);
      Expr result = numbers[0];
      for (std::size_t i = 1; i < numbers.size() && result.valid(); ++i)
        result = make(Op::Sub, {result, numbers[i]});
      return result;
    }
    case Z3_OP_UMINUS:
      return make(Op::Neg, integers(a));
    case Z3_OP_DIV:
      return make(Op::Div, a);
    case Z3_OP_IDIV:
      return make(Op::IDiv, integers(a));
    case Z3_OP_MOD:
      return make(Op::Mod, integers(a));
    case Z3_OP_REM: {
      // Z3's rem has the sign of the divisor.
      numbers = integers(a);
      if (!pool_.is_const(numbers[1])) return Expr();
      Expr mod = make(Op::Mod, numbers);
      return pool_.value(numbers[1]).as_integer().sign() < 0 ? make(Op::Neg, {mod}) : mod;
    }
    case Z3_OP_TO_REAL:
      return make(Op::ToReal, integers(a));
    case Z3_OP_TO_INT:
      return make(Op::ToInt, a);
    case Z3_OP_IS_INT:
      return pool_.eq(pool_.to_real(make(Op::ToInt, a)), a[0]);
    case Z3_OP_POWER: {
      numbers = integers(a);
      if (!pool_.is_const(numbers[1])) return Expr();
      const Value& value = pool_.value(numbers[1]);
      if (value.is_real() && value.as_real().is_integer())
        numbers[1] = pool_.integer(value.as_real().numerator());
      return make(Op::Pow, numbers);
    }
    case Z3_OP_SELECT:
      return make(Op::Select, a);
    case Z3_OP_STORE:
      return make(Op::Store, a);
    case Z3_OP_DT_CONSTRUCTOR: {
      auto value = terms_.enum_value(decl);
      return value ? pool_.constant(Value(value->second), value->first) : Expr();
    }
    case Z3_OP_UNINTERPRETED: {
      auto symbol = terms_.symbol_of(decl);
      if (!symbol) return Expr();
      std::vector<Expr> arguments(a.begin(), a.end());
      const SymbolInfo& info = pool_.info(*symbol);
      for (std::size_t i = 0; i < arguments.size(); ++i)
        if (pool_.type(arguments[i]) != info.params[i]) return Expr();
      return pool_.apply(*symbol, arguments);
    }
    case Z3_OP_CONST_ARRAY: {
      const auto type = type_of(Z3_get_range(z3_, decl));
      if (!type || pool_.type(a[0]) != pool_.info(*type).element) return Expr();
      return pool_.const_array(*type, a[0]);
    }
    default:
      return read_bits(decl, a);
  }
}

// Of sorts that stand for one type only, or for integers.
std::optional<Type> Z3Reader::type_of(Z3_sort sort) {
  switch (Z3_get_sort_kind(z3_, sort)) {
    case Z3_BOOL_SORT:
      return Type::boolean();
    case Z3_INT_SORT:
      return Type::integer();
    case Z3_REAL_SORT:
      return Type::real();
    case Z3_BV_SORT:
      return pool_.bit_vector_type(Z3_get_bv_sort_size(z3_, sort));
    case Z3_ARRAY_SORT: {
      const auto index = type_of(Z3_get_array_sort_domain(z3_, sort));
      const auto element = type_of(Z3_get_array_sort_range(z3_, sort));
      if (!index || !element) return std::nullopt;
      return pool_.array_type(*index, *element);
    }
    default:
      return std::nullopt;
  }
}

// ----- bit vectors

Expr Z3Reader::read_bits(Z3_func_decl decl, std::span<const Expr> a) {
  const auto left = [&](Op op) {
    Expr result = a[0];
    for (std::size_t i = 1; i < a.size() && result.valid(); ++i) result = make(op, {result, a[i]});
    return result;
  };
  const auto inverted = [&](Op op) {
    const Expr inner = left(op);
    return inner.valid() ? make(Op::BvNot, {inner}) : inner;
  };
  const auto index = [&](unsigned i) {
    return static_cast<std::uint32_t>(Z3_get_decl_int_parameter(z3_, decl, i));
  };
  if (a.empty()) return Expr();
  const bool bits = pool_.kind(pool_.type(a[0])) == TypeKind::BitVector;
  const std::uint32_t width = bits ? pool_.info(pool_.type(a[0])).width : 0;
  const auto bit = [&](int value) {
    return pool_.constant(Value(BitVectorValue{Integer(value), 1}), pool_.bit_vector_type(1));
  };
  switch (Z3_get_decl_kind(z3_, decl)) {
    case Z3_OP_INT2BV:
      return bits ? Expr() : pool_.int_to_bv(a[0], index(0));
    default:
      if (!bits) return Expr();
      break;
  }
  switch (Z3_get_decl_kind(z3_, decl)) {
    case Z3_OP_ULEQ:
      return make(Op::BvULe, a);
    case Z3_OP_ULT:
      return make(Op::BvULt, a);
    case Z3_OP_UGEQ:
      return make(Op::BvULe, {a[1], a[0]});
    case Z3_OP_UGT:
      return make(Op::BvULt, {a[1], a[0]});
    case Z3_OP_SLEQ:
      return make(Op::BvSLe, a);
    case Z3_OP_SLT:
      return make(Op::BvSLt, a);
    case Z3_OP_SGEQ:
      return make(Op::BvSLe, {a[1], a[0]});
    case Z3_OP_SGT:
      return make(Op::BvSLt, {a[1], a[0]});
    case Z3_OP_BNEG:
      return make(Op::BvNeg, a);
    case Z3_OP_BNOT:
      return make(Op::BvNot, a);
    case Z3_OP_BADD:
      return left(Op::BvAdd);
    case Z3_OP_BSUB:
      return left(Op::BvSub);
    case Z3_OP_BMUL:
      return left(Op::BvMul);
    case Z3_OP_BAND:
      return left(Op::BvAnd);
    case Z3_OP_BOR:
      return left(Op::BvOr);
    case Z3_OP_BXOR:
      return left(Op::BvXor);
    case Z3_OP_BNAND:
      return inverted(Op::BvAnd);
    case Z3_OP_BNOR:
      return inverted(Op::BvOr);
    case Z3_OP_BXNOR:
      return a.size() == 2 ? inverted(Op::BvXor) : Expr();
    case Z3_OP_CONCAT:
      return left(Op::BvConcat);
    case Z3_OP_BUDIV:
      return make(Op::BvUDiv, a);
    case Z3_OP_BUREM:
      return make(Op::BvURem, a);
    case Z3_OP_BSDIV:
      return make(Op::BvSDiv, a);
    case Z3_OP_BSREM:
      return make(Op::BvSRem, a);
    case Z3_OP_BSMOD:
      return make(Op::BvSMod, a);
    case Z3_OP_BSHL:
      return make(Op::BvShl, a);
    case Z3_OP_BLSHR:
      return make(Op::BvLShr, a);
    case Z3_OP_BASHR:
      return make(Op::BvAShr, a);
    case Z3_OP_EXTRACT:
      return pool_.bv_extract(a[0], index(0), index(1));
    case Z3_OP_ZERO_EXT:
      return index(0) == 0 ? a[0] : pool_.bv_extend(Op::BvZeroExtend, a[0], index(0));
    case Z3_OP_SIGN_EXT:
      return index(0) == 0 ? a[0] : pool_.bv_extend(Op::BvSignExtend, a[0], index(0));
    case Z3_OP_ROTATE_LEFT:
    case Z3_OP_ROTATE_RIGHT: {
      const std::uint32_t by = index(0) % width;
      const bool right = Z3_get_decl_kind(z3_, decl) == Z3_OP_ROTATE_RIGHT;
      const std::uint32_t low = right ? by : (width - by) % width;
      if (low == 0) return a[0];
      return make(Op::BvConcat,
                  {pool_.bv_extract(a[0], low - 1, 0), pool_.bv_extract(a[0], width - 1, low)});
    }
    case Z3_OP_BIT2BOOL:
      return pool_.eq(pool_.bv_extract(a[0], index(0), index(0)), bit(1));
    case Z3_OP_BCOMP: {
      const Expr equal = make(Op::Eq, a);
      return equal.valid() ? pool_.ite(equal, bit(1), bit(0)) : equal;
    }
    case Z3_OP_BV2INT:
      return make(Op::BvToNat, a);
    default:
      return Expr();
  }
}

// ----- enumerations

// The position of an enumeration value as an integer.
Expr Z3Reader::as_integer(Expr e) {
  if (!is_enum(e)) return e;
  Type type = pool_.type(e);
  auto count = static_cast<std::uint32_t>(pool_.info(type).values.size());
  if (pool_.is_const(e)) return pool_.integer(Integer(pool_.value(e).as_enum().index));
  Expr result = pool_.integer(Integer(count == 0 ? 0 : count - 1));
  for (std::uint32_t i = count; i-- > 1;) {
    Expr value = pool_.constant(Value(EnumValue{i - 1}), type);
    result = pool_.ite(pool_.eq(e, value), pool_.integer(Integer(i - 1)), result);
  }
  return result;
}

// A constant as a value of the enumeration; invalid where it is none.
Expr Z3Reader::as_enum(Expr e, Type type) {
  if (pool_.type(e) == type) return e;
  if (!pool_.is_const(e) || pool_.type(e) != Type::integer()) return Expr();
  auto index = pool_.value(e).as_integer().to_int64();
  auto count = static_cast<std::int64_t>(pool_.info(type).values.size());
  if (!index || *index < 0 || *index >= count) return Expr();
  return pool_.constant(Value(EnumValue{static_cast<std::uint32_t>(*index)}), type);
}

std::vector<Expr> Z3Reader::integers(std::span<const Expr> arguments) {
  std::vector<Expr> result(arguments.begin(), arguments.end());
  for (Expr& e : result) e = as_integer(e);
  return result;
}

Expr Z3Reader::equality(Expr a, Expr b) {
  if (is_enum(a) || is_enum(b)) {
    Type type = is_enum(a) ? pool_.type(a) : pool_.type(b);
    Expr left = as_enum(a, type);
    Expr right = as_enum(b, type);
    if (left.valid() && right.valid()) return pool_.eq(left, right);
    a = as_integer(a);
    b = as_integer(b);
  }
  return make(Op::Eq, {a, b});
}

Expr Z3Reader::comparison(Op op, Expr a, Expr b) {
  bool enum_left = is_enum(a) && !pool_.is_const(a) && pool_.is_const(b);
  bool enum_right = is_enum(b) && !pool_.is_const(b) && pool_.is_const(a);
  if (!enum_left && !enum_right) return make(op, {as_integer(a), as_integer(b)});
  // Against a constant: one of the values that satisfy it.
  Expr variable = enum_left ? a : b;
  Type type = pool_.type(variable);
  auto count = static_cast<std::uint32_t>(pool_.info(type).values.size());
  std::vector<Expr> parts;
  for (std::uint32_t i = 0; i < count; ++i) {
    Expr position = pool_.integer(Integer(i));
    Expr holds =
        enum_left ? make(op, {position, as_integer(b)}) : make(op, {as_integer(a), position});
    if (!holds.valid()) return Expr();
    if (pool_.is_true(holds))
      parts.push_back(pool_.eq(variable, pool_.constant(Value(EnumValue{i}), type)));
  }
  return parts.size() == count ? pool_.boolean(true) : pool_.disj(parts);
}

Expr Z3Reader::choice(std::span<const Expr> a) {
  Expr yes = a[1];
  Expr no = a[2];
  if (is_enum(yes) != is_enum(no)) {
    Type type = is_enum(yes) ? pool_.type(yes) : pool_.type(no);
    Expr enum_yes = as_enum(yes, type);
    Expr enum_no = as_enum(no, type);
    bool both = enum_yes.valid() && enum_no.valid();
    yes = both ? enum_yes : as_integer(yes);
    no = both ? enum_no : as_integer(no);
  } else if (is_enum(yes) && pool_.type(yes) != pool_.type(no)) {
    yes = as_integer(yes);
    no = as_integer(no);
  }
  return make(Op::Ite, {a[0], yes, no});
}

}  // namespace whittle::smt

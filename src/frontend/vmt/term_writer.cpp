// SPDX-License-Identifier: Apache-2.0
#include "frontend/vmt/term_writer.h"

#include <fmt/format.h>

#include "base/error.h"
#include "expr/gmp_number.h"
#include "expr/smtlib_names.h"
#include "expr/traverse.h"

namespace whittle::vmt {

namespace {

constexpr std::size_t kShared = 24;  // texts longer than this are not repeated
constexpr std::size_t kLong = 400;   // texts longer than this are not nested

std::string_view function_name(Op op) {
  const char* name = smtlib_name(op);
  WHITTLE_REQUIRE(name != nullptr, "a VMT-LIB file has no such operator");
  return name;
}

std::string integer_text(const Integer& value) {
  return value.sign() < 0 ? fmt::format("(- {})", (-value).to_string()) : value.to_string();
}

std::string real_text(const Rational& value) {
  if (value.sign() < 0) return fmt::format("(- {})", real_text(-value));
  std::string numerator = value.numerator().to_string() + ".0";
  if (value.is_integer()) return numerator;
  return fmt::format("(/ {} {}.0)", numerator, value.denominator().to_string());
}

std::string bits_text(const BitVectorValue& value) {
  const mpz_class bits = to_mpz(value.bits);
  if (value.width > 128) return fmt::format("(_ bv{} {})", bits.get_str(), value.width);
  const bool hex = value.width % 4 == 0;
  std::string digits = bits.get_str(hex ? 16 : 2);
  const std::size_t count = hex ? value.width / 4 : value.width;
  digits.insert(0, count - std::min(count, digits.size()), '0');
  return (hex ? "#x" : "#b") + digits;
}

std::string string_text(const std::string& value) {
  std::string result = "\"";
  for (char c : value) {
    result.push_back(c);
    if (c == '"') result.push_back(c);
  }
  return result + "\"";
}

}  // namespace

std::string sort_text(const ExprPool& pool, Type type) {
  const TypeInfo& info = pool.info(type);
  switch (info.kind) {
    case TypeKind::Bool:
      return "Bool";
    case TypeKind::Int:
      return "Int";
    case TypeKind::Real:
      return "Real";
    case TypeKind::String:
      return "String";
    case TypeKind::BitVector:
      return fmt::format("(_ BitVec {})", info.width);
    case TypeKind::Array:
      return fmt::format("(Array {} {})", sort_text(pool, info.index),
                         sort_text(pool, info.element));
    case TypeKind::Enum:
    case TypeKind::Set:
      break;
  }
  throw InternalError("a VMT-LIB file has no such sort");
}

std::string value_text(const ExprPool& pool, const Value& value, Type type) {
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  switch (pool.kind(type)) {
    case TypeKind::Int:
      return integer_text(value.as_integer());
    case TypeKind::Real:
      return real_text(value.as_real());
    case TypeKind::String:
      return string_text(value.as_string());
    case TypeKind::BitVector:
      return bits_text(value.as_bit_vector());
    case TypeKind::Array: {
      const TypeInfo& info = pool.info(type);
      const ArrayValue& array = value.as_array();
      std::string result = fmt::format("((as const {}) {})", sort_text(pool, type),
                                       value_text(pool, array.otherwise, info.element));
      for (const auto& [index, element] : array.entries) {
        result = fmt::format("(store {} {} {})", result, value_text(pool, index, info.index),
                             value_text(pool, element, info.element));
      }
      return result;
    }
    default:
      break;
  }
  throw InternalError("a VMT-LIB file has no such value");
}

void TermWriter::prepare(std::span<const Expr> roots) {
  for_each_subterm(pool_, roots, [&](Expr e) {
    for (const Expr child : pool_.children(e)) ++uses_[child];
  });
  for (const Expr root : roots) ++uses_[root];
}

std::string TermWriter::operator()(Expr root) {
  const auto known = [&](Expr e) { return texts_.contains(e); };
  for_each_new_subterm(pool_, root, known, [&](Expr done) {
    std::string result = text(done);
    const std::uint32_t* uses = uses_.find(done);
    const bool shared = uses != nullptr && *uses > 1 && result.size() > kShared;
    if (done != root && !pool_.is_const(done) && (shared || result.size() > kLong)) {
      definitions_.push_back(
          {fresh_name_(), sort_text(pool_, pool_.type(done)), std::move(result)});
      result = definitions_.back().name;
    }
    texts_.insert(done, std::move(result));
  });
  return written(root);
}

std::string TermWriter::text(Expr e) const {
  const auto children = pool_.children(e);
  std::string head;
  switch (pool_.op(e)) {
    case Op::Const:
      return value_text(pool_, pool_.value(e), pool_.type(e));
    case Op::Apply:
      head = symbol_(pool_.symbol_of(e));
      if (children.empty()) return head;
      break;
    case Op::ConstArray:
      head = fmt::format("(as const {})", sort_text(pool_, pool_.type(e)));
      break;
    case Op::BvExtract: {
      const auto [high, low] = pool_.indices(e);
      head = fmt::format("(_ extract {} {})", high, low);
      break;
    }
    case Op::BvZeroExtend:
      head = fmt::format("(_ zero_extend {})", pool_.indices(e).first);
      break;
    case Op::BvSignExtend:
      head = fmt::format("(_ sign_extend {})", pool_.indices(e).first);
      break;
    case Op::IntToBv:
      head = fmt::format("(_ int2bv {})", pool_.info(pool_.type(e)).width);
      break;
    default:
      head = function_name(pool_.op(e));
      break;
  }
  std::string result = "(" + head;
  for (const Expr child : children) result += " " + written(child);
  return result + ")";
}

}  // namespace whittle::vmt

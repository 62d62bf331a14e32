// SPDX-License-Identifier: Apache-2.0
// Numbers and characters, with the types that C gives them.
#include <cctype>

#include <fmt/format.h>

#include "frontend/c/builder.h"
#include "frontend/c/literals.h"

namespace whittle::c {

namespace {

struct Suffix {
  bool is_unsigned = false;
  int longs = 0;
};

std::optional<Suffix> suffix_of(std::string_view text) {
  Suffix result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = static_cast<char>(text[i] | 32);
    if (c == 'u' && !result.is_unsigned)
      result.is_unsigned = true;
    else if (c == 'l' && result.longs == 0)
      result.longs = i + 1 < text.size() && text[i + 1] == text[i] ? (++i, 2) : 1;
    else
      return std::nullopt;
  }
  return result;
}

}  // namespace

// The first of int, unsigned int, long, ... that it fits; decimal ones stay signed without a `u`.
ExpressionId Builder::number(std::string_view text, Span span) {
  int base = 10;
  std::size_t at = 0;
  if (text.size() > 1 && text[0] == '0') {
    const char mark = static_cast<char>(text[1] | 32);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    at = base == 8 ? 1 : 2;
  }
  const bool real = text.find('.') != std::string_view::npos ||
                    text.find_first_of(base == 16 ? "pP" : "eE") != std::string_view::npos;
  if (real) {
    Expression e;
    e.kind = ExpressionKind::Float;
    const char last = static_cast<char>(text.back() | 32);
    e.type = base == 16 || last != 'f' ? (last == 'l' ? kLongDouble : kDouble) : kFloat;
    e.span = span;
    return add(std::move(e));
  }
  Integer value;
  for (; at < text.size() && digit_value(text[at]) < base; ++at)
    value = value * Integer(base) + Integer(digit_value(text[at]));
  const auto suffix = suffix_of(text.substr(at));
  if (!suffix) {
    diagnostics_.report("lex-004", span, fmt::format("`{}` is not a number", text));
    return constant(0, kInt, span);
  }
  static constexpr TypeId kCandidates[] = {kInt,          kUnsigned, kLong,
                                           kUnsignedLong, kLongLong, kUnsignedLongLong};
  for (const TypeId type : kCandidates) {
    const bool is_unsigned = !unit_.types.is_signed(type);
    if (suffix->longs == 1 && type < kLong) continue;
    if (suffix->longs == 2 && type < kLongLong) continue;
    if (suffix->is_unsigned && !is_unsigned) continue;
    if (!suffix->is_unsigned && is_unsigned && base == 10) continue;
    if (value > unit_.types.greatest(type)) continue;
    const Integer low = euclidean_mod(value, pow(Integer(2), 32));
    const Integer high = euclidean_div(value, pow(Integer(2), 32));
    return constant(static_cast<std::uint64_t>(*high.to_int64()) << 32U |
                        static_cast<std::uint64_t>(*low.to_int64()),
                    type, span);
  }
  diagnostics_.report("parse-004", span, "this number is too large for every integer type");
  return constant(0, kInt, span);
}

// Several characters make one number, as in gcc.
ExpressionId Builder::character(std::string_view text, Span span) {
  const bool wide = text[0] != '\'';
  const std::size_t first = wide ? 2 : 1;
  const std::string_view inner = text.substr(first, text.size() - first - 1);
  std::uint32_t value = 0;
  std::size_t count = 0;
  for (std::size_t at = 0; at < inner.size(); ++count) {
    const std::uint32_t c = next_character(inner, at);
    value = wide ? c : value << 8U | (c & 0xFFU);
  }
  if (count == 0) diagnostics_.report("lex-001", span, "there is no character between the quotes");
  auto result = static_cast<std::int64_t>(static_cast<std::int32_t>(value));
  // A single character is a signed char.
  if (!wide && count == 1 && (value & 0x80U) != 0)
    result = static_cast<std::int64_t>(value & 0xFFU) - 0x100;
  return constant(static_cast<std::uint64_t>(result), kInt, span);
}

}  // namespace whittle::c

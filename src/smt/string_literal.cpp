// SPDX-License-Identifier: Apache-2.0
#include "smt/string_literal.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

namespace whittle::smt {

namespace {

constexpr std::uint32_t kMaxCharacter = 0x2FFFF;

// The code point that begins at `at`, which moves behind it; empty when the bytes are not UTF-8.
std::optional<std::uint32_t> decode(std::string_view text, std::size_t& at) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::uint32_t lead = byte(at++);
  if (lead < 0x80) return lead;
  int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  if (lead < 0xC2 || lead > 0xF4) return std::nullopt;
  std::uint32_t code = lead & (0x3FU >> more);
  for (int i = 0; i < more; ++i) {
    if (at >= text.size() || (byte(at) & 0xC0) != 0x80) return std::nullopt;
    code = code << 6 | (byte(at++) & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  if (code < kLeast[more] || (code >= 0xD800 && code < 0xE000)) return std::nullopt;
  return code;
}

// An escape at the beginning of `text`: its character and its length.
std::optional<std::pair<std::uint32_t, std::size_t>> escape_at(std::string_view text) {
  if (!text.starts_with("\\u")) return std::nullopt;
  text.remove_prefix(2);
  bool braces = text.starts_with("{");
  std::size_t close = braces ? text.find('}') : 4;
  std::string_view digits = braces ? text.substr(1, close - 1) : text.substr(0, 4);
  if (close == std::string_view::npos || digits.empty() || (!braces && digits.size() != 4))
    return std::nullopt;
  std::uint32_t code = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (error != std::errc() || end != digits.data() + digits.size() || code > kMaxCharacter)
    return std::nullopt;
  return std::pair{code, 2 + (braces ? close + 1 : 4)};
}

}  // namespace

void append_utf8(std::uint32_t code, std::string& out) {
  auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

std::optional<std::string> escaped(std::string_view utf8) {
  std::string out;
  for (std::size_t at = 0; at < utf8.size();) {
    auto code = decode(utf8, at);
    if (!code || *code > kMaxCharacter) return std::nullopt;
    // The backslash too, or a text that looks like an escape would become one.
    if (*code >= 0x20 && *code < 0x7F && *code != '\\')
      out.push_back(static_cast<char>(*code));
    else
      out += fmt::format("\\u{{{:x}}}", *code);
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (auto escape = escape_at(text)) {
      append_utf8(escape->first, out);
      text.remove_prefix(escape->second);
    } else {
      out.push_back(text.front());
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace whittle::smt

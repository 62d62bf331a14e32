// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace whittle {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// The blocks that matter in practice; a character missing here only shifts a caret by a column.
constexpr std::array kCombining = {
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD},
    Range{0x064B, 0x065F}, Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF},
    Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}};
constexpr std::array kWide = {
    Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0xA4CF},  Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},  Range{0xFFE0, 0xFFE6},
    Range{0x1F300, 0x1F64F}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};
// Control characters, and those that hide or reorder what stands around them.
constexpr std::array kUnsafe = {Range{0x0000, 0x001F}, Range{0x007F, 0x009F},
                                Range{0x200B, 0x200F}, Range{0x2028, 0x202E},
                                Range{0x2060, 0x206F}, Range{0xFEFF, 0xFEFF}};

template <std::size_t N>
bool in(const std::array<Range, N>& ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(), [code](const Range& range) {
    return range.first <= code && code <= range.last;
  });
}

}  // namespace

Character decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  std::size_t length = 0;
  char32_t code = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
    code = lead & 0x1FU;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    code = lead & 0x0FU;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    code = lead & 0x07U;
  }
  const Character invalid{lead, 1, false};
  if (length == 0 || text.size() < length) return invalid;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return invalid;
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return invalid;
  return {code, length, true};
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const Character character = decode_utf8(text.substr(at, 4));
    if (!character.valid) return at;
    at += character.bytes;
  }
  return std::string_view::npos;
}

std::size_t column_width(char32_t code) {
  if (code < 0x0300) return 1;
  if (in(kCombining, code)) return 0;
  return in(kWide, code) ? 2 : 1;
}

Cell shown(const Character& character, char first_byte) {
  std::string text;
  if (!character.valid || character.code < 0x80) {
    const auto byte = static_cast<unsigned char>(first_byte);
    if (byte >= 0x20 && byte < 0x7F) return {std::string(1, first_byte), 1};
    text = fmt::format("\\x{:02x}", byte);
    return {text, text.size()};
  }
  const char32_t code = character.code;
  if (in(kUnsafe, code)) {
    text = fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(code));
    return {text, text.size()};
  }
  const auto tail = [&](unsigned shift) {
    return static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x800) {
    text = {static_cast<char>(0xC0U | (code >> 6U)), tail(0)};
  } else if (code < 0x10000) {
    text = {static_cast<char>(0xE0U | (code >> 12U)), tail(6), tail(0)};
  } else {
    text = {static_cast<char>(0xF0U | (code >> 18U)), tail(12), tail(6), tail(0)};
  }
  return {text, column_width(code)};
}

std::string safe_text(std::string_view text, bool newlines) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const Character character = decode_utf8(text.substr(at, 4));
    if (c == '\t') {
      result += ' ';
    } else if (c == '\n' && newlines) {
      result += '\n';
    } else {
      result += shown(character, c).text;
    }
    at += character.bytes;
  }
  return result;
}

std::size_t columns(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character character = decode_utf8(text);
    width += column_width(character.code);
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string ellipsized(std::string_view text, std::size_t width) {
  std::string result;
  std::size_t used = 0;
  std::size_t last_fit = 0;  // length of `result` that leaves a column for the ellipsis
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode_utf8(text.substr(at, 4));
    const Cell cell = shown(character, text[at]);
    if (used + cell.width > width) return result.substr(0, last_fit) + "…";
    result += cell.text;
    used += cell.width;
    if (used + 1 <= width) last_fit = result.size();
    at += character.bytes;
  }
  return result;
}

}  // namespace whittle

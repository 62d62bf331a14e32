// SPDX-License-Identifier: Apache-2.0
// Text as it may be shown on a terminal: UTF-8 decoding, columns, and harmless spellings for
// characters that would move the cursor, change colours or reorder the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace whittle {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;  // false: `bytes` is 1 and the byte is no UTF-8
};

// The character at the beginning of `text`, which is not empty. Overlong forms, surrogates and
// values above U+10FFFF are not valid.
[[nodiscard]] Character decode_utf8(std::string_view text);

// Offset of the first byte that is not UTF-8, or npos.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);

// How many terminal columns a printable character takes: 0 (combining), 1 or 2 (wide).
[[nodiscard]] std::size_t column_width(char32_t code);

// Of a text that has only printable characters.
[[nodiscard]] std::size_t columns(std::string_view text);

// A character as it is shown, and how wide that is. Control characters, bytes that are no UTF-8
// and direction marks become escapes such as \x1b and \u{202e}.
struct Cell {
  std::string text;
  std::size_t width = 0;
};
[[nodiscard]] Cell shown(const Character& character, char first_byte);

// The whole text that way; `\n` stays if `newlines`, a tab becomes a space.
[[nodiscard]] std::string safe_text(std::string_view text, bool newlines = false);

// `text` cut to `width` columns, with an ellipsis if something was cut.
[[nodiscard]] std::string ellipsized(std::string_view text, std::size_t width);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/literals.h"

namespace whittle::c {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 32);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

// One character or escape sequence.
std::uint32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&] { return static_cast<unsigned char>(text[at++]); };
  if (text[at] != '\\' || at + 1 >= text.size()) return byte();
  ++at;
  const char c = text[at];
  if (c == 'x') {
    ++at;
    std::uint32_t value = 0;
    while (at < text.size() && digit_value(text[at]) < 16)
      value = value * 16 + static_cast<std::uint32_t>(digit_value(text[at++]));
    return value;
  }
  if (c >= '0' && c <= '7') {
    std::uint32_t value = 0;
    for (int i = 0; i < 3 && at < text.size() && text[at] >= '0' && text[at] <= '7'; ++i)
      value = value * 8 + static_cast<std::uint32_t>(text[at++] - '0');
    return value;
  }
  ++at;
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'a':
      return 7;
    case 'b':
      return 8;
    case 'f':
      return 12;
    case 'v':
      return 11;
    case 'e':
      return 27;
    default:
      return static_cast<unsigned char>(c);
  }
}

std::vector<int> string_bytes(std::string_view text) {
  const std::size_t open = text.find('"');
  if (open == std::string_view::npos || text.size() < open + 2) return {0};
  const std::string_view inner = text.substr(open + 1, text.size() - open - 2);
  std::vector<int> result;
  for (std::size_t at = 0; at < inner.size();)
    result.push_back(static_cast<std::int8_t>(next_character(inner, at)));
  result.push_back(0);
  return result;
}

}  // namespace whittle::c

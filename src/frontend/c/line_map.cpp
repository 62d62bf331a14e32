// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/line_map.h"

#include <algorithm>
#include <charconv>

namespace whittle::c {

void LineMap::marker(std::string_view rest) {
  const std::size_t digits = rest.find_first_of("0123456789");
  const std::size_t open = rest.find('"');
  if (digits == std::string_view::npos || open == std::string_view::npos) return;
  std::uint32_t line = 0;
  std::from_chars(rest.data() + digits, rest.data() + rest.size(), line);
  const std::size_t close = rest.find('"', open + 1);
  if (close == std::string_view::npos) return;
  inside_ = rest.substr(open + 1, close - open - 1) == written_.path();
  line_ = std::max<std::uint32_t>(line, 1);
  marked_ = true;
}

void LineMap::line_begins(std::size_t offset) {
  begin_ = offset;
  if (!marked_) ++line_;
  marked_ = false;
  if (inside_) last_ = std::min(line_, written_.line_count());
}

Span LineMap::place(std::size_t offset, std::string_view text) const {
  const std::uint32_t start = written_.line_start(last_);
  const std::string_view line = written_.line(last_);
  const std::size_t column = offset - begin_;
  if (inside_ && line_ == last_ && column <= line.size() && line.substr(column).starts_with(text)) {
    const auto begin = static_cast<std::uint32_t>(start + column);
    return {file_, begin, static_cast<std::uint32_t>(begin + text.size())};
  }
  const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  return {file_, static_cast<std::uint32_t>(start + first),
          static_cast<std::uint32_t>(start + line.size())};
}

}  // namespace whittle::c

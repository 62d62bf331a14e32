// SPDX-License-Identifier: Apache-2.0
// A text with pieces of it replaced. Line breaks stay, so that lines keep their numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace whittle::program {

class TextEdits {
 public:
  explicit TextEdits(std::string_view text) : text_(text) {}

  [[nodiscard]] std::string_view text(Span span) const {
    return text_.substr(span.begin, span.end - span.begin);
  }
  void insert(std::uint32_t at, std::string text) { edits_.push_back({at, at, std::move(text)}); }
  void replace(Span span, std::string text);
  // Pieces do not overlap, except that one may contain others; then it alone counts.
  [[nodiscard]] std::string result() const;

 private:
  struct Edit {
    std::uint32_t begin, end;
    std::string text;
  };
  std::string_view text_;
  std::vector<Edit> edits_;
};

}  // namespace whittle::program

// SPDX-License-Identifier: Apache-2.0
#include "frontend/program/text_edits.h"

#include <algorithm>

namespace whittle::program {

void TextEdits::replace(Span span, std::string text) {
  text.append(static_cast<std::size_t>(
                  std::count(text_.begin() + span.begin, text_.begin() + span.end, '\n')),
              '\n');
  edits_.push_back({span.begin, span.end, std::move(text)});
}

std::string TextEdits::result() const {
  std::vector<const Edit*> order;
  for (const Edit& edit : edits_) order.push_back(&edit);
  std::stable_sort(order.begin(), order.end(), [](const Edit* a, const Edit* b) {
    return a->begin != b->begin ? a->begin < b->begin : a->end > b->end;
  });
  std::string result;
  std::uint32_t at = 0;
  for (const Edit* edit : order) {
    if (edit->begin < at) continue;
    result += text_.substr(at, edit->begin - at);
    result += edit->text;
    at = edit->end;
  }
  return result += text_.substr(at);
}

}  // namespace whittle::program

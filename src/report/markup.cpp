// SPDX-License-Identifier: Apache-2.0
#include "report/markup.h"

#include "base/text.h"

namespace whittle {

std::string escaped_markup(std::string_view text) {
  std::string result;
  for (const char c : safe_text(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace whittle

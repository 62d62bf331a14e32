// SPDX-License-Identifier: Apache-2.0
#include "report/mermaid_label.h"

#include <fmt/format.h>

namespace whittle {

std::string mermaid_label(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == ' ' || c == '_' || c == '.' || c == ',' || c == '-' ||
                       static_cast<unsigned char>(c) >= 0x80;
    result += plain ? std::string(1, c) : fmt::format("#{};", static_cast<unsigned>(c));
  }
  return result;
}

}  // namespace whittle

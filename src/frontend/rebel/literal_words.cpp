// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/literal_words.h"

#include <array>

#include "frontend/rebel/ast.h"

namespace whittle::rebel {

std::uint32_t month_number(std::string_view word) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (word.size() != 3) return 0;
  for (std::uint32_t i = 0; i < kMonths.size(); ++i) {
    if (kMonths[i] == word) return i + 1;
  }
  return 0;
}

std::uint32_t period_number(std::string_view word) {
  static constexpr std::array<std::string_view, 5> kPeriods = {"Day", "Week", "Month", "Quarter",
                                                               "Year"};
  for (std::uint32_t i = 0; i < kPeriods.size(); ++i) {
    if (kPeriods[i] == word) return i;
  }
  return kNone;
}

bool is_currency(std::string_view word) {
  if (word == "EUR" || word == "USD") return true;
  if (word.size() != 7 || !word.starts_with("CUR_")) return false;
  for (char c : word.substr(4)) {
    if (c < 'A' || c > 'Z') return false;
  }
  return true;
}

}  // namespace whittle::rebel

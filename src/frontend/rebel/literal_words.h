// SPDX-License-Identifier: Apache-2.0
// Words that are parts of literals: months, periods, currencies.
#pragma once

#include <cstdint>
#include <string_view>

namespace whittle::rebel {

// Month 1..12 of `Jan`..`Dec`, 0 for another word.
[[nodiscard]] std::uint32_t month_number(std::string_view word);
// 0..4 for Day, Week, Month, Quarter, Year; kNone for another word.
[[nodiscard]] std::uint32_t period_number(std::string_view word);
// EUR, USD, CUR_XYZ.
[[nodiscard]] bool is_currency(std::string_view word);

}  // namespace whittle::rebel

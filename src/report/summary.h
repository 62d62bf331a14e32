// SPDX-License-Identifier: Apache-2.0
// Many results on a page: a table with a line per property, or a line per file where there are too
// many, and what they come to together.
//
// The words: a demand or an expectation is met or not met; a verdict is proved (for any number of
// steps), bounded (for so many steps), or unknown; a question without an expectation is answered.
#pragma once

#include <span>
#include <string>

#include "report/report.h"

namespace whittle {

struct Sign {
  std::string_view mark;
  std::string_view color;  // of the mark and the verdict
};
// Whether all is well, as one character.
[[nodiscard]] Sign sign_of(const PropertyResult& result);

// "holds", "violated, as expected", "holds (expected: violated)", "bounded".
[[nodiscard]] std::string verdict_in_short(const PropertyResult& result);
// ", as expected", " (expected: violated)", or nothing.
[[nodiscard]] std::string expectation_note(const PropertyResult& result);

// file, property, verdict, steps, time.
[[nodiscard]] std::string summary_table(std::span<const PropertyResult> results,
                                        const ReportStyle& style);
// "4 properties: 1 not met, 1 met, 2 answered"; of several files also how often which verdict.
[[nodiscard]] std::string totals(std::span<const PropertyResult> results, const ReportStyle& style);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Invariants for people: one conjunct after the other, each as the model's language writes it, so
// that it can be pasted into the model, laid out for the width of the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace whittle {

// Lines of at most `width` columns where blanks allow it. No line ends within quotation marks; the
// lines after the first are indented by `hanging` columns.
[[nodiscard]] std::vector<std::string> wrapped_condition(std::string_view text, std::size_t width,
                                                         std::size_t hanging);

// The invariant of a verdict; by default a few lines of it.
[[nodiscard]] std::string invariant_text(const PropertyResult& result, const ReportStyle& style,
                                         std::size_t indent);

// Conditions that hold at these places; empty: everywhere.
struct PlacedConditions {
  std::string place;
  std::vector<std::string> conditions;
};

// All of the invariant of a verdict: what holds everywhere first, then by place. requires: it has
// one.
[[nodiscard]] std::vector<PlacedConditions> conditions_by_place(const PropertyResult& result);

}  // namespace whittle

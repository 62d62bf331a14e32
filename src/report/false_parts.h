// SPDX-License-Identifier: Apache-2.0
// Why a condition that must hold does not: its parts in the last state of the trace, each with the
// values that decide it.
#pragma once

#include <string>
#include <vector>

#include "ir/property_result.h"
#include "report/report.h"

namespace whittle {

struct ConditionPart {
  std::string condition;
  bool holds = false;
  std::string undefined = {};            // why it has no value: it counts as false
  std::vector<std::string> values = {};  // "balance = 50", "at Closed"
};

// Of a violated condition on states with its trace; empty: the property is of another kind, or
// there is no trace. The parts that hold are those without which the others would not matter.
[[nodiscard]] std::vector<ConditionPart> false_parts(const PropertyResult& result);

// The same as text: a line per part, after "in the last state".
[[nodiscard]] std::string false_parts_text(const PropertyResult& result, const ReportStyle& style,
                                           std::size_t indent);

}  // namespace whittle

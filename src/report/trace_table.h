// SPDX-License-Identifier: Apache-2.0
// A replayed trace as a table for people: step, instance, event with arguments, what changed.
#pragma once

#include <string>

#include "report/report.h"

namespace whittle {

// requires: the result has a trace that was replayed. Every line ends in a newline and begins with
// `indent` spaces; a long trace is cut in its middle unless the style wants it in full.
[[nodiscard]] std::string trace_table(const PropertyResult& result, const ReportStyle& style,
                                      std::size_t indent);

}  // namespace whittle

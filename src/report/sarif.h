// SPDX-License-Identifier: Apache-2.0
// The report for editors and code review: SARIF 2.1.0, with a result at the line of every demand
// that is not met, every undecided property and every diagnostic.
#pragma once

#include "report/report.h"

namespace whittle {

[[nodiscard]] std::unique_ptr<ReportWriter> make_sarif_writer(const ReportStyle& style);

}  // namespace whittle

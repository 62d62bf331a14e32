// SPDX-License-Identifier: Apache-2.0
// The report for people: a block per property, printed as soon as it is decided.
#pragma once

#include "report/report.h"

namespace whittle {

[[nodiscard]] std::unique_ptr<ReportWriter> make_text_writer(const ReportStyle& style);

}  // namespace whittle

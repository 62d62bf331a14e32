// SPDX-License-Identifier: Apache-2.0
// The report as one JSON object; schema.json beside this file says what is in it.
#pragma once

#include "report/report.h"

namespace whittle {

[[nodiscard]] std::unique_ptr<ReportWriter> make_json_writer(const ReportStyle& style);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// The report for build servers: JUnit's XML, a test suite per file and a test case per property.
#pragma once

#include "report/report.h"

namespace whittle {

[[nodiscard]] std::unique_ptr<ReportWriter> make_junit_writer(const ReportStyle& style);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// The report of `lint` for people: what was found to be wrong, in words and with the run that shows
// it, and what is undecided; everything else is only counted.
#pragma once

#include "report/report.h"

namespace whittle {

[[nodiscard]] std::unique_ptr<ReportWriter> make_findings_writer(const ReportStyle& style);

// "`freeze` can never happen". requires: the demand is not met
[[nodiscard]] std::string finding_in_words(const PropertyResult& result);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// The list of formats.
#include <array>

#include "report/json.h"
#include "report/junit.h"
#include "report/report.h"
#include "report/sarif.h"
#include "report/text.h"

namespace whittle {

std::span<const ReportFormat> report_formats() {
  static const std::array list = {
      ReportFormat{"text", "for people", true, make_text_writer},
      ReportFormat{"json", "one JSON object, described in schema.json", false, make_json_writer},
      ReportFormat{"junit", "JUnit's XML, for build servers", false, make_junit_writer},
      ReportFormat{"sarif", "SARIF 2.1.0, for editors and code review", false, make_sarif_writer},
  };
  return list;
}

const ReportFormat* find_report_format(std::string_view id) {
  for (const ReportFormat& format : report_formats()) {
    if (format.id == id) return &format;
  }
  return nullptr;
}

}  // namespace whittle

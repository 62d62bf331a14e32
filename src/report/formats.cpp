// SPDX-License-Identifier: Apache-2.0
// The list of formats.
#include <fmt/format.h>

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

std::optional<bool> met(const PropertyResult& result) {
  const Property& property = result.question();
  if (!property.demand) return std::nullopt;
  switch (result.verdict.kind) {
    case VerdictKind::Reachable:
      return property.wants_reachable;
    case VerdictKind::Unreachable:
      return !property.wants_reachable;
    case VerdictKind::Holds:
      return true;
    case VerdictKind::Violated:
      return false;
    case VerdictKind::Unknown:
      return std::nullopt;
  }
  return std::nullopt;
}

std::string steps_covered(const PropertyResult& result) {
  const auto steps = [](std::uint64_t count) {
    return fmt::format("{} step{}", count, count == 1 ? "" : "s");
  };
  const Verdict& verdict = result.verdict;
  if (verdict.trace) return " in " + steps(verdict.trace->length());
  if (!verdict.bound) return "";
  const std::uint64_t first = result.question().bound.min;
  if (first == 0) return " within " + steps(*verdict.bound);
  if (first == *verdict.bound) return " in exactly " + steps(first);
  return fmt::format(" between {} and {}", first, steps(*verdict.bound));
}

}  // namespace whittle

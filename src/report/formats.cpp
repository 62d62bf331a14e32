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

bool bounded_only(const PropertyResult& result) {
  const Verdict& verdict = result.verdict;
  if (!result.question().demand || !result.asked || verdict.kind == VerdictKind::Unknown ||
      verdict.trace || !verdict.bound)
    return false;
  return !result.asked->max || *result.asked->max > *verdict.bound;
}

bool undecided(const PropertyResult& result) {
  return result.verdict.kind == VerdictKind::Unknown || bounded_only(result);
}

std::string_view verdict_word(const PropertyResult& result) {
  return bounded_only(result) ? "bounded" : to_string(result.verdict.kind);
}

std::string reason(const PropertyResult& result) {
  if (!bounded_only(result)) return result.verdict.reason;
  const PropertyKind kind = result.question().kind;
  const std::string_view found = kind == PropertyKind::Reach            ? "not reached"
                                 : kind == PropertyKind::DeadTransition ? "not taken"
                                                                        : "no violation";
  const std::string wanted =
      result.asked->max ? fmt::format("{} steps", *result.asked->max) : "any number of steps";
  return fmt::format("{}{}, and the model asks about {}", found, steps_covered(result), wanted);
}

std::optional<bool> met(const PropertyResult& result) {
  const Property& property = result.question();
  if (!property.demand || bounded_only(result)) return std::nullopt;
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
  if (verdict.trace) {
    std::string text = " in " + steps(verdict.trace->length());
    if (!verdict.shortest) text += " (there may be a shorter run)";
    return text;
  }
  if (!verdict.bound) return "";
  const std::uint64_t first = result.question().bound.min;
  if (first == 0) return " within " + steps(*verdict.bound);
  if (first == *verdict.bound) return " in exactly " + steps(first);
  return fmt::format(" between {} and {}", first, steps(*verdict.bound));
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostics.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/error.h"

namespace whittle {

namespace {

constexpr DiagnosticInfo kDiagnostics[] = {
#define DIAGNOSTIC(id, severity, summary) {id, Severity::severity, summary},
#include "base/diagnostics/diagnostics.def"
#undef DIAGNOSTIC
};

std::unordered_map<std::string_view, const DiagnosticInfo*> index_by_id() {
  std::unordered_map<std::string_view, const DiagnosticInfo*> result;
  for (const DiagnosticInfo& info : kDiagnostics) {
    const bool fresh = result.emplace(info.id, &info).second;
    WHITTLE_REQUIRE(fresh, "diagnostic listed twice: " + std::string(info.id));
  }
  return result;
}

}  // namespace

std::span<const DiagnosticInfo> all_diagnostics() { return kDiagnostics; }

const DiagnosticInfo& diagnostic_info(std::string_view id) {
  static const auto by_id = index_by_id();
  const auto found = by_id.find(id);
  WHITTLE_REQUIRE(found != by_id.end(),
                  "diagnostic not listed in base/diagnostics: " + std::string(id));
  return *found->second;
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  fail_contract("severity", __FILE__, __LINE__, "no such severity");
}

Diagnostic make_diagnostic(std::string_view id, Span span, std::string message, std::string hint) {
  Diagnostic result;
  result.id = std::string(id);
  result.severity = diagnostic_info(id).severity;
  result.span = span;
  result.message = std::move(message);
  result.hint = std::move(hint);
  return result;
}

Diagnostic& Diagnostics::report(std::string_view id, Span span, std::string message,
                                std::string hint) {
  return add(make_diagnostic(id, span, std::move(message), std::move(hint)));
}

Diagnostic& Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error) ++errors_;
  return entries_.emplace_back(std::move(diagnostic));
}

void Diagnostics::append(Diagnostics other) {
  errors_ += other.errors_;
  std::move(other.entries_.begin(), other.entries_.end(), std::back_inserter(entries_));
}

void Diagnostics::sort() {
  // "Nowhere" has the greatest file id and so comes last.
  const auto key = [](const Diagnostic& d) {
    return std::tie(d.span.file, d.span.begin, d.span.end, d.id, d.message);
  };
  std::stable_sort(entries_.begin(), entries_.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto repeated = std::unique(entries_.begin(), entries_.end(),
                                    [&](const auto& a, const auto& b) { return key(a) == key(b); });
  entries_.erase(repeated, entries_.end());
  errors_ =
      static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(), [](const auto& d) {
        return d.severity == Severity::Error;
      }));
}

}  // namespace whittle

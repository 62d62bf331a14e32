// SPDX-License-Identifier: Apache-2.0
// What a run has to tell, as plain data, and how formats are written. Adding a format: a file with
// a ReportWriter and one line in formats.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "ir/property_result.h"

namespace whittle {

struct ReportStyle {
  std::string version;  // of whittle
  Color color = Color::Off;
  std::size_t width = 80;        // columns of the text format
  std::size_t files = 1;         // that were given: of several the text format makes a table
  bool full_trace = false;       // the text format cuts long traces otherwise
  bool essential_trace = false;  // only the steps and values that matter to the property
  bool full_invariant = false;   // and shows only some lines of an invariant
  bool quiet = false;            // one line per property
  bool verbose = false;          // statistics, too
};

class ReportWriter {
 public:
  virtual ~ReportWriter() = default;
  // Text to print as soon as a result is there; empty for formats that need them all.
  virtual std::string result(const PropertyResult& result) = 0;
  // Text at the end of the run.
  virtual std::string finish(std::span<const PropertyResult> results,
                             const Diagnostics& diagnostics, const Sources& sources) = 0;
};

struct ReportFormat {
  std::string_view id;
  std::string_view summary;
  bool for_people = false;  // diagnostics are shown on stderr besides
  std::unique_ptr<ReportWriter> (*make)(const ReportStyle& style) = nullptr;
};

[[nodiscard]] std::span<const ReportFormat> report_formats();
[[nodiscard]] const ReportFormat* find_report_format(std::string_view id);

}  // namespace whittle

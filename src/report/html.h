// SPDX-License-Identifier: Apache-2.0
// The report for a browser: one file that needs no network, with the results, their traces to step
// through, drawings of the machines, and the sources. What comes from models is data in it, never
// markup: escaped where it stands in the table, and else a JSON document that the script of the
// page (html/page.js) shows as text.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "report/machine_drawing.h"
#include "report/report.h"

namespace whittle {

// A line of a source with what a slice does with it.
struct SourceMark {
  FileId file;
  std::uint32_t line = 0;
  char sign = ' ';     // '+': stays, '-': goes, ' ': declares nothing
  std::string reason;  // why it stays; may be empty
};

class HtmlReport {
 public:
  explicit HtmlReport(ReportStyle style);
  ~HtmlReport();

  // The results in their order, each as soon as it is there.
  void add(const PropertyResult& result, const std::vector<SourceMark>& marks,
           const DrawnSlice& slice);
  // The whole document.
  [[nodiscard]] std::string document(const Sources& sources);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// What is known of a run at any moment, so that the watchdog can write a complete report of it
// while the threads that decide go on and cannot be asked. It keeps verdicts without their
// witnesses: those are terms in pools that others are changing meanwhile.
#pragma once

#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/output.h"
#include "driver/check.h"
#include "report/report.h"

namespace whittle::cli {

class LastReport {
 public:
  LastReport(Output& out, ReportWriter& writer) : out_(out), writer_(writer) {}

  void loaded(const Diagnostics& diagnostics, const Sources& sources);
  void asked(std::span<const PropertyResult> undecided);
  void decided(std::size_t index, const PropertyResult& result);
  // The text of the next result, of which nothing has been written yet.
  void write(std::string_view text);
  // The end of the report; afterwards there is nothing left to write.
  void finish(std::string_view text, ExitCode exit);

  // In the thread of the watchdog: writes what is left and ends the process.
  [[noreturn]] void write_and_exit(Reason::Kind reason);

 private:
  Output& out_;
  ReportWriter& writer_;
  std::timed_mutex mutex_;
  Diagnostics diagnostics_;
  const Sources* sources_ = nullptr;  // null: not loaded
  std::vector<PropertyResult> results_;
  std::vector<bool> decided_;  // by result
  std::size_t written_ = 0;
  std::optional<ExitCode> finished_;
};

// The verdict alone.
[[nodiscard]] PropertyResult without_witness(const PropertyResult& result);

}  // namespace whittle::cli

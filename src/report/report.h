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
#include "ir/network.h"
#include "ir/run/interpreter.h"
#include "ir/verdict.h"

namespace whittle {

// One decided (or undecided) property.
struct PropertyResult {
  std::string file;                  // as the user gave it
  std::shared_ptr<Network> network;  // as parsed
  PropertyId property;
  Verdict verdict;
  std::optional<Replay> replay;    // of the verdict's trace
  std::optional<StepBound> asked;  // by the model, where the command line replaced it

  [[nodiscard]] const Property& question() const { return network->property(property); }
};

// Is the demand met? Empty: it is a question, or nobody knows.
[[nodiscard]] std::optional<bool> met(const PropertyResult& result);

// A demand about more steps than those that were looked at: neither met nor not met.
[[nodiscard]] bool bounded_only(const PropertyResult& result);
// Unknown, or known up to a bound that the model does not ask for.
[[nodiscard]] bool undecided(const PropertyResult& result);
// `holds`, `violated`, ..., or `bounded` where only so much is known.
[[nodiscard]] std::string_view verdict_word(const PropertyResult& result);
// Why it is undecided: the verdict's reason, or what a bound leaves open.
[[nodiscard]] std::string reason(const PropertyResult& result);

// How many steps the verdict is about, to stand after it: " in 3 steps", " within 10 steps", " in
// exactly 7 steps", " between 2 and 4 steps"; empty: any number.
[[nodiscard]] std::string steps_covered(const PropertyResult& result);

struct ReportStyle {
  std::string version;  // of whittle
  Color color = Color::Off;
  std::size_t width = 80;       // columns of the text format
  bool full_trace = false;      // the text format cuts long traces otherwise
  bool full_invariant = false;  // and shows only some lines of an invariant
  bool quiet = false;           // one line per property
  bool verbose = false;         // statistics, too
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

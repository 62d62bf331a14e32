// SPDX-License-Identifier: Apache-2.0
#include "cli/last_report.h"

#include <fmt/format.h>
#include <unistd.h>

namespace whittle::cli {

void LastReport::loaded(const Diagnostics& diagnostics, const Sources& sources) {
  const std::scoped_lock lock(mutex_);
  diagnostics_ = diagnostics;
  sources_ = &sources;
}

void LastReport::asked(std::span<const PropertyResult> undecided) {
  const std::scoped_lock lock(mutex_);
  results_.assign(undecided.begin(), undecided.end());
  decided_.assign(results_.size(), false);
}

void LastReport::decided(std::size_t index, const PropertyResult& result) {
  const std::scoped_lock lock(mutex_);
  results_[index] = without_witness(result);
  decided_[index] = true;
}

void LastReport::write(std::string_view text) {
  const std::scoped_lock lock(mutex_);
  ++written_;
  out_.write(text);
  out_.flush();
}

void LastReport::finish(std::string_view text, ExitCode exit) {
  const std::scoped_lock lock(mutex_);
  out_.write(text);
  out_.flush();
  finished_ = exit;
}

void LastReport::write_and_exit(Reason::Kind reason) {
  // Somebody who writes may wait for the reader of the output.
  const std::unique_lock lock(mutex_, std::chrono::milliseconds(200));
  if (!lock.owns_lock()) ::_exit(static_cast<int>(ExitCode::Undecided));
  if (finished_) ::_exit(static_cast<int>(*finished_));
  try {
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (!decided_[i]) results_[i].verdict.found = Undecided{{reason}};
    }
    if (sources_ == nullptr) {
      diagnostics_.report("cli-010", {},
                          fmt::format("{} while the model was loaded", to_string(reason)),
                          "raise the limit");
    }
    const Sources none;
    for (std::size_t i = written_; i < results_.size(); ++i)
      out_.write(writer_.result(results_[i]));
    out_.write(writer_.finish(results_, diagnostics_, sources_ != nullptr ? *sources_ : none));
    out_.flush();
    if (sources_ == nullptr) {
      const std::string text = render(diagnostics_, none, Color::Off);
      [[maybe_unused]] const ssize_t done = ::write(STDERR_FILENO, text.data(), text.size());
    }
  } catch (...) {
    // There is no memory to say more, or nobody who reads it.
  }
  const ExitCode known = exit_code_of(results_);
  ::_exit(static_cast<int>(results_.empty() ? ExitCode::Undecided : known));
}

PropertyResult without_witness(const PropertyResult& result) {
  PropertyResult light;
  light.file = result.file;
  light.network = result.network;
  light.property = result.property;
  light.asked = result.asked;
  light.excused = result.excused;
  light.text = result.text;
  light.line = result.line;
  light.notes = result.notes;
  light.verdict = result.verdict;
  light.verdict.witness.witness_omitted =
      result.verdict.trace() != nullptr || result.verdict.invariant().valid();
  if (auto* found = std::get_if<TraceFound>(&light.verdict.found)) found->trace.reset();
  if (auto* none = std::get_if<NoTrace>(&light.verdict.found)) {
    if (auto* proof = std::get_if<Inductive>(&none->why)) proof->invariant = Expr();
  }
  return light;
}

}  // namespace whittle::cli

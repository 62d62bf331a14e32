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
}

void LastReport::decided(std::size_t index, const PropertyResult& result) {
  const std::scoped_lock lock(mutex_);
  results_[index] = without_witness(result);
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
    for (PropertyResult& result : results_) {
      if (result.verdict.kind != VerdictKind::Unknown || !result.verdict.reason.empty()) continue;
      result.verdict.reason = to_string(reason);
      result.verdict.unknown = reason;
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
  light.verdict = result.verdict;
  light.verdict.trace.reset();
  light.verdict.invariant = Expr();
  if (result.verdict.trace || result.verdict.invariant.valid())
    light.verdict.witness.by += "; not shown, because the time was over";
  return light;
}

}  // namespace whittle::cli

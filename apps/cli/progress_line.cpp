// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/text.h"
#include "cli/terminal.h"

namespace whittle::cli {

namespace {

constexpr std::string_view kBackAndErase = "\r\x1b[K";

void write(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

void ProgressLine::on_progress(const ProgressEvent& event) {
  if (!enabled_) return;
  const std::scoped_lock lock(mutex_);
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  std::string text(event.property);
  if (!event.engine.empty()) text += fmt::format("  {}", event.engine);
  if (event.depth) text += fmt::format("  depth {}", *event.depth);
  text += fmt::format("  {:.1f} s", event.seconds);
  // A line that wraps could not be erased.
  const std::size_t width = terminal_width(STDERR_FILENO) - 1;
  write(std::string(kBackAndErase) + ellipsized(text, width));
  visible_ = true;
}

void ProgressLine::clear() {
  const std::scoped_lock lock(mutex_);
  if (visible_) write(kBackAndErase);
  visible_ = false;
}

}  // namespace whittle::cli

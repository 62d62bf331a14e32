// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <cstdio>
#include <mutex>

#include "base/text.h"

namespace whittle {

struct Logger::Output {
  Sink sink;
  std::mutex turn;
};

Logger::Logger(LogLevel level, Sink sink)
    : level_(level), output_(std::make_shared<Output>(std::move(sink))) {}

void Logger::deliver(LogLevel level, std::string_view text) {
  if (!output_ || !output_->sink) return;
  const std::scoped_lock lock(output_->turn);
  output_->sink(level, text);
}

Logger::Sink stderr_sink() {
  return [](LogLevel level, std::string_view text) {
    const std::string line = fmt::format(
        "whittle: {}{}\n", level == LogLevel::Warning ? "warning: " : "", safe_text(text, true));
    // Whether stderr can be written to is nobody's business here.
    std::fwrite(line.data(), 1, line.size(), stderr);
  };
}

}  // namespace whittle

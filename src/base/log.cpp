// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <cstdio>

#include "base/text.h"

namespace whittle {

void Logger::deliver(LogLevel level, std::string_view text) {
  const std::scoped_lock lock(mutex_);
  if (sink_) sink_(level, text);
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

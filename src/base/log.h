// SPDX-License-Identifier: Apache-2.0
// What whittle says about its own work, for --verbose and --record. A logger is passed by
// reference; there is no global one. The text is only formatted if somebody wants it.
//
//   log.debug("depth {}: {} clauses", depth, clauses);
#pragma once

#include <fmt/core.h>

#include <functional>
#include <memory>
#include <string_view>

namespace whittle {

enum class LogLevel { Off, Warning, Info, Debug, Trace };

class Logger {
 public:
  using Sink = std::function<void(LogLevel, std::string_view)>;

  // A logger that says nothing.
  Logger() = default;
  Logger(LogLevel level, Sink sink);

  [[nodiscard]] bool enabled(LogLevel level) const { return level <= level_; }

  template <class... Args>
  void warning(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::Warning)) write(LogLevel::Warning, format, std::forward<Args>(args)...);
  }
  template <class... Args>
  void info(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::Info)) write(LogLevel::Info, format, std::forward<Args>(args)...);
  }
  template <class... Args>
  void debug(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::Debug)) write(LogLevel::Debug, format, std::forward<Args>(args)...);
  }
  template <class... Args>
  void trace(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::Trace)) write(LogLevel::Trace, format, std::forward<Args>(args)...);
  }

 private:
  template <class... Args>
  void write(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
    deliver(level, fmt::format(format, std::forward<Args>(args)...));
  }
  void deliver(LogLevel level, std::string_view text);

  struct Output;  // the sink, one line at a time
  LogLevel level_ = LogLevel::Off;
  std::shared_ptr<Output> output_;  // empty if nothing is said
};

// Writes "whittle: text" lines to stderr.
[[nodiscard]] Logger::Sink stderr_sink();

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// A limit on the processor time of this process: what else the machine has to do makes no
// difference.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/env.h"

namespace whittle {

// From construction to destruction. Whoever works under it is told to stop through a token that
// is set when the time is over, and when `outer` is.
class ProcessorLimit {
 public:
  ProcessorLimit(std::chrono::milliseconds time, CancelToken outer);
  ~ProcessorLimit();
  ProcessorLimit(const ProcessorLimit&) = delete;
  ProcessorLimit& operator=(const ProcessorLimit&) = delete;

  [[nodiscard]] bool reached() const { return reached_; }
  [[nodiscard]] CancelToken token() const { return token_; }
  // The same environment under this limit.
  [[nodiscard]] Env applied(const Env& env) const;

 private:
  CancelToken token_;
  std::atomic<bool> reached_ = false;
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread watcher_;
};

}  // namespace whittle

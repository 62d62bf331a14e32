// SPDX-License-Identifier: Apache-2.0
// A worker: a function that runs in a process of its own, with its own limits, and hands back
// bytes. Whatever a solver does there (crash, run out of memory, hang) costs the worker and nothing
// else. Workers end with their parent.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace whittle {

struct WorkerLimits {
  std::optional<std::uint64_t> memory_mb;
};

class Worker {
 public:
  // Starts it. Throws ResourceError if the system gives no process.
  Worker(std::string name, const std::function<std::string()>& work, const WorkerLimits& limits);
  // Ends it if it still runs.
  ~Worker();
  Worker(Worker&& other) noexcept;
  Worker& operator=(Worker&& other) noexcept;
  Worker(const Worker&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int descriptor() const { return pipe_; }
  // Takes what has arrived; false once the worker has closed its end.
  bool read_some();
  // After read_some said false: the bytes, or how it died ("was killed by signal 9").
  struct Outcome {
    std::optional<std::string> bytes;
    std::string death;
  };
  [[nodiscard]] Outcome finish();

 private:
  std::string name_;
  pid_t process_ = -1;
  int pipe_ = -1;
  std::string received_;
};

// Waits until one of them has something to say or the time (in milliseconds) is over; the indices
// of those that have.
[[nodiscard]] std::vector<std::size_t> wait_for(const std::vector<Worker>& workers,
                                                int milliseconds);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// A worker: a function that runs in a process of its own, with its own limits, and hands back
// bytes. Whatever a solver does there (crash, run out of memory, hang) costs the worker and nothing
// else. Workers end with their parent.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whittle {

struct WorkerLimits {
  std::optional<std::uint64_t> memory_mb;
};

// Where work in another process reports its progress.
using ProgressSink = std::function<void(std::string_view)>;
using WorkerWork = std::function<std::string(const ProgressSink& report)>;

class Worker {
 public:
  // Starts it. Throws ResourceError if the system gives no process.
  Worker(std::string name, const WorkerWork& work, const WorkerLimits& limits);
  // Ends it if it still runs.
  ~Worker();
  Worker(Worker&& other) noexcept;
  Worker& operator=(Worker&& other) noexcept;
  Worker(const Worker&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int descriptor() const { return pipe_; }
  // Takes what has arrived; false once the worker has closed its end.
  bool read_some();
  // Its last report since this was asked; empty: nothing new.
  [[nodiscard]] std::optional<std::string> take_report();
  // Stops where it is; goes on.
  void stop() const;
  void resume() const;
  // What it has used so far.
  [[nodiscard]] std::chrono::nanoseconds processor_time() const;
  // After read_some returned false: the bytes, or why it ended ("was killed by signal 9").
  struct Outcome {
    std::optional<std::string> bytes;
    std::string exit_reason;
    bool killed = false;           // it may do better the next time
    bool crashed = false;          // by itself
    std::uint64_t peak_bytes = 0;  // of memory
  };
  [[nodiscard]] Outcome finish();

 private:
  std::string name_;
  pid_t process_ = -1;
  int pipe_ = -1;
  std::string received_;  // the beginning of a message
  std::optional<std::string> report_;
  std::optional<std::string> done_;
  std::optional<std::string> failed_;
};

// The workers of this process that run now.
[[nodiscard]] std::vector<pid_t> worker_processes();
// Ends one of them; its outcome is that memory ran out.
void end_worker_for_memory(pid_t process);

// Waits until one of them has sent something or the time (in milliseconds) is over; the indices
// of those that have.
[[nodiscard]] std::vector<std::size_t> wait_for(std::span<const Worker* const> workers,
                                                int milliseconds);

}  // namespace whittle

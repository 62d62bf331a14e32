// SPDX-License-Identifier: Apache-2.0
// The last resort for limits: a thread that looks, a hundred times a second, whether something has
// gone on for too long or whether this process and its workers use too much memory. Work that keeps
// its limits itself never meets it. What it does then:
//
//   time     the process is ended, after whoever made the watchdog has said what is known
//   memory   the largest worker is ended; if there is none, the work that goes on here is told to
//            stop, and if that does not help at once, the process is ended
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <thread>

#include "base/deadline.h"

namespace whittle {

class Watchdog {
 public:
  // Called in the thread of the watchdog, with "timeout" or "memory"; does not return. The other
  // threads go on meanwhile.
  using LastResort = std::function<void(Reason::Kind reason)>;

  Watchdog(std::optional<std::uint64_t> memory_bytes, LastResort last_resort);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // Work that must have ended by then. `cancel` is how it is told to stop where memory runs out.
  class Guard {
   public:
    // `watchdog` may be null.
    Guard(Watchdog* watchdog, Deadline end, CancelToken cancel);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    struct Entry {
      Deadline end;
      CancelToken cancel;
    };
    friend class Watchdog;
    Watchdog* watchdog_;
    std::list<Entry>::iterator entry_;
  };

 private:
  void run();
  // True: something was done about it, or nothing has to be.
  [[nodiscard]] bool memory_suffices();

  const std::optional<std::uint64_t> memory_;
  const LastResort last_resort_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::list<Guard::Entry> guards_;
  std::optional<Clock::time_point> short_since_;  // of memory, with no worker to end
  std::thread thread_;
};

}  // namespace whittle

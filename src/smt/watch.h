// SPDX-License-Identifier: Apache-2.0
// Ends solver calls that take too long: one thread per process looks at all running calls every
// few milliseconds and interrupts those whose deadline passed or whose token was set. Interrupts
// are repeated until the call ends, because a solver drops one that comes before its search.
// The solvers' own timers are not used: they differ, and Z3's thread pool does not survive fork.
#pragma once

#include <atomic>
#include <functional>

#include "base/deadline.h"

namespace whittle::smt {

// Watches from construction to destruction.
class Watch {
 public:
  enum class Cause : std::uint8_t { None, Timeout, Interrupted };

  // `requested`: another way to ask for the interrupt; may be null.
  Watch(Deadline deadline, CancelToken cancel, const std::atomic<bool>* requested,
        std::function<void()> interrupt);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Why the call was interrupted, if it was.
  [[nodiscard]] Cause cause() const { return cause_; }

 private:
  friend class InterruptThread;
  Deadline deadline_;
  CancelToken cancel_;
  const std::atomic<bool>* requested_;
  std::function<void()> interrupt_;
  std::atomic<Cause> cause_ = Cause::None;
};

}  // namespace whittle::smt

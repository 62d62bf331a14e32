// SPDX-License-Identifier: Apache-2.0
// Limits that hold for whatever a thread does. Loops that all work goes through (making terms,
// walking them, reading tokens) pass a checkpoint; once a limit of the innermost scope is reached,
// the checkpoint throws. So no step of the pipeline has to know about deadlines to keep them.
#pragma once

#include <cstdint>

#include "base/deadline.h"
#include "base/error.h"

namespace whittle {

// Thrown by a checkpoint.
class LimitReached : public ResourceError {
 public:
  explicit LimitReached(Reason::Kind kind) : ResourceError(Reason{kind}) {}
};

// The limits of this thread while it lives, instead of those of the scope around it. A process that
// is forked has the scope of the thread that forked it.
class LimitScope {
 public:
  LimitScope(Deadline deadline, CancelToken cancel);
  ~LimitScope();
  LimitScope(const LimitScope&) = delete;
  LimitScope& operator=(const LimitScope&) = delete;

  void look() const;

 private:
  Deadline deadline_;
  CancelToken cancel_;
  const LimitScope* outer_;
};

namespace checkpoint_detail {

struct State {
  const LimitScope* scope = nullptr;
  std::uint32_t passed = 0;
};
inline constinit thread_local State state;

}  // namespace checkpoint_detail

// About a microsecond of work is between two of them, or so many times more as `weight` says.
inline void checkpoint(std::uint32_t weight = 1) {
  constexpr std::uint32_t kPerLook = 512;
  auto& state = checkpoint_detail::state;
  state.passed += weight;
  if (state.passed < kPerLook) return;
  state.passed = 0;
  if (state.scope != nullptr) state.scope->look();
}

}  // namespace whittle

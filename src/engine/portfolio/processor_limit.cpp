// SPDX-License-Identifier: Apache-2.0
#include "engine/portfolio/processor_limit.h"

#include <ctime>

namespace whittle {

namespace {

constexpr std::chrono::milliseconds kPeriod{4};

std::chrono::nanoseconds processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

ProcessorLimit::ProcessorLimit(std::chrono::milliseconds time, CancelToken outer)
    : watcher_([this, outer = std::move(outer), end = processor_time() + time] {
        std::unique_lock lock(mutex_);
        while (!wake_.wait_for(lock, kPeriod, [this] { return over_; })) {
          reached_ = processor_time() >= end;
          if (!reached_ && !outer.cancelled()) continue;
          token_.cancel(reached_ ? Reason::Kind::Interrupted : outer.reason());
          return;
        }
      }) {}

ProcessorLimit::~ProcessorLimit() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  wake_.notify_one();
  watcher_.join();
}

Env ProcessorLimit::applied(const Env& env) const {
  smt::Limits limits = env.solvers.settings().limits;
  limits.cancel = token_;
  Env result = env;
  result.solvers = env.solvers.with(limits);
  result.cancel = token_;
  return result;
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// How long work may go on, and a way to stop it from outside.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <optional>

namespace whittle {

using Clock = std::chrono::steady_clock;

// Processor time of this process so far. Other work on the machine does not count.
[[nodiscard]] inline std::chrono::nanoseconds processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

class Deadline {
 public:
  static Deadline never() { return Deadline(); }
  static Deadline after(std::chrono::milliseconds time) {
    Deadline d;
    d.at_ = Clock::now() + time;
    return d;
  }
  // Of this process; means nothing in a child.
  static Deadline after_processor_time(std::chrono::milliseconds time) {
    Deadline d;
    d.processor_ = processor_time() + time;
    return d;
  }
  [[nodiscard]] bool passed() const {
    return (at_ && Clock::now() >= *at_) || (processor_ && processor_time() >= *processor_);
  }
  // Empty when there is no limit; never negative.
  [[nodiscard]] std::optional<std::chrono::milliseconds> remaining() const {
    using std::chrono::milliseconds;
    std::optional<milliseconds> left;
    if (at_) left = std::chrono::duration_cast<milliseconds>(*at_ - Clock::now());
    if (processor_) {
      const auto work = std::chrono::duration_cast<milliseconds>(*processor_ - processor_time());
      left = left ? std::min(*left, work) : work;
    }
    if (left && left->count() < 0) return milliseconds(0);
    return left;
  }
  // Whichever passes first.
  [[nodiscard]] Deadline earlier(Deadline other) const {
    Deadline result = *this;
    if (!at_ || (other.at_ && *other.at_ < *at_)) result.at_ = other.at_;
    if (!processor_ || (other.processor_ && *other.processor_ < *processor_)) {
      result.processor_ = other.processor_;
    }
    return result;
  }

 private:
  std::optional<Clock::time_point> at_;
  std::optional<std::chrono::nanoseconds> processor_;
};

// Copies share one flag. Setting it is safe from another thread and from a signal handler.
class CancelToken {
 public:
  CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  void cancel() const { flag_->store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool cancelled() const { return flag_->load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> flag_;
};

}  // namespace whittle

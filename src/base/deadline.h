// SPDX-License-Identifier: Apache-2.0
// How long work may go on, and a way to stop it from outside.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

namespace whittle {

using Clock = std::chrono::steady_clock;

class Deadline {
 public:
  static Deadline never() { return Deadline(); }
  static Deadline after(std::chrono::milliseconds time) {
    Deadline d;
    d.at_ = Clock::now() + time;
    return d;
  }
  [[nodiscard]] bool passed() const { return at_ && Clock::now() >= *at_; }
  // Empty when there is no limit; never negative.
  [[nodiscard]] std::optional<std::chrono::milliseconds> remaining() const {
    if (!at_) return std::nullopt;
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*at_ - Clock::now());
    return left.count() < 0 ? std::chrono::milliseconds(0) : left;
  }
  [[nodiscard]] Deadline earlier(Deadline other) const {
    if (!at_) return other;
    if (!other.at_) return *this;
    return *at_ < *other.at_ ? *this : other;
  }

 private:
  std::optional<Clock::time_point> at_;
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

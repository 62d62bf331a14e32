// SPDX-License-Identifier: Apache-2.0
// How long work may go on, and a way to stop it from outside.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "base/reason.h"

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
  // So much later; never stays never.
  [[nodiscard]] Deadline plus(std::chrono::milliseconds time) const {
    Deadline d;
    if (at_) d.at_ = *at_ + time;
    return d;
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
  CancelToken() : state_(std::make_shared<State>()) {}
  // Cancelled also when the outer one is.
  [[nodiscard]] static CancelToken within(const CancelToken& outer) {
    CancelToken result;
    result.state_->outer = outer.state_;
    return result;
  }
  void cancel(Reason::Kind reason = Reason::Kind::Interrupted) const {
    state_->reason.store(static_cast<std::uint8_t>(reason), std::memory_order_relaxed);
  }
  [[nodiscard]] bool cancelled() const { return why(*state_) != kGoOn; }
  // requires: cancelled
  [[nodiscard]] Reason::Kind reason() const { return static_cast<Reason::Kind>(why(*state_)); }

 private:
  static constexpr std::uint8_t kGoOn = UINT8_MAX;
  struct State {
    std::atomic<std::uint8_t> reason = kGoOn;  // a Reason::Kind
    std::shared_ptr<const State> outer;
  };
  static std::uint8_t why(const State& state) {
    const std::uint8_t own = state.reason.load(std::memory_order_relaxed);
    return own != kGoOn || state.outer == nullptr ? own : why(*state.outer);
  }

  std::shared_ptr<State> state_;
};

}  // namespace whittle

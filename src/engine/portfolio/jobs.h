// SPDX-License-Identifier: Apache-2.0
// How many things happen at the same time. Work inside this process is done by one question at a
// time, because terms belong to pools that several questions share: whoever has the turn works, and
// whoever waits for worker processes lets others go on. The places for worker processes are shared
// evenly among the questions that race.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace whittle {

class Jobs {
 public:
  // 0: one per processor.
  explicit Jobs(unsigned places)
      : places_(places > 0 ? places : std::max(1U, std::thread::hardware_concurrency())) {}

  [[nodiscard]] unsigned places() const { return places_; }

  // The turn to work in this process, while it lives.
  class Turn {
   public:
    explicit Turn(Jobs& jobs) : lock_(jobs.turn_) {}

   private:
    std::scoped_lock<std::mutex> lock_;
  };
  // requires: this thread has the turn. Gives it away while it lives.
  class Pause {
   public:
    explicit Pause(Jobs* jobs) : jobs_(jobs) {
      if (jobs_ != nullptr) jobs_->turn_.unlock();
    }
    ~Pause() {
      if (jobs_ != nullptr) jobs_->turn_.lock();
    }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    Jobs* jobs_;
  };
  // A question that races, while it lives.
  class Share {
   public:
    explicit Share(Jobs& jobs) : jobs_(jobs) { ++jobs_.racing_; }
    ~Share() { --jobs_.racing_; }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    // How many workers it may have at the moment.
    [[nodiscard]] unsigned places() const {
      return std::max(1U, jobs_.places_ / std::max(1U, jobs_.racing_.load()));
    }

   private:
    Jobs& jobs_;
  };

 private:
  const unsigned places_;
  std::mutex turn_;
  std::atomic<unsigned> racing_ = 0;
};

}  // namespace whittle

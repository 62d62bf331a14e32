// SPDX-License-Identifier: Apache-2.0
#include "smt/watch.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace whittle::smt {

// The thread and its list. Never destroyed: the thread may outlive main's locals. A child of fork
// has the list but not the thread, and perhaps a locked mutex, so it starts with a new one.
class InterruptThread {
 public:
  static InterruptThread& instance() {
    static std::atomic<InterruptThread*> current = nullptr;
    InterruptThread* thread = current.load();
    while (thread == nullptr || thread->owner_ != getpid()) {
      auto* fresh = new InterruptThread();
      if (current.compare_exchange_strong(thread, fresh)) {
        std::thread([fresh] { fresh->run(); }).detach();
        return *fresh;
      }
      delete fresh;
    }
    return *thread;
  }

  void enter(Watch* watch) {
    std::lock_guard lock(mutex_);
    watches_.push_back(watch);
    if (asleep_) wake_.notify_one();
  }

  void leave(Watch* watch) {
    std::lock_guard lock(mutex_);
    std::erase(watches_, watch);
  }

 private:
  static constexpr std::chrono::milliseconds kPeriod{5};
  static constexpr int kIdlePeriods = 20;  // awake so long without work: checks are often short

  void run() {
    std::unique_lock lock(mutex_);
    int idle = 0;
    for (;;) {
      idle = watches_.empty() ? idle + 1 : 0;
      if (idle > kIdlePeriods) {
        asleep_ = true;
        wake_.wait(lock, [this] { return !watches_.empty(); });
        asleep_ = false;
        idle = 0;
      }
      for (Watch* watch : watches_) look_at(*watch);
      lock.unlock();
      std::this_thread::sleep_for(kPeriod);
      lock.lock();
    }
  }

  static void look_at(Watch& watch) {
    bool asked =
        watch.cancel_.cancelled() || (watch.requested_ != nullptr && watch.requested_->load());
    if (watch.cause_ == Watch::Cause::None) {
      if (asked)
        watch.cause_ = Watch::Cause::Interrupted;
      else if (watch.deadline_.passed())
        watch.cause_ = Watch::Cause::Timeout;
    }
    if (watch.cause_ != Watch::Cause::None) watch.interrupt_();
  }

  pid_t owner_ = getpid();
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Watch*> watches_;
  bool asleep_ = false;
};

Watch::Watch(Deadline deadline, CancelToken cancel, const std::atomic<bool>* requested,
             std::function<void()> interrupt)
    : deadline_(deadline),
      cancel_(std::move(cancel)),
      requested_(requested),
      interrupt_(std::move(interrupt)) {
  InterruptThread::instance().enter(this);
}

Watch::~Watch() { InterruptThread::instance().leave(this); }

}  // namespace whittle::smt

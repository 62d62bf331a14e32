// SPDX-License-Identifier: Apache-2.0
#include "base/watchdog.h"

#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <string_view>
#include <utility>

#include "base/memory.h"
#include "base/worker.h"

namespace whittle {

namespace {

// Loading takes up to a megabyte per millisecond.
constexpr std::chrono::milliseconds kPeriod{10};
// Memory is short from this share of the limit on: work that is told to stop has so long, and the
// rest of the limit.
constexpr double kShort = 0.9;
constexpr std::chrono::milliseconds kTimeToStop{300};

}  // namespace

Watchdog::Watchdog(std::optional<std::uint64_t> memory_bytes, LastResort last_resort)
    : memory_(memory_bytes), last_resort_(std::move(last_resort)), thread_([this] { run(); }) {}

Watchdog::~Watchdog() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Watchdog::run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kPeriod, [this] { return over_; })) {
    std::optional<Reason::Kind> reason;
    for (const Guard::Entry& guard : guards_) {
      if (guard.end.passed()) reason = Reason::Kind::Timeout;
    }
    if (!reason && memory_ && !memory_suffices()) reason = Reason::Kind::Memory;
    if (!reason) continue;
    lock.unlock();
    last_resort_(*reason);
    lock.lock();
  }
}

bool Watchdog::memory_suffices() {
  const std::vector<pid_t> workers = worker_processes();
  // Resident memory counts what processes share for each of them; it is quick to ask for.
  std::uint64_t resident = resident_bytes();
  for (pid_t worker : workers) resident += tree_bytes(worker, MemoryKind::Resident);
  const auto enough = static_cast<std::uint64_t>(kShort * static_cast<double>(*memory_));
  if (resident <= enough) {
    short_since_.reset();
    return true;
  }
  std::uint64_t all = memory_bytes(::getpid(), MemoryKind::Proportional);
  const std::uint64_t own = all;
  std::uint64_t most = 0;
  pid_t largest = -1;
  for (pid_t worker : workers) {
    const std::uint64_t bytes = tree_bytes(worker, MemoryKind::Proportional);
    all += bytes;
    if (bytes > most) {
      most = bytes;
      largest = worker;
    }
  }
  if (all <= enough) {
    short_since_.reset();
    return true;
  }
  if (largest > 0) {
    end_worker_for_memory(largest);
    return true;
  }
  for (const Guard::Entry& guard : guards_) guard.cancel.cancel(Reason::Kind::Memory);
  const Clock::time_point now = Clock::now();
  if (!short_since_) short_since_ = now;
  return own < *memory_ && now - *short_since_ < kTimeToStop;
}

Watchdog::Guard::Guard(Watchdog* watchdog, Deadline end, CancelToken cancel) : watchdog_(watchdog) {
  if (watchdog_ == nullptr) return;
  const std::scoped_lock lock(watchdog_->mutex_);
  entry_ = watchdog_->guards_.insert(watchdog_->guards_.end(), {end, std::move(cancel)});
}

Watchdog::Guard::~Guard() {
  if (watchdog_ == nullptr) return;
  bool full = false;
  {
    const std::scoped_lock lock(watchdog_->mutex_);
    full = entry_->cancel.cancelled() && entry_->cancel.reason() == Reason::Kind::Memory;
    watchdog_->guards_.erase(entry_);
  }
  // What the next one needs is free, but still counted.
  if (full) ::malloc_trim(0);
}

}  // namespace whittle

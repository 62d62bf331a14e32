// SPDX-License-Identifier: Apache-2.0
// Counters and timers. Each class declares its own in a nested struct; the registry owns the
// storage, so that the figures outlive the class, and prints them without knowing any of them.
//
//   class Bmc {
//     struct Counts {
//       explicit Counts(Statistics& all)
//           : solver_calls(all.counter("bmc.solver_calls")), solving(all.timer("bmc.solving")) {}
//       Counter& solver_calls;
//       Timer& solving;
//     } counts_;
//   };
//   ++counts_.solver_calls;
//   auto timing = counts_.solving.measure();   // until the end of the scope
//
// Counting is safe from several threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>

namespace whittle {

class Counter {
 public:
  Counter& operator++() { return *this += 1; }
  Counter& operator+=(std::uint64_t amount) {
    value_.fetch_add(amount, std::memory_order_relaxed);
    return *this;
  }
  // For maxima ("deepest", "largest").
  void raise_to(std::uint64_t value);
  [[nodiscard]] std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

class Timer {
 public:
  class Measurement {
   public:
    explicit Measurement(Timer& timer);
    ~Measurement();
    Measurement(const Measurement&) = delete;
    Measurement& operator=(const Measurement&) = delete;

   private:
    Timer& timer_;
    std::chrono::steady_clock::time_point start_;
  };

  [[nodiscard]] Measurement measure() { return Measurement(*this); }
  void add(std::chrono::nanoseconds time) {
    nanoseconds_.fetch_add(time.count(), std::memory_order_relaxed);
  }
  [[nodiscard]] double seconds() const {
    return static_cast<double>(nanoseconds_.load(std::memory_order_relaxed)) * 1e-9;
  }

 private:
  std::atomic<std::int64_t> nanoseconds_ = 0;
};

class Statistics {
 public:
  // A count, or seconds.
  using Value = std::variant<std::uint64_t, double>;

  // The counter or timer of that name, made at the first call: two instances of a class add up.
  // A name is either a counter or a timer. The references live as long as the registry.
  Counter& counter(std::string_view name);
  Timer& timer(std::string_view name);

  // All figures by name, for JSON and for sending from a worker.
  [[nodiscard]] std::map<std::string, Value> values() const;
  // Adds what a worker measured.
  void add(const std::map<std::string, Value>& values);
  // One line per figure that is not zero, aligned: "bmc.solver_calls   23".
  [[nodiscard]] std::string to_text() const;

 private:
  mutable std::mutex mutex_;  // guards the maps, not the figures
  std::map<std::string, Counter, std::less<>> counters_;
  std::map<std::string, Timer, std::less<>> timers_;
};

}  // namespace whittle

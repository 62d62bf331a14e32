// SPDX-License-Identifier: Apache-2.0
#include "base/statistics.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace whittle {

void Counter::raise_to(std::uint64_t value) {
  std::uint64_t current = value_.load(std::memory_order_relaxed);
  while (current < value &&
         !value_.compare_exchange_weak(current, value, std::memory_order_relaxed)) {
  }
}

Timer::Measurement::Measurement(Timer& timer)
    : timer_(timer), start_(std::chrono::steady_clock::now()) {}

Timer::Measurement::~Measurement() { timer_.add(std::chrono::steady_clock::now() - start_); }

Counter& Statistics::counter(std::string_view name) {
  const std::scoped_lock lock(mutex_);
  WHITTLE_REQUIRE(timers_.find(name) == timers_.end(),
                  fmt::format("statistic '{}' is a timer", name));
  return counters_.try_emplace(std::string(name)).first->second;
}

Timer& Statistics::timer(std::string_view name) {
  const std::scoped_lock lock(mutex_);
  WHITTLE_REQUIRE(counters_.find(name) == counters_.end(),
                  fmt::format("statistic '{}' is a counter", name));
  return timers_.try_emplace(std::string(name)).first->second;
}

std::map<std::string, Statistics::Value> Statistics::values() const {
  const std::scoped_lock lock(mutex_);
  std::map<std::string, Value> result;
  for (const auto& [name, counter] : counters_) result.emplace(name, counter.value());
  for (const auto& [name, timer] : timers_) result.emplace(name, timer.seconds());
  return result;
}

void Statistics::add(const std::map<std::string, Value>& values) {
  for (const auto& [name, value] : values) {
    if (const auto* count = std::get_if<std::uint64_t>(&value)) {
      counter(name) += *count;
    } else {
      timer(name).add(std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::duration<double>(std::get<double>(value))));
    }
  }
}

std::string Statistics::to_text() const {
  const auto figures = values();
  std::size_t width = 0;
  for (const auto& [name, value] : figures) width = std::max(width, name.size());
  std::string out;
  for (const auto& [name, value] : figures) {
    if (const auto* count = std::get_if<std::uint64_t>(&value)) {
      if (*count != 0) out += fmt::format("{:<{}}  {}\n", name, width, *count);
    } else if (std::get<double>(value) != 0) {
      out += fmt::format("{:<{}}  {:.3f} s\n", name, width, std::get<double>(value));
    }
  }
  return out;
}

}  // namespace whittle

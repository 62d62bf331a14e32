// SPDX-License-Identifier: Apache-2.0
// A solver that adds up its calls and their time, together with all others of a run.
#pragma once

#include <atomic>
#include <memory>

#include "smt/solver.h"

namespace whittle::smt {

struct CallCounts {
  std::uint64_t solvers = 0;
  std::uint64_t checks = 0;
  std::uint64_t sat = 0;
  std::uint64_t unsat = 0;
  std::uint64_t unknown = 0;
  std::chrono::nanoseconds time{0};

  // What was added since `before`.
  [[nodiscard]] CallCounts since(const CallCounts& before) const;
};

// Shared by the solvers of a run, which may work in several threads.
class CallCounter {
 public:
  void add_solver() { ++solvers_; }
  void add_check(Answer answer, std::chrono::nanoseconds time);
  // For calls that were counted elsewhere, in a worker process, say.
  void add(const CallCounts& counts);
  [[nodiscard]] CallCounts counts() const;

 private:
  std::atomic<std::uint64_t> solvers_ = 0;
  std::atomic<std::uint64_t> sat_ = 0;
  std::atomic<std::uint64_t> unsat_ = 0;
  std::atomic<std::uint64_t> unknown_ = 0;
  std::atomic<std::int64_t> nanoseconds_ = 0;
};

[[nodiscard]] std::unique_ptr<Solver> counted(std::unique_ptr<Solver> solver,
                                              std::shared_ptr<CallCounter> counter);

}  // namespace whittle::smt

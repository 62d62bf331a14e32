// SPDX-License-Identifier: Apache-2.0
// How to stop PPL. One operation on polyhedra can take exponential time and looks at no clock, but
// it asks at many places of its loops whether to abandon the computation: while a `WatchedWork`
// exists, it asks that.
#pragma once

#include <cstdint>
#include <functional>
#include <ppl.hh>

namespace whittle::absint {

// Thrown out of PPL and out of the loops around it. What was being computed is only fit to be
// destroyed.
struct Abandoned {
  bool too_expensive = false;  // the effort was used up; otherwise: told to stop
};

// From construction to destruction, in the thread that made it; may be nested. PPL keeps a single
// pointer for all threads, so only one of them may compute at a time (PPL 1.2 demands that anyway).
class WatchedWork final : public Parma_Polyhedra_Library::Throwable {
 public:
  // `effort`: after so many looks the work is too expensive, on every machine alike.
  explicit WatchedWork(const std::function<bool()>& stop, std::uint64_t effort = UINT64_MAX);
  ~WatchedWork() override;
  WatchedWork(const WatchedWork&) = delete;
  WatchedWork& operator=(const WatchedWork&) = delete;

  // Throws Abandoned if it is time; for PPL and for loops of our own.
  void throw_me() const override;

 private:
  const std::function<bool()>& stop_;
  std::uint64_t effort_;
  mutable std::uint64_t looks_ = 0;
  const Throwable* outer_;
};

// Asks whatever WatchedWork there is. For work between the calls of PPL.
inline void look_whether_to_abandon() { Parma_Polyhedra_Library::maybe_abandon(); }

}  // namespace whittle::absint

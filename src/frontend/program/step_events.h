// SPDX-License-Identifier: Apache-2.0
// The events of one step of a program: one for each path through it, all named after its text.
#pragma once

#include <string>

#include "frontend/program/path.h"
#include "ir/network.h"

namespace whittle::program {

class StepEvents {
 public:
  // Each branch inside a step doubles its paths; there are fewer than so many.
  static constexpr std::size_t kMaxEvents = 4096;

  StepEvents(Network& network, MachineId machine, std::string name, Span origin)
      : network_(network), machine_(machine), name_(std::move(name)), origin_(origin) {}

  // Adds the event of a path, unless the path is impossible. False: there are too many, for the
  // first time.
  bool emit(LocationId from, LocationId to, const Path& path, std::string_view suffix);
  // Whether it makes sense to go on.
  [[nodiscard]] bool full() const { return count_ >= kMaxEvents; }

 private:
  Network& network_;
  MachineId machine_;
  std::string name_;
  Span origin_;
  std::size_t count_ = 0;
};

// The text of an instruction on one line, as a name.
[[nodiscard]] std::string step_name(std::string_view text);

}  // namespace whittle::program

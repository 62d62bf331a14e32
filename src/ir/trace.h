// SPDX-License-Identifier: Apache-2.0
// States and traces of a network, as plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/network.h"

namespace whittle {

// A state of a universe. `locations` and the groups of `values` follow the order of
// Universe::instances; `shared` follows Network::shared_variables. See StateLayout.
struct State {
  std::vector<LocationId> locations;
  std::vector<Value> values;  // shared variables, then each instance's variables in machine order
  bool operator==(const State&) const = default;
};

// Where things stand in a State of this universe.
class StateLayout {
 public:
  StateLayout(const Network& network, UniverseId universe);

  [[nodiscard]] std::size_t instance_count() const { return first_.size(); }
  [[nodiscard]] std::size_t value_count() const { return slots_.size(); }
  [[nodiscard]] InstanceId instance(std::size_t position) const { return instances_[position]; }
  [[nodiscard]] std::size_t position(InstanceId instance) const;  // in State::locations
  [[nodiscard]] bool contains(InstanceId instance) const;
  // Slot in State::values of an instance's variable; for shared variables the instance is ignored.
  [[nodiscard]] std::size_t slot(InstanceId instance, VariableId variable) const;
  // The same by the instance's position.
  [[nodiscard]] std::size_t slot_at(std::size_t position, VariableId variable) const {
    const std::size_t offset = offset_[variable.index()];
    return shared_[variable.index()] ? offset : first_[position] + offset;
  }
  // What stands in a slot; the instance is invalid for shared variables.
  [[nodiscard]] std::pair<InstanceId, VariableId> at(std::size_t slot) const {
    return slots_[slot];
  }
  [[nodiscard]] UniverseId universe() const { return universe_; }

 private:
  UniverseId universe_;
  std::vector<InstanceId> instances_;
  std::vector<std::size_t> first_;  // first slot of each instance
  std::vector<std::pair<InstanceId, VariableId>> slots_;
  std::uint32_t base_ = 0;               // least instance id
  std::vector<std::uint32_t> position_;  // by instance id - base_; UINT32_MAX: elsewhere
  std::vector<std::uint32_t> offset_;    // by variable id: place among its machine's
  std::vector<bool> shared_;             // by variable id
};

// One step: a root event of an instance, with what the model leaves open.
struct TraceStep {
  InstanceId instance;
  EventId event;
  std::vector<Value> arguments;  // one per parameter of the root event
  // Targets of participants that could go to several locations (others follow from the arcs).
  std::vector<std::pair<InstanceId, LocationId>> targets;
  // Next values, by slot, of what effects leave open (relations, freed variables).
  std::vector<std::pair<std::uint32_t, Value>> chosen;
  std::uint64_t times = 1;  // the same step so many times in a row
};

struct Trace {
  UniverseId universe;
  State initial;
  std::vector<TraceStep> steps;
  // Of an infinite run: the steps from there on are repeated for ever, and after the last of them
  // the state is the one before steps[loop]; steps.size(): nothing is possible any more, the last
  // state stays.
  std::optional<std::size_t> loop = {};
  // Valid: the rounds of the loop differ, and this holds before each of them; the state after the
  // first need not be the one before steps[loop].
  Expr region = {};

  [[nodiscard]] std::uint64_t length() const;  // number of steps, repetitions counted
};

}  // namespace whittle

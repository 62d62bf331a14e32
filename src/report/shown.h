// SPDX-License-Identifier: Apache-2.0
// States, steps and conditions in the words of the model's language, for all formats.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/network.h"
#include "ir/notation.h"
#include "ir/run/interpreter.h"
#include "ir/trace.h"

namespace whittle {

// A value of a state, or the location of an instance.
struct ShownValue {
  InstanceId instance;  // invalid: shared
  std::string name;     // empty: the location
  std::string value;
};

struct ShownEvent {
  InstanceId instance;
  std::string event;
  std::vector<Shown> arguments;
  std::uint32_t depth = 0;  // 0: the root; synchronised events below
};

class ModelShown {
 public:
  ModelShown(const Network& network, UniverseId universe);

  // Everything, or only what a step changed.
  [[nodiscard]] std::vector<ShownValue> state(const State& state) const;
  [[nodiscard]] std::vector<ShownValue> changes(const ReplayedStep& step) const;
  // Of these variables of an instance (invalid: of shared ones).
  [[nodiscard]] std::vector<ShownValue> values(const State& state, InstanceId instance,
                                               const std::vector<VariableId>& variables) const;
  [[nodiscard]] std::vector<ShownEvent> events(const ReplayedStep& step) const;
  [[nodiscard]] std::string condition(Expr condition) const;
  // Each conjunct for itself.
  [[nodiscard]] std::vector<std::string> conditions(Expr condition) const;

  [[nodiscard]] std::string instance(InstanceId instance) const;
  // `Account[NL01].balance`, `Account[NL01]@`; in a model with one instance `balance`, `@`.
  [[nodiscard]] std::string key(const ShownValue& value) const;
  // The instance need not be named: there is only one.
  [[nodiscard]] bool single() const { return layout_.instance_count() == 1; }

 private:
  void add_values(const State& state, InstanceId instance, MachineId machine,
                  const std::vector<VariableId>& variables, bool all,
                  std::vector<ShownValue>& result) const;
  void add_location(const State& state, std::size_t position,
                    std::vector<ShownValue>& result) const;

  [[nodiscard]] bool unset(InstanceId instance, LocationId location, VariableId variable) const;

  const Network& network_;
  StateLayout layout_;
  // Variables that have no value yet where their machine starts: every way out gives them one.
  std::map<MachineId, std::set<VariableId>> unset_;
};

}  // namespace whittle

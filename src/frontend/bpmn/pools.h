// SPDX-License-Identifier: Apache-2.0
// The state of a diagram as a network: a machine for each process, a number of tokens for each
// flow, and for activities that something can happen in whether they are going on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/bpmn/diagram.h"
#include "frontend/symbol_index.h"
#include "ir/network.h"

namespace whittle::bpmn {

struct Pool {
  MachineId machine;
  InstanceId instance;
  LocationId waiting;  // for something to start it
  LocationId running;
  LocationId complete;
  VariableId ended;  // it has come to an end event since it was started
};

class Pools {
 public:
  Pools(Network& network, UniverseId universe, const Diagram& diagram, SymbolIndex& symbols);

  [[nodiscard]] const std::vector<Pool>& all() const { return pools_; }
  [[nodiscard]] const Pool& of_node(std::size_t node) const {
    return pools_[diagram_.process_of(node)];
  }
  // "Check order", or "gateway G_1" where nobody gave it a name.
  [[nodiscard]] const std::string& name(std::size_t node) const { return names_[node]; }
  [[nodiscard]] VariableId tokens(std::size_t flow) const { return tokens_[flow]; }
  // Is the activity going on; none: it is over as soon as it begins.
  [[nodiscard]] std::optional<VariableId> active(std::size_t node) const { return active_[node]; }
  // Of a timer at the border of an activity that does not interrupt it: has it gone off.
  [[nodiscard]] std::optional<VariableId> fired(std::size_t node) const { return fired_[node]; }
  // What counts tokens in the scope and everything inside it.
  [[nodiscard]] std::vector<VariableId> inside(std::size_t scope) const;
  [[nodiscard]] std::string flow_name(std::size_t flow) const;

 private:
  VariableId count(std::string name, MachineId machine, Span span);

  Network& network_;
  const Diagram& diagram_;
  std::vector<Pool> pools_;
  std::vector<std::string> names_;
  std::vector<VariableId> tokens_;
  std::vector<std::optional<VariableId>> active_;
  std::vector<std::optional<VariableId>> fired_;
};

}  // namespace whittle::bpmn

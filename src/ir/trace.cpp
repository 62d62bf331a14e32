// SPDX-License-Identifier: Apache-2.0
#include "ir/trace.h"

#include <algorithm>

#include "base/error.h"

namespace whittle {

StateLayout::StateLayout(const Network& network, UniverseId universe)
    : universe_(universe), instances_(network.universe(universe).instances) {
  offset_.resize(network.variables().size());
  shared_.resize(network.variables().size());
  for (VariableId v : network.shared_variables()) {
    offset_[v.index()] = static_cast<std::uint32_t>(slots_.size());
    shared_[v.index()] = true;
    slots_.emplace_back(InstanceId{}, v);
  }
  std::vector<bool> seen(network.machines().size());
  std::uint32_t last = 0;
  if (!instances_.empty()) {
    const auto [least, greatest] = std::minmax_element(instances_.begin(), instances_.end());
    base_ = least->index();
    last = greatest->index();
    position_.assign(last - base_ + std::size_t{1}, UINT32_MAX);
  }
  first_.reserve(instances_.size());
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    const InstanceId id = instances_[i];
    position_[id.index() - base_] = static_cast<std::uint32_t>(i);
    first_.push_back(slots_.size());
    const MachineId machine_id = network.instance(id).machine;
    const Machine& machine = network.machine(machine_id);
    for (std::size_t k = 0; k < machine.variables.size(); ++k) {
      if (!seen[machine_id.index()]) {
        offset_[machine.variables[k].index()] = static_cast<std::uint32_t>(k);
      }
      slots_.emplace_back(id, machine.variables[k]);
    }
    seen[machine_id.index()] = true;
  }
}

bool StateLayout::contains(InstanceId instance) const {
  return instance.valid() && instance.index() >= base_ &&
         instance.index() - base_ < position_.size() &&
         position_[instance.index() - base_] != UINT32_MAX;
}

std::size_t StateLayout::position(InstanceId instance) const {
  WHITTLE_REQUIRE(contains(instance), "an instance of this universe");
  return position_[instance.index() - base_];
}

std::size_t StateLayout::slot(InstanceId instance, VariableId variable) const {
  if (shared_[variable.index()]) return offset_[variable.index()];
  return first_[position(instance)] + offset_[variable.index()];
}

std::uint64_t Trace::length() const {
  std::uint64_t sum = 0;
  for (const TraceStep& step : steps) sum += step.times;
  return sum;
}

}  // namespace whittle

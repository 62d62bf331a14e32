// SPDX-License-Identifier: Apache-2.0
// How the runs of a model are runs of a slice of it, for questions about infinite runs: where each
// location of the model is in the slice, and which variables are left. Every step of the model is
// one of the slice between the places of its ends; or it stays at its place, with a lower rank, so
// that only finitely many of them follow one another; or it stays where the slice may rest.
// Plain data: witness/step_map_check.h proves that it is so.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/network.h"

namespace whittle {

struct StepMap {
  std::shared_ptr<Network> model;
  PropertyId property;
  std::shared_ptr<Network> slice;
  PropertyId slice_property;
  // Ids of the model by ids of the slice; invalid events: steps that stand for none of the model.
  std::vector<InstanceId> instances;
  std::vector<VariableId> variables;
  std::vector<EventId> events;
  // By location of the model: where that is in the slice (invalid: the machine is gone), and how
  // many steps that stay there can follow at most.
  std::vector<LocationId> places;
  std::vector<std::uint32_t> ranks;
};

}  // namespace whittle

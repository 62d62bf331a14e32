// SPDX-License-Identifier: Apache-2.0
// What everybody asks about a process.
#pragma once

#include <string>
#include <vector>

#include "frontend/bpmn/channels.h"
#include "frontend/bpmn/diagram.h"
#include "frontend/bpmn/pools.h"

namespace whittle::bpmn {

// `activities`: by node, the event in which it begins; invalid: it is no activity. `incomplete`:
// why a "no" would be wrong; empty: nothing is left out.
void ask(Network& network, UniverseId universe, const Diagram& diagram, const Pools& pools,
         const Channels& channels, const std::vector<EventId>& activities,
         const std::string& incomplete);

}  // namespace whittle::bpmn

// SPDX-License-Identifier: Apache-2.0
// From marks to a network: what is kept gets new ids, terms and symbols stay.
#pragma once

#include <memory>

#include "slice/control_flow.h"
#include "slice/init_conditions.h"
#include "slice/result.h"

namespace whittle::slice {

// Fills in network, property, back and statistics from `kept`.
void build(const std::shared_ptr<Network>& original, PropertyId property, const ControlFlow& flow,
           const InitConditions& init, const SliceOptions& options, SliceResult& result);

}  // namespace whittle::slice

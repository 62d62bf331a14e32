// SPDX-License-Identifier: Apache-2.0
// The drawing of a diagram with what its elements are in the network.
#pragma once

#include <memory>

#include "frontend/bpmn/diagram.h"
#include "frontend/bpmn/pools.h"
#include "ir/drawing.h"

namespace whittle::bpmn {

// Null: the file has none.
[[nodiscard]] std::shared_ptr<const Drawing> drawing_of(const Diagram& diagram, const Pools& pools);

}  // namespace whittle::bpmn

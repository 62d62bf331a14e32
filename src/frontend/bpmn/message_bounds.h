// SPDX-License-Identifier: Apache-2.0
// How often each message of a diagram can be sent at most, by the shape of the diagram: what stands
// in no loop passes on at most the tokens that it gets.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/bpmn/diagram.h"

namespace whittle::bpmn {

// By message flow; none: nothing bounds it.
[[nodiscard]] std::vector<std::optional<std::uint64_t>> message_bounds(const Diagram& diagram);

}  // namespace whittle::bpmn

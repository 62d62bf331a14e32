// SPDX-License-Identifier: Apache-2.0
// The machines of a network as a drawing for Graphviz, with what a slice keeps highlighted.
#pragma once

#include <string>

#include "slice/control_flow.h"
#include "slice/slice.h"

namespace whittle::slice {

[[nodiscard]] std::string to_dot(const Network& network, const SliceResult& result);

}  // namespace whittle::slice

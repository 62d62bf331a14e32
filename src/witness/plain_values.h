// SPDX-License-Identifier: Apache-2.0
// A run with small round numbers in place of those that a solver happened to choose.
#pragma once

#include "ir/network.h"
#include "ir/trace.h"

namespace whittle {

// The same events in the same order, with arguments and free first values as plain as possible: the
// run is followed after every change, and a change that does not lead to the goal of the property
// is taken back. Returns the trace as it is where there is nothing to do, where the property is not
// about states, or where values mean something to their language (traits: encodes_values).
[[nodiscard]] Trace with_plain_values(const Network& network, PropertyId property,
                                      const Trace& trace);

}  // namespace whittle

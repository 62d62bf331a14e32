// SPDX-License-Identifier: Apache-2.0
// A run of a slice repeats its loop for ever. What the slice left out changes on the way, so that
// the same steps in the model need not come back to the state before them; after some rounds they
// often do.
#pragma once

#include <optional>

#include "ir/trace.h"

namespace whittle::slice {

// The run of the network with the same steps, whose loop is as many rounds as it takes to come back
// to a whole state, after as many as it takes to get there; none: a step is not possible, or no
// state was seen twice. requires: a loop with steps
[[nodiscard]] std::optional<Trace> closed_run(const Network& network, const Trace& run);

}  // namespace whittle::slice

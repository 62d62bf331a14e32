// SPDX-License-Identifier: Apache-2.0
// Sinkholes among several instances: an instance that has no step now may have one after the others
// moved, so the question is whether it can be stuck for good (ir/lowering/moving.h).
//
// Counterexample-guided: a reachable state is looked for in which the instance waits and none of
// the continuations found so far is possible. None: it is never stuck. From such a state, a run is
// looked for that moves the instance. None: it is stuck there. Otherwise the run, with terms
// instead of the values that it happens to choose, is one more continuation. Each of these
// questions goes to the engine that would decide any other. Ends with `unknown` at the time limit
// where the continuations that are needed do not come to an end.
#pragma once

#include "driver/decide.h"

namespace whittle {

// A Sinkhole in a universe with several instances.
[[nodiscard]] bool asks_for_stuck_instances(const Network& network, PropertyId property);

// requires: asks_for_stuck_instances
[[nodiscard]] PropertyResult decide_stuck(const std::string& file,
                                          const std::shared_ptr<Network>& network,
                                          PropertyId property, DecideContext& context);

}  // namespace whittle

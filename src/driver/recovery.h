// SPDX-License-Identifier: Apache-2.0
// Questions whether there is always a way back (`recoverable`, AG EF of a condition).
//
// Finite systems by search: all states are visited and marked backwards from the good ones, and a
// second search by other code counts and marks again. Others guided by counterexamples
// (ir/lowering/recovery.h): a bad state is looked for from which none of the ways found so far
// leads on. None: there is always a way back. From such a state a run to a good one is looked for.
// None: from there it is lost for ever, with an invariant of what follows. Otherwise the run, with
// terms instead of the values that it happens to choose, is one more way. Where the runs get longer
// and longer a measure is looked for that ways need only lower.
#pragma once

#include "driver/decide.h"

namespace whittle {

[[nodiscard]] bool asks_for_recovery(const Network& network, PropertyId property);

// requires: asks_for_recovery
[[nodiscard]] PropertyResult decide_recovery(const std::string& file,
                                             const std::shared_ptr<Network>& network,
                                             PropertyId property, DecideContext& context);

}  // namespace whittle

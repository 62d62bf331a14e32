// SPDX-License-Identifier: Apache-2.0
// Money of two currencies that meets in one comparison or sum: the comparison is always false and
// the sum has no value, so somebody mixed them up. A currency is known where it is written, where
// every event that gives a field a value gives it the same one, and where a precondition compares a
// parameter with it.
#pragma once

#include <vector>

#include "base/diagnostics.h"
#include "frontend/rebel/encode.h"
#include "ir/network.h"

namespace whittle::rebel {

// Two amounts that meet, by the terms for their currencies.
struct MoneyPair {
  Expr left, right;
  Span place;
  bool sum = false;  // otherwise a comparison
  EventId event;     // invalid: not in an event
};

// Returns the events in which something was found.
std::vector<EventId> warn_about_currencies(const Network& network, const Encoder& encoder,
                                           const std::vector<MoneyPair>& pairs,
                                           Diagnostics& diagnostics);

}  // namespace whittle::rebel

// SPDX-License-Identifier: Apache-2.0
// What a check says about a witness that does not hold up.
#pragma once

#include <string>

namespace whittle {

// Why the trace or the invariant is no witness, in words for a bug report.
struct RejectedWitness {
  std::string reason;
  std::string event = {};  // an invariant: the transition that does not keep it
};

}  // namespace whittle

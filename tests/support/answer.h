// SPDX-License-Identifier: Apache-2.0
// What explicit search says about a question, and whether a trace of a transformed network is one
// of the original: how random tests judge transformations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/network.h"
#include "ir/run/explicit_search.h"
#include "ir/transformation.h"
#include "ir/verdict.h"

namespace whittle::test {

struct Answer {
  bool found = false;
  std::uint64_t depth = 0;
  std::optional<Trace> trace;
  bool certain = false;  // the search was not cut short
};

[[nodiscard]] Answer searched(const Network& network, PropertyId property,
                              const Candidates& candidates);

// Empty if the trace that was found, brought back to the network, is a run of the same length to
// the goal of the property.
[[nodiscard]] std::string lifting_problem(const Network& network, PropertyId property,
                                          const BackTranslation& back, const Answer& found);

// Why nothing is known, for messages; empty: something is.
[[nodiscard]] std::string why_unknown(const Verdict& verdict);

}  // namespace whittle::test

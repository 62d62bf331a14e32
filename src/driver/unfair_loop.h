// SPDX-License-Identifier: Apache-2.0
// A run that leaves something out for ever that could happen all the time: whether that is meant is
// what people ask first about a violated property of runs.
#pragma once

#include <string>
#include <vector>

#include "driver/decide.h"

namespace whittle {

// Which process, transition or event the loop of a violating run neglects, for which the model
// declares no fairness, and how to declare it; empty: none, or it could not be seen quickly.
[[nodiscard]] std::vector<std::string> neglected(const PropertyResult& result,
                                                 DecideContext& context);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// What an engine's outcome means for a property.
#pragma once

#include "engine/engine.h"
#include "ir/property.h"
#include "ir/verdict.h"

namespace whittle {

// The goal of a lowered property is what a question asks for, what a demand forbids, or, for the
// checks that something can happen at all, what has to happen.
[[nodiscard]] VerdictKind verdict_of(PropertyKind kind, const EngineResult& result);

// "no violation within 23 steps": the strongest thing known about an undecided property. Where it
// asks about runs of at least `first` steps, nothing is said about shorter ones.
[[nodiscard]] std::string strongest_known(PropertyKind kind, std::uint64_t first,
                                          std::uint64_t clear_to);

}  // namespace whittle

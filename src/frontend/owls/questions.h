// SPDX-License-Identifier: Apache-2.0
// What everybody asks about a process, and what its document expects.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "frontend/owls/document.h"
#include "ir/network.h"

namespace whittle::owls {

// The location at which the preconditions of the whole process are looked at.
constexpr std::string_view kPreconditions = "preconditions";

// Performs by the names of their events.
using Activities = std::map<std::string, std::size_t>;

// Every perform can happen.
void ask_activities(Network& network, UniverseId universe, const Document& document,
                    const Activities& activities);
// Whatever has happened, the process can still come to its end.
void ask_for_end(Network& network, UniverseId universe, InstanceId instance, LocationId end,
                 Span span);
// whittle:expect of the process, as in BPMN.
void note_expectations(Network& network, const Document& document, std::size_t process,
                       Diagnostics& diagnostics);

}  // namespace whittle::owls

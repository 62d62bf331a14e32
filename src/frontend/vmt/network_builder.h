// SPDX-License-Identifier: Apache-2.0
// From the system of a file to the Network, as it is written: one machine with one location, one
// instance and one event, whose conditions are the conjuncts of the relation.
#pragma once

#include <memory>
#include <string>

#include "base/diagnostics.h"
#include "frontend/vmt/script.h"
#include "ir/network.h"

namespace whittle::vmt {

[[nodiscard]] std::shared_ptr<Network> build_network(Script script, const std::string& name,
                                                     Diagnostics& diagnostics);

}  // namespace whittle::vmt

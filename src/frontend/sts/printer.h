// SPDX-License-Identifier: Apache-2.0
// A network as an STS file. Works on what transformations leave of an STS network too.
#pragma once

#include <string>

#include "ir/network.h"

namespace whittle::sts {

// requires: one machine without key, one instance, no synchronisations.
// ensures: loading the text gives the same network, apart from spans. Events with several arcs,
// which only transformations make, become several transitions.
[[nodiscard]] std::string print_network(const Network& network);

}  // namespace whittle::sts

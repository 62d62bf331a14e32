// SPDX-License-Identifier: Apache-2.0
// A network as a VMT-LIB file. Works on what transformations leave of a VMT-LIB network too.
#pragma once

#include <string>

#include "ir/network.h"

namespace whittle::vmt {

// requires: one machine with one location and one instance, as the front end makes it.
// ensures: loading the text gives a network with the same steps, first states and properties.
[[nodiscard]] std::string print_network(const Network& network);

}  // namespace whittle::vmt

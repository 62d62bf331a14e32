// SPDX-License-Identifier: Apache-2.0
// Symmetric instances: those that nothing in a model and in a question tells apart.
#pragma once

#include <vector>

#include "ir/network.h"

namespace whittle {

// Groups of two or more instances of the property's universe. Exchanging members of a group, with
// everything they hold and everything that refers to them, turns runs that answer the question into
// runs that answer it. Why, and what is recognised, stands in symmetric_instances.cpp.
[[nodiscard]] std::vector<std::vector<InstanceId>> symmetry_classes(Network& network,
                                                                    PropertyId property);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Machines that neither the formula nor any other machine depends on: they take steps in between,
// which a formula that does not count steps cannot see. What they can do to the others is to keep
// a run going that has come to an end, or to go on for ever while the others wait; a step `idle`
// that changes nothing stands for that. Without it one would prove that something happens in
// systems that may do something else for ever.
#pragma once

#include <memory>
#include <optional>

#include "ir/transformation.h"

namespace whittle::slice {

// Empty: there are none, or the formula counts steps. A run of the result in which `idle` or the
// end occurs need not be one of the network: it is not translated back.
[[nodiscard]] std::optional<Transformed> without_bystanders(const std::shared_ptr<Network>& network,
                                                            PropertyId property);

}  // namespace whittle::slice

// SPDX-License-Identifier: Apache-2.0
// The slicer: from a network and a question to a smaller network with the same answer.
//
//   SliceResult s = slice(network, property, {Granularity::Fine});
//   lower(*s.network, s.property) ... s.back->trace(...)
//
// What a strong slice (every granularity but Amorphous) promises: the configuration is reachable
// within k steps in the original exactly if it is in the slice, and a trace of the slice is, with
// arguments for what was left out, a trace of the original of the same length. An amorphous slice
// promises only that what is unreachable there is unreachable, unless it is asked to be exact.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "slice/result.h"

namespace whittle::slice {

[[nodiscard]] std::string_view to_string(Granularity g);
[[nodiscard]] std::optional<Granularity> granularity_from(std::string_view id);

[[nodiscard]] SliceResult slice(const std::shared_ptr<Network>& network, PropertyId property,
                                const SliceOptions& options);

// The whole network, but it asks nothing else.
[[nodiscard]] std::shared_ptr<Network> asking_only(const std::shared_ptr<Network>& network,
                                                   PropertyId property);

}  // namespace whittle::slice

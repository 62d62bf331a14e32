// SPDX-License-Identifier: Apache-2.0
// Restoring reachability between the parts of a slice (Eilers 2018, section 4.5).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "slice/control_flow.h"

namespace whittle::slice {

// An arc that lies on a way between two different locations of the slice through others.
struct MissingArc {
  ArcRef arc;
  LocationId towards;  // a location of the slice at the end of such a way
};

// A way between two locations of the slice, reduced to its ends (amorphous reconnection).
struct Shortcut {
  LocationId from;
  LocationId to;
  std::uint32_t length = 1;  // arcs on the shortest way it stands for
  // As many arcs of events that nothing can stop; empty: every way of that length has conditions,
  // and the machine may be unable to take any of them.
  std::vector<ArcRef> way = {};
};

// For a location outside the slice: the locations of the slice from which ways lead to it that
// touch no other; where the machine was last, as far as the slice knows.
struct Region {
  std::vector<std::vector<LocationId>> sources;  // by position in Machine::locations
  bool complete = true;                          // false: some list grew beyond `limit`
};

// `in_slice` is indexed by location.
[[nodiscard]] std::vector<MissingArc> missing_arcs(const ControlFlow& flow, MachineId machine,
                                                   const std::vector<char>& in_slice);
// Shortcuts for everything `missing_arcs` would find; arcs of the slice (`kept`, by number) need
// none. `work_limit` bounds the number of arcs walked; empty when it does not suffice.
[[nodiscard]] std::optional<std::vector<Shortcut>> shortcuts(const ControlFlow& flow,
                                                             MachineId machine,
                                                             const std::vector<char>& in_slice,
                                                             const std::vector<char>& kept,
                                                             std::uint64_t work_limit);
[[nodiscard]] Region region(const ControlFlow& flow, MachineId machine,
                            const std::vector<char>& in_slice, std::size_t limit);

}  // namespace whittle::slice

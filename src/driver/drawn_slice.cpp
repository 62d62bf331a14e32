// SPDX-License-Identifier: Apache-2.0
#include "driver/drawn_slice.h"

#include <algorithm>

#include "slice/control_flow.h"

namespace whittle {

namespace {

// Transformations before slicing change what events do, and seldom which there are.
bool same_machines(const Network& a, const Network& b) {
  const auto same_event = [](const Event& x, const Event& y) {
    return x.name == y.name && x.arcs.size() == y.arcs.size();
  };
  const auto same_location = [](const Location& x, const Location& y) { return x.name == y.name; };
  return a.machines().size() == b.machines().size() &&
         std::equal(a.events().begin(), a.events().end(), b.events().begin(), b.events().end(),
                    same_event) &&
         std::equal(a.locations().begin(), a.locations().end(), b.locations().begin(),
                    b.locations().end(), same_location);
}

}  // namespace

DrawnSlice drawn_slice(const Preparation& shown, const Network& parsed) {
  DrawnSlice drawn;
  const slice::Kept& kept = shown.slice.kept;
  if (kept.machines.empty() || !same_machines(*shown.sliced_from, parsed)) return drawn;
  drawn.machines = kept.machines;
  drawn.locations = kept.locations;
  const slice::ControlFlow flow(*shown.sliced_from);
  for (std::uint32_t e = 0; e < parsed.events().size(); ++e) {
    const std::size_t count = parsed.events()[e].arcs.size();
    std::vector<char>& arcs = drawn.arcs.emplace_back(count, 0);
    for (std::uint32_t a = 0; a < count; ++a)
      arcs[a] = static_cast<char>(kept.events[e] != 0 &&
                                  kept.arcs[flow.arc_number({EventId(e), a})] != 0);
  }
  return drawn;
}

}  // namespace whittle

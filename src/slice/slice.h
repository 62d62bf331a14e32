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
#include <string>
#include <string_view>
#include <vector>

#include "ir/transformation.h"
#include "ir/verdict.h"
#include "slice/closure.h"
#include "slice/reconnect.h"

namespace whittle::slice {

enum class Granularity : std::uint8_t {
  Off,
  Machine,    // drop machines that nothing refers to
  Coarse,     // whole states and transitions, as in the earlier literature
  Coi,        // cone of influence over variables
  Fine,       // effects, guards and arcs one by one
  Amorphous,  // the same, with shortcuts in place of connecting paths: weak
};

[[nodiscard]] std::string_view to_string(Granularity g);
[[nodiscard]] std::optional<Granularity> granularity_from(std::string_view id);

struct SliceOptions {
  Granularity granularity = Granularity::Fine;
  bool expand_shortcuts = true;  // amorphous: give a shortcut as many steps as it stands for
  // amorphous: shortcuts only in machines where each stands for a way that nothing can stop, so
  // that the slice has the answers of the original. Other machines are connected as in Fine.
  bool exact_shortcuts = false;
};

// What stays, by ids of the original network.
struct Kept {
  std::vector<char> machines, locations, variables, events;
  std::vector<char> arcs, effects, syncs;     // by the numbers of ControlFlow
  std::vector<std::vector<char>> parameters;  // by event; empty list: none
  std::vector<std::uint32_t> conditions;      // indices in InitConditions
  std::vector<Shortcut> shortcuts;
};

struct SliceResult {
  std::shared_ptr<Network> network;  // shared with the caller's when nothing was removed
  PropertyId property;
  std::shared_ptr<const BackTranslation> back;
  SliceStatistics statistics;
  Kept kept;
  Closure closure;              // why, in terms of the original
  bool weak = false;            // a trace is only a candidate
  bool invariants_lift = true;  // an invariant of the slice can be said of the original
  std::string note;             // why it was not sliced, or less than asked for
};

[[nodiscard]] SliceResult slice(const std::shared_ptr<Network>& network, PropertyId property,
                                const SliceOptions& options);

// The whole network, but it asks nothing else.
[[nodiscard]] std::shared_ptr<Network> asking_only(const std::shared_ptr<Network>& network,
                                                   PropertyId property);

}  // namespace whittle::slice

// SPDX-License-Identifier: Apache-2.0
// What is asked of the slicer, and what it answers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
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

}  // namespace whittle::slice

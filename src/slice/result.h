// SPDX-License-Identifier: Apache-2.0
// What is asked of the slicer, and what it answers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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

// What is asked about at a location, before its step (Dwyer, Hatcliff 1999, definition 3).
struct CriterionPair {
  LocationId location;
  std::vector<VariableId> variables;
};

struct SliceOptions {
  Granularity granularity = Granularity::Fine;
  bool expand_shortcuts = true;  // amorphous: give a shortcut as many steps as it stands for
  // amorphous: shortcuts only in machines where each stands for a way that nothing can stop, so
  // that the slice has the answers of the original. Other machines are connected as in Fine.
  bool exact_shortcuts = false;
  bool every_step = false;  // questions about infinite runs: no step goes
  // Asked instead of the property: what is at these locations, of machines without
  // synchronisations. Empty: the property.
  std::vector<CriterionPair> criterion = {};
};

// Where steps in between go: what a removed location becomes. By location of the original.
struct Compression {
  enum class Way : std::uint8_t {
    Stays,  // it is a location of the slice
    Joins,  // the machine is at `next` already
    Waits,  // at a location of its own, from which the only step leads to `next`
    Rests,  // nothing that matters comes any more
  };
  std::vector<Way> way;
  std::vector<LocationId> next;      // Joins, Waits: what is met first
  std::vector<char> passes;          // Stays: its steps do nothing that matters
  std::vector<char> idles;           // Rests: the machine may go on for ever
  std::vector<std::uint32_t> ranks;  // steps in between that can still follow
};

// What stays, by ids of the original network.
struct Kept {
  std::vector<char> machines, locations, variables, events;
  std::vector<char> arcs, effects, syncs;     // by the numbers of ControlFlow
  std::vector<std::vector<char>> parameters;  // by event; empty list: none
  std::vector<std::uint32_t> conditions;      // indices in InitConditions
  std::vector<Shortcut> shortcuts;
  std::optional<Compression> compression;  // of questions about infinite runs
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

// SPDX-License-Identifier: Apache-2.0
// Random networks, well formed and finite by construction, for differential tests: the same seed
// gives the same network everywhere. When a test fails on one, `shrunk` finds a smaller network
// that still makes it fail.
//
//   RandomNetwork random = random_network(seed);
//   SearchOptions options; options.candidates = random.candidates;
//   explicit_search(*random.network, random.universe, goal, bound, options)   // the oracle
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ir/network.h"
#include "ir/run/stepper.h"

namespace whittle::test {

struct RandomNetworkOptions {
  unsigned max_machines = 3;
  unsigned max_instances = 4;  // of all machines together
  unsigned max_variables = 4;  // state variables of the universe, keys not counted
  unsigned max_locations = 3;  // per machine
  unsigned max_events = 4;     // per machine
  bool parameters = true;
  bool shared_variables = true;
  bool cross_reads = true;  // Remote... and Known symbols
  bool syncs = true;
  bool negated_syncs = true;       // only of events without open next values, unless
  bool negated_relations = false;  // ... this is set: then lowering needs an elimination
  bool relations = true;           // and freed variables
  bool partial = true;             // division and remainder by what may be zero, dangling keys
  bool arbitrary_starts = true;    // several starts, first values that nothing fixes
};

struct RandomNetwork {
  std::uint64_t seed = 0;
  std::shared_ptr<Network> network;
  UniverseId universe;
  std::vector<PropertyId> properties;  // Reach with bounds of all kinds, and Invariant
  Candidates candidates;               // complete: Ints are 0..3, whatever happens
};

// Every Int variable stays within 0..3 (values are taken modulo 4, relations and starts say so),
// every Int parameter within 0..3 (guards say so); keys are 1, 2, ...
[[nodiscard]] RandomNetwork random_network(std::uint64_t seed,
                                           const RandomNetworkOptions& options = {});

// Removes guards, effects, synchronisations, arcs, starts and properties (whole properties only if
// `fails` can do without them) as long as `fails` says yes. The network given is not changed.
[[nodiscard]] std::shared_ptr<Network> shrunk(const Network& network,
                                              const std::function<bool(Network&)>& fails);

// A network as text, for messages of failing tests.
[[nodiscard]] std::string described(const Network& network);

}  // namespace whittle::test

// SPDX-License-Identifier: Apache-2.0
// What a slice promises, on random networks: every question has the same answer and the same least
// depth on the slice as on the original, by explicit search in both; and a trace of the slice is,
// lifted, a trace of the original of the same length. Amorphous slices only promise that nothing
// gets lost.
#include "slice/slice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "support/answer.h"
#include "support/effort.h"
#include "support/random_network.h"

namespace whittle::slice {
namespace {

using test::Answer;
using test::RandomNetwork;
using test::RandomNetworkOptions;

// How many slices were really compared with the whole.
struct Tally {
  int compared = 0;
  int lifted = 0;  // with a trace that was brought back
};

// Empty if the slice keeps its promise.
std::string broken_promise(const std::shared_ptr<Network>& network, PropertyId property,
                           Granularity granularity, const Candidates& candidates, Tally& tally) {
  const Answer whole = test::searched(*network, property, candidates);
  if (!whole.certain) return "";
  SliceOptions options;
  options.granularity = granularity;
  SliceResult r = slice(network, property, options);
  if (auto problems = well_formedness_problems(*r.network);
      !problems.empty() && well_formedness_problems(*network).empty())
    return "not well formed: " + problems.front();
  const Answer part = test::searched(*r.network, r.property, candidates);
  if (!part.certain) return "";
  ++tally.compared;
  if (r.weak) {
    if (whole.found && !part.found) return "the weak slice loses a trace";
    if (whole.found && part.depth > whole.depth) return "the weak slice makes a trace longer";
    return "";
  }
  if (whole.found != part.found)
    return whole.found ? "the slice loses a trace" : "the slice makes up a trace";
  if (!whole.found) return "";
  if (whole.depth != part.depth)
    return "least depth " + std::to_string(whole.depth) + " becomes " + std::to_string(part.depth);
  ++tally.lifted;
  return test::lifting_problem(*network, property, *r.back, part);
}

constexpr std::array kAll = {Granularity::Machine, Granularity::Coarse, Granularity::Coi,
                             Granularity::Fine, Granularity::Amorphous};

// Each question with every granularity.
void check_seed(std::uint64_t seed, const RandomNetworkOptions& options, Tally& tally) {
  RandomNetwork random = test::random_network(seed, options);
  for (PropertyId property : random.properties) {
    for (Granularity granularity : kAll) {
      std::string problem =
          broken_promise(random.network, property, granularity, random.candidates, tally);
      if (problem.empty()) continue;
      const std::string name = random.network->property(property).name;
      auto fails = [&](Network& smaller) {
        auto shared = std::make_shared<Network>(smaller);
        for (std::uint32_t p = 0; p < smaller.properties().size(); ++p)
          if (smaller.properties()[p].name == name &&
              !broken_promise(shared, PropertyId(p), granularity, random.candidates, tally).empty())
            return true;
        return false;
      };
      auto small = test::shrunk(*random.network, fails);
      ADD_FAILURE() << "seed " << seed << ", property " << name << ", " << to_string(granularity)
                    << ": " << problem << "\n"
                    << test::described(*small);
      return;
    }
  }
}

TEST(RandomSlices, KeepTheirPromises) {
  const int rounds = 300 * test::effort();
  Tally tally;
  for (int seed = 1; seed <= rounds && !HasFailure(); ++seed)
    check_seed(static_cast<std::uint64_t>(seed), {}, tally);
  EXPECT_GT(tally.compared, 20 * rounds);  // seen: 25
  EXPECT_GT(tally.lifted, 5 * rounds);     // seen: 10 to 12
}

// More machines and locations with less in each: more that can be cut away.
TEST(RandomSlices, KeepTheirPromisesInSparseNetworks) {
  RandomNetworkOptions sparse;
  sparse.max_machines = 4;
  sparse.max_locations = 5;
  sparse.max_events = 6;
  sparse.max_variables = 5;
  sparse.max_instances = 4;
  const int rounds = 200 * test::effort();
  Tally tally;
  for (int seed = 1; seed <= rounds && !HasFailure(); ++seed)
    check_seed(1'000'000 + static_cast<std::uint64_t>(seed), sparse, tally);
  EXPECT_GT(tally.compared, 20 * rounds);  // seen: 25
  EXPECT_GT(tally.lifted, 5 * rounds);     // seen: 10 to 12
}

TEST(RandomSlices, FineIsNeverLargerThanTheOthers) {
  for (std::uint64_t seed = 1; seed <= 300 * static_cast<std::uint64_t>(test::effort()); ++seed) {
    RandomNetwork random = test::random_network(seed, {});
    for (PropertyId property : random.properties) {
      auto size = [&](Granularity g) {
        const SliceStatistics s = slice(random.network, property, {g}).statistics;
        return std::array{s.machines.kept,    s.locations.kept, s.variables.kept,
                          s.transitions.kept, s.effects.kept,   s.syncs.kept};
      };
      const auto fine = size(Granularity::Fine);
      for (Granularity g : {Granularity::Coi, Granularity::Coarse, Granularity::Machine}) {
        const auto other = size(g);
        for (std::size_t i = 0; i < fine.size(); ++i)
          ASSERT_LE(fine[i], other[i])
              << "seed " << seed << ", figure " << i << ", "
              << random.network->property(property).name << ", " << to_string(g);
      }
    }
  }
}

}  // namespace
}  // namespace whittle::slice

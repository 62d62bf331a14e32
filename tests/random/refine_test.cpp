// SPDX-License-Identifier: Apache-2.0
// What the semantic refinements promise, on random networks: every question has the same answer and
// the same least depth on the refined network as on the original, by explicit search in both, and a
// trace of the refined network is, lifted, a trace of the original of the same length. Alone, all
// together, and between two slices, as `check` uses them.
#include "simplify/network/refine.h"

#include <gtest/gtest.h>

#include <array>

#include "slice/slice.h"
#include "support/answer.h"
#include "support/effort.h"
#include "support/random_network.h"

namespace whittle::simplify {
namespace {

using test::Answer;
using test::RandomNetwork;
using test::RandomNetworkOptions;

struct Way {
  const char* name;
  Refinements which;
  bool sliced;  // before and after
};
constexpr std::array kWays = {
    Way{"constants", {true, false, false, false, false}, false},
    Way{"guards", {false, true, false, false, false}, false},
    Way{"inputs", {false, false, true, false, false}, false},
    Way{"merge", {false, false, false, true, false}, false},
    Way{"instances", {false, false, false, false, true}, false},
    Way{"instances, sliced", {false, false, false, false, true}, true},
    Way{"all", {}, false},
    Way{"all, sliced", {}, true},
};

// The refined question with its way back; empty where there was nothing to do.
std::optional<Transformed> applied(const std::shared_ptr<Network>& network, PropertyId property,
                                   const Way& way, Queries& queries, RefineCounts& counts) {
  Transformed now{network, property, nullptr};
  auto back = std::make_shared<Chain>();
  auto slice_again = [&] {
    slice::SliceResult r = slice::slice(now.network, now.property, {});
    now.network = r.network;
    now.property = r.property;
    back->add(r.back);
  };
  if (way.sliced) slice_again();
  auto smaller = refined(now.network, now.property, way.which, queries, counts);
  if (!smaller) return std::nullopt;
  now.network = smaller->network;
  now.property = smaller->property;
  back->add(smaller->back);
  if (way.sliced) slice_again();
  now.back = std::move(back);
  return now;
}

// Empty if the refinement keeps its promise.
std::string broken_promise(const std::shared_ptr<Network>& network, PropertyId property,
                           const Way& way, const Candidates& candidates, Queries& queries,
                           RefineCounts& counts) {
  const auto result = applied(network, property, way, queries, counts);
  if (!result) return "";
  const Answer whole = test::searched(*network, property, candidates);
  if (!whole.certain) return "";
  if (auto problems = well_formedness_problems(*result->network);
      !problems.empty() && well_formedness_problems(*network).empty())
    return "not well formed: " + problems.front();
  const Answer part = test::searched(*result->network, result->property, candidates);
  if (!part.certain) return "";
  if (whole.found != part.found) return whole.found ? "a trace is lost" : "a trace is made up";
  if (!whole.found) return "";
  if (whole.depth != part.depth)
    return "least depth " + std::to_string(whole.depth) + " becomes " + std::to_string(part.depth);
  return test::lifting_problem(*network, property, *result->back, part);
}

void check_seed(std::uint64_t seed, const RandomNetworkOptions& options, RefineCounts& counts) {
  RandomNetwork random = test::random_network(seed, options);
  Queries::Budget budget;
  budget.queries = 10'000;
  budget.all = std::chrono::seconds(60);
  Queries queries(random.network->pool(), smt::SolverFactory({}), budget);
  for (PropertyId property : random.properties) {
    for (const Way& way : kWays) {
      const std::string problem =
          broken_promise(random.network, property, way, random.candidates, queries, counts);
      if (problem.empty()) continue;
      const std::string name = random.network->property(property).name;
      auto fails = [&](Network& smaller) {
        auto shared = std::make_shared<Network>(smaller);
        for (std::uint32_t p = 0; p < smaller.properties().size(); ++p)
          if (smaller.properties()[p].name == name &&
              !broken_promise(shared, PropertyId(p), way, random.candidates, queries, counts)
                   .empty())
            return true;
        return false;
      };
      auto small = test::shrunk(*random.network, fails);
      ADD_FAILURE() << "seed " << seed << ", property " << name << ", " << way.name << ": "
                    << problem << "\n"
                    << test::described(*small);
      return;
    }
  }
}

TEST(RandomRefinements, KeepTheirPromises) {
  RefineCounts counts;
  const int rounds = 40 * test::effort();
  for (int seed = 1; seed <= rounds && !HasFailure(); ++seed)
    check_seed(static_cast<std::uint64_t>(seed), {}, counts);
  // Random networks have something for each of them.
  EXPECT_GT(counts.constants, 0U);
  EXPECT_GT(counts.guards, 0U);
  EXPECT_GT(counts.impossible, 0U);
  EXPECT_GT(counts.inputs, 0U);
  EXPECT_GT(counts.locations, 0U);
  EXPECT_GT(counts.arcs, 0U);
  EXPECT_GT(counts.separated, 0U);
}

// More locations with less in each: more that is alike.
TEST(RandomRefinements, KeepTheirPromisesInSparseNetworks) {
  RandomNetworkOptions sparse;
  sparse.max_machines = 2;
  sparse.max_locations = 6;
  sparse.max_events = 7;
  sparse.max_variables = 2;
  sparse.max_instances = 3;
  RefineCounts counts;
  const int rounds = 40 * test::effort();
  for (int seed = 1; seed <= rounds && !HasFailure(); ++seed)
    check_seed(1'000'000 + static_cast<std::uint64_t>(seed), sparse, counts);
  EXPECT_GT(counts.locations, 0U);
}

}  // namespace
}  // namespace whittle::simplify

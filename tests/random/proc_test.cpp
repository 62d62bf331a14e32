// SPDX-License-Identifier: Apache-2.0
// Random concurrent programs: which properties are violated, and after how many steps at least, is
// the same with and without projections, with and without partial-order reduction, and by explicit
// search. Traces are replayed on the program (decide throws when a witness is rejected).
#include <gtest/gtest.h>

#include "driver/decide.h"
#include "driver/slice_stage.h"
#include "engine/bmc.h"
#include "expr/traverse.h"
#include "ir/explicit_search.h"
#include "support/effort.h"
#include "support/load.h"
#include "support/random_proc.h"

namespace whittle {
namespace {

constexpr std::uint64_t kMaxDepth = 7;  // for questions without a depth

struct Configuration {
  std::string name;
  BmcProjection projection = BmcProjection::Liveness;
  BmcPor por = BmcPor::On;
  BmcEncoding encoding = BmcEncoding::Deltas;
  BmcRanges ranges = BmcRanges::On;
  slice::Granularity slice = slice::Granularity::Off;
};

std::vector<Configuration> configurations() {
  using enum BmcProjection;
  using enum BmcEncoding;
  return {
      {"both", Liveness, BmcPor::On, Deltas, BmcRanges::On, slice::Granularity::Off},
      {"liveness", Liveness, BmcPor::Off, Deltas, BmcRanges::Off, slice::Granularity::Off},
      {"partial order", Off, BmcPor::On, Deltas, BmcRanges::Off, slice::Granularity::Off},
      {"plain", Off, BmcPor::Off, Deltas, BmcRanges::On, slice::Granularity::Off},
      {"dependency", Dependency, BmcPor::Off, Deltas, BmcRanges::On, slice::Granularity::Off},
      {"dependency, both", Dependency, BmcPor::On, Updates, BmcRanges::Off,
       slice::Granularity::Off},
      {"both in one formula", Liveness, BmcPor::On, Monolithic, BmcRanges::Off,
       slice::Granularity::Off},
      {"both on a slice", Liveness, BmcPor::On, Disjuncts, BmcRanges::On, slice::Granularity::Fine},
  };
}

PropertyResult decided(const std::shared_ptr<Network>& network, PropertyId property,
                       const Configuration& configuration) {
  OptionSet options;
  auto& bmc = options.add<BmcOptions>();
  bmc.projection.set(configuration.projection);
  bmc.por.set(configuration.por);
  bmc.encoding.set(configuration.encoding);
  bmc.ranges.set(configuration.ranges);
  bmc.max_depth.set(kMaxDepth);
  options.add<DecideOptions>().engine.set("bmc");
  options.add<SlicingOptions>().granularity.set(configuration.slice);
  Logger log;
  IgnoreProgress progress;
  DecideContext context{options, Deadline::never(), CancelToken(), log, progress};
  return decide("random", network, property, context);
}

struct Oracle {
  bool known = false;
  std::optional<std::uint64_t> depth;  // of a shortest run that violates the property
  bool exhausted = false;              // all states were seen
};

Oracle oracle(const Network& network, PropertyId id) {
  ExprPool& pool = network.pool();
  const Property& property = network.property(id);
  const Expr goal = pool.disj(pool.negate(definedness(pool, property.condition)),
                              pool.negate(property.condition));
  SearchOptions options;
  options.candidates = finite_candidates(pool);
  options.max_depth = property.bound.max.value_or(kMaxDepth);
  options.max_states = 4'000;
  StepBound bound = property.bound;
  if (!bound.max) bound.max = kMaxDepth;
  const SearchResult found = explicit_search(network, property.universe, goal, bound, options);
  if (found.trace) return {true, found.trace->length(), false};
  return {found.exhausted || (found.clear && found.clear_to >= *bound.max), std::nullopt,
          found.exhausted};
}

void compare(const test::Loaded& loaded, PropertyId id, const Oracle& expected,
             const Configuration& configuration, const std::string& place) {
  const Verdict verdict = decided(loaded.network, id, configuration).verdict;
  const std::string all = place + ", " + configuration.name + ": " + verdict.reason;
  if (expected.depth) {
    ASSERT_TRUE(verdict.trace) << all;
    if (configuration.encoding == BmcEncoding::Monolithic)
      ASSERT_GE(verdict.trace->length(), *expected.depth) << all;
    else
      ASSERT_EQ(verdict.trace->length(), *expected.depth) << all;
    return;
  }
  ASSERT_FALSE(verdict.trace) << all;
  if (loaded.network->property(id).bound.max) {
    ASSERT_EQ(verdict.kind, VerdictKind::Holds) << all;
  } else if (verdict.kind == VerdictKind::Unknown) {
    ASSERT_NE(verdict.reason.find("within " + std::to_string(kMaxDepth)), std::string::npos) << all;
  }
}

TEST(RandomProc, ProjectionsAndOrdersKeepViolationsAndLeastDepths) {
  const std::vector<Configuration> all = configurations();
  const int programs = test::effort() > 1 ? 10'000 : 60;
  int compared = 0;
  int violated = 0;
  for (int seed = 0; seed < programs; ++seed) {
    const std::string text = test::RandomProc(static_cast<std::uint64_t>(seed))();
    const test::Loaded loaded = test::load("proc", text, "random.proc");
    ASSERT_NE(loaded.network, nullptr) << text << loaded.messages();
    for (std::uint32_t p = 0; p < loaded.network->properties().size(); ++p) {
      const PropertyId property(p);
      const Oracle expected = oracle(*loaded.network, property);
      if (!expected.known) continue;
      const std::string place = "seed " + std::to_string(seed) + ", " +
                                loaded.network->property(property).name + "\n" + text;
      for (std::size_t c = 0; c < all.size(); ++c) {
        const bool chosen = c == 0 || seed < 5 || static_cast<std::size_t>(seed) % all.size() == c;
        if (chosen) compare(loaded, property, expected, all[c], place);
        if (HasFatalFailure()) return;
      }
      ++compared;
      violated += expected.depth && *expected.depth > 2 ? 1 : 0;
    }
  }
  EXPECT_GT(compared, programs);
  EXPECT_GT(violated, programs / 4);
}

}  // namespace
}  // namespace whittle

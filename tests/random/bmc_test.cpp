// SPDX-License-Identifier: Apache-2.0
// Bounded model checking against explicit search, on random networks: the same verdict and the same
// least depth with every encoding and every solver, and every trace is replayed (decide throws when
// a witness is rejected).
#include "engine/bmc.h"

#include <gtest/gtest.h>

#include "driver/decide.h"
#include "driver/slice_stage.h"
#include "expr/traverse.h"
#include "ir/lowering/symmetric_instances.h"
#include "ir/run/explicit_search.h"
#include "support/answer.h"
#include "support/effort.h"
#include "support/random_network.h"

namespace whittle {
namespace {

constexpr std::uint64_t kMaxDepth = 7;  // for questions without a bound

struct Configuration {
  std::string name;
  BmcEncoding encoding = BmcEncoding::Deltas;
  BmcRanges ranges = BmcRanges::On;
  smt::SolverId solver = smt::SolverId::Z3;
  BmcNumbers numbers = BmcNumbers::Auto;
  BmcBackward backward = BmcBackward::Off;
};

// All of them on the first networks, one after the other on the rest.
std::vector<Configuration> configurations() {
  return {
      {"deltas", BmcEncoding::Deltas, BmcRanges::On, smt::SolverId::Z3},
      {"deltas without ranges", BmcEncoding::Deltas, BmcRanges::Off, smt::SolverId::Z3},
      {"updates", BmcEncoding::Updates, BmcRanges::On, smt::SolverId::Z3},
      {"disjuncts", BmcEncoding::Disjuncts, BmcRanges::On, smt::SolverId::Z3},
      {"disjuncts without ranges", BmcEncoding::Disjuncts, BmcRanges::Off, smt::SolverId::Z3},
      {"monolithic", BmcEncoding::Monolithic, BmcRanges::Off, smt::SolverId::Z3},
      {"deltas, cvc5", BmcEncoding::Deltas, BmcRanges::On, smt::SolverId::Cvc5},
      {"bits", BmcEncoding::Deltas, BmcRanges::On, smt::SolverId::Z3, BmcNumbers::Bits},
      {"numbers", BmcEncoding::Updates, BmcRanges::On, smt::SolverId::Z3, BmcNumbers::Integers},
      {"from the goal back", BmcEncoding::Deltas, BmcRanges::On, smt::SolverId::Z3,
       BmcNumbers::Auto, BmcBackward::On},
  };
}

PropertyResult decided(const std::shared_ptr<Network>& network, PropertyId property,
                       const Configuration& configuration) {
  OptionSet options;
  auto& bmc = options.add<BmcOptions>();
  bmc.encoding.set(configuration.encoding);
  bmc.ranges.set(configuration.ranges);
  bmc.numbers.set(configuration.numbers);
  bmc.backward.set(configuration.backward);
  bmc.max_depth.set(kMaxDepth);
  auto& decide_options = options.add<DecideOptions>();
  decide_options.engine.set("bmc");
  decide_options.solver.set(configuration.solver);
  options.add<SlicingOptions>().granularity.set(slice::Granularity::Off);
  Logger log;
  IgnoreProgress progress;
  DecideContext context{options, Deadline::never(), CancelToken(), log, progress};
  return decide("random", network, property, context);
}

// What explicit search says: the least depth of a trace, or none up to the bound.
struct Oracle {
  bool known = false;
  std::optional<std::uint64_t> depth;
};

// Does a term read variables of instances that may be missing? Then it is undefined in a way that
// `definedness` does not know.
bool has_references(const Network& network, Expr root) {
  for (SymbolId symbol : symbols(network.pool(), root)) {
    if (network.role(symbol).kind == RoleKind::RemoteCurrent) return true;
  }
  return false;
}

Oracle oracle(const test::RandomNetwork& random, PropertyId id) {
  ExprPool& pool = random.network->pool();
  const Property& property = random.network->property(id);
  Expr goal = property.condition();
  if (property.kind != PropertyKind::Reach) {
    if (has_references(*random.network, goal)) return {};
    goal = pool.disj(pool.negate(definedness(pool, goal)), pool.negate(goal));
  }
  SearchOptions options;
  options.candidates = random.candidates;
  options.max_depth = property.bound.max.value_or(kMaxDepth);
  options.max_states = 20'000;
  StepBound bound = property.bound;
  if (!bound.max) bound.max = kMaxDepth;
  const SearchResult found =
      explicit_search(*random.network, random.universe, goal, bound, options);
  if (found.trace) return {true, found.trace->length()};
  return {found.exhausted || found.clear, std::nullopt};
}

void compare(const test::RandomNetwork& random, PropertyId id, const Oracle& expected,
             const Configuration& configuration) {
  const Property& property = random.network->property(id);
  const PropertyResult result = decided(random.network, id, configuration);
  const std::string place = "seed " + std::to_string(random.seed) + ", " + property.name + ", " +
                            configuration.name + "\n";
  const Verdict& verdict = result.verdict;
  if (expected.depth) {
    ASSERT_TRUE(verdict.trace()) << place << test::why_unknown(verdict)
                                 << test::described(*random.network);
    if (configuration.encoding == BmcEncoding::Monolithic) {
      EXPECT_GE(verdict.trace()->length(), *expected.depth) << place;
    } else {
      EXPECT_EQ(verdict.trace()->length(), *expected.depth)
          << place << test::described(*random.network);
    }
    return;
  }
  if (configuration.backward == BmcBackward::On && !property.bound.max && verdict.trace()) {
    EXPECT_GT(verdict.trace()->length(), kMaxDepth) << place;  // it looks further
    return;
  }
  EXPECT_FALSE(verdict.trace()) << place << test::described(*random.network);
  if (property.bound.max) {
    EXPECT_NE(verdict.kind(), VerdictKind::Unknown)
        << place << test::why_unknown(verdict) << test::described(*random.network);
  } else if (verdict.kind() == VerdictKind::Unknown) {
    EXPECT_EQ(verdict.undecided()->clear_to, kMaxDepth) << place << test::why_unknown(verdict);
  }
}

TEST(RandomBmc, AgreesWithExplicitSearch) {
  const std::vector<Configuration> all = configurations();
  const int rounds = 60 * test::effort();
  int compared = 0;
  for (int seed = 0; seed < rounds; ++seed) {
    const test::RandomNetwork random = test::random_network(static_cast<std::uint64_t>(seed));
    for (PropertyId property : random.properties) {
      const Oracle expected = oracle(random, property);
      if (!expected.known) continue;
      for (std::size_t c = 0; c < all.size(); ++c) {
        const bool chosen = c == 0 || seed < 10 || static_cast<std::size_t>(seed) % all.size() == c;
        if (chosen) compare(random, property, expected, all[c]);
        if (HasFatalFailure()) return;
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, rounds);
}

// Most random networks tell their instances apart; here only those count that do not.
TEST(RandomBmc, AlikeInstancesKeepLeastDepths) {
  const int wanted = 20 * test::effort();
  int compared = 0;
  for (std::uint64_t seed = 0; compared < wanted; ++seed) {
    ASSERT_LT(seed, 200U * static_cast<unsigned>(wanted)) << "alike instances are too rare";
    const test::RandomNetwork random = test::random_network(seed);
    for (PropertyId property : random.properties) {
      if (symmetry_classes(*random.network, property).empty()) continue;
      const Oracle expected = oracle(random, property);
      if (!expected.known) continue;
      compare(random, property, expected, configurations().front());
      if (HasFatalFailure()) return;
      ++compared;
    }
  }
}

}  // namespace
}  // namespace whittle

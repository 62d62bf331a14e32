// SPDX-License-Identifier: Apache-2.0
// Engines against explicit search on random networks, through the whole pipeline: slice, lower,
// decide, translate back, check the witness (a rejected one throws). And engines against each other
// on the structural checks. (`accelerate` needs systems that count: accelerate_test.cpp.)
#include <gtest/gtest.h>

#include "base/error.h"
#include "driver/lint.h"
#include "engine/engines.h"
#include "expr/traverse.h"
#include "ir/run/explicit_search.h"
#include "support/effort.h"
#include "support/random_network.h"

namespace whittle {
namespace {

// Reached, not reached, undecided.
enum class Found { Yes, No, Nothing };

bool goal_reached(PropertyKind kind, VerdictKind verdict) {
  const bool wanted = kind == PropertyKind::DeadTransition || kind == PropertyKind::UnsatStart;
  return wanted ? verdict == VerdictKind::Holds
                : verdict == VerdictKind::Violated || verdict == VerdictKind::Reachable;
}

class RandomEngines : public ::testing::TestWithParam<std::string> {
 protected:
  static Found found(const std::shared_ptr<Network>& network, PropertyId property,
                     const std::string& engine, const std::vector<Expr>& hints = {}) {
    OptionSet options;
    auto& deciding = options.add<DecideOptions>();
    deciding.engine.set(engine);
    deciding.timeout.set(0.5);
    Logger log;
    IgnoreProgress progress;
    DecideContext context{options, Deadline::never(), {}, log, progress};
    context.hints = hints;
    const PropertyResult result = decide("random", network, property, context);
    if (result.verdict.kind() == VerdictKind::Unknown) return Found::Nothing;
    return goal_reached(network->property(property).kind, result.verdict.kind()) ? Found::Yes
                                                                                 : Found::No;
  }

  static Found searched(const test::RandomNetwork& random, PropertyId id) {
    const Property& property = random.network->property(id);
    SearchOptions options;
    options.candidates = random.candidates;
    options.max_states = 20'000;
    options.max_depth = 200;
    ExprPool& pool = random.network->pool();
    Expr goal = property.condition();
    if (property.kind != PropertyKind::Reach) {
      // An undefined condition violates an invariant; whether an instance is there, the search
      // cannot ask.
      for (SymbolId symbol : symbols(pool, goal)) {
        if (random.network->role(symbol).kind == RoleKind::RemoteCurrent) return Found::Nothing;
      }
      goal = pool.disj(pool.negate(definedness(pool, goal)), pool.negate(goal));
    }
    const SearchResult result =
        explicit_search(*random.network, property.universe, goal, property.bound, options);
    if (result.trace) return Found::Yes;
    return result.exhausted ? Found::No : Found::Nothing;
  }
};

// Every other network with hints: what its properties say and the contrary, so that many are wrong.
TEST_P(RandomEngines, AgreeWithExplicitSearch) {
  const std::uint64_t offset = test::seed_offset();
  int decided = 0;
  for (int seed = 1; seed <= 15 * test::effort() && !HasFailure(); ++seed) {
    test::RandomNetwork random = test::random_network(static_cast<std::uint64_t>(seed) + offset);
    std::vector<Expr> hints;
    for (const Property& property : random.network->properties()) {
      if (seed % 2 == 0 || !property.condition().valid()) continue;
      hints.push_back(property.condition());
      hints.push_back(random.network->pool().negate(property.condition()));
    }
    for (PropertyId id : random.properties) {
      Property& property = random.network->property(id);
      property.bound = {};
      const Found expected = searched(random, id);
      if (expected == Found::Nothing) continue;
      Found actual = Found::Nothing;
      try {
        actual = found(random.network, id, GetParam(), hints);
      } catch (const InternalError& rejected) {
        ADD_FAILURE() << "seed " << seed + offset << ", " << property.name << ": "
                      << rejected.what() << "\n"
                      << test::described(*random.network);
      }
      if (actual == Found::Nothing) continue;
      ++decided;
      EXPECT_EQ(actual == Found::Yes, expected == Found::Yes)
          << "seed " << seed + offset << ", " << property.name << "\n"
          << test::described(*random.network);
    }
  }
  EXPECT_GT(decided, 15 * test::effort());  // seen: 36 to 72
}

TEST_P(RandomEngines, AgreeWithBmcOnStructuralChecks) {
  constexpr int kLeast = 8;
  int compared = 0;
  // More networks where an engine does not know the steps of the first ones.
  for (int seed = 1; (seed <= test::effort() || (compared < kLeast && seed <= 12)) && !HasFailure();
       ++seed) {
    test::RandomNetwork random = test::random_network(1000 + static_cast<std::uint64_t>(seed));
    LoadedModels loaded;
    loaded.models.push_back({"random", random.network});
    for (const Question& question : lint_questions(loaded)) {
      const Property& property = question.what();
      if (property.kind == PropertyKind::Invariant) continue;
      const Found mine = found(question.network, question.property, GetParam());
      const Found other = found(question.network, question.property, "bmc");
      if (mine == Found::Nothing || other == Found::Nothing) continue;
      ++compared;
      EXPECT_EQ(mine == Found::Yes, other == Found::Yes)
          << "seed " << 1000 + seed << ", " << property.name << "\n"
          << test::described(*random.network);
    }
  }
  EXPECT_GE(compared, kLeast);
}

// `bmc` is the other side of the comparison.
std::vector<std::string> compared_engines() {
  std::vector<std::string> result;
  for (const EngineInfo* engine : engines())
    if (engine->can.unbounded && !engine->can.counting_only && !engine->can.live_only)
      result.emplace_back(engine->id);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Engines, RandomEngines, ::testing::ValuesIn(compared_engines()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Is there always a way back? On random networks against a search through all states, for answers
// by search and answers by ways.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "driver/decide_options.h"
#include "driver/recovery.h"
#include "support/effort.h"
#include "support/network_graph.h"

namespace whittle {
namespace {

// Until nothing changes.
bool always_returns(test::NetworkGraph& graph, Expr condition) {
  std::vector<char> returns;
  for (std::size_t state = 0; state < graph.size(); ++state)
    returns.push_back(graph.holds(condition, state) ? 1 : 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t state = 0; state < graph.size(); ++state) {
      for (const auto& step : graph.steps(state)) {
        if (returns[state] != 0 || returns[step.target] == 0) continue;
        returns[state] = 1;
        changed = true;
      }
    }
  }
  return std::find(returns.begin(), returns.end(), 0) == returns.end();
}

PropertyResult decided(const test::RandomNetwork& random, PropertyId property,
                       const std::string& engine) {
  OptionSet options;
  auto& deciding = options.add<DecideOptions>();
  deciding.engine.set(engine);
  deciding.timeout.set(0.7);
  Logger log;
  IgnoreProgress progress;
  DecideContext context{options, Deadline::never(), {}, log, progress};
  return decide_recovery("random", random.network, property, context);
}

PropertyId recoverable(Network& network, PropertyId like) {
  Property question = network.property(like);
  const Expr condition = question.condition();
  question.name += " again";
  question.kind = PropertyKind::Recoverable;
  question.goal = RecoveryGoal{condition};
  question.bound = {};
  return network.add_property(std::move(question));
}

TEST(RecoveryRandom, AgreesWithAllStates) {
  int holds = 0, violated = 0, by_ways = 0;
  for (int seed = 1; seed <= 40 * test::effort() && !HasFailure(); ++seed) {
    const test::RandomNetwork random =
        test::random_network(static_cast<std::uint64_t>(seed) + 4'000 + test::seed_offset());
    test::NetworkGraph graph(random, 2'000);
    if (!graph.complete()) continue;
    for (const PropertyId like : random.properties) {
      const PropertyId id = recoverable(*random.network, like);
      const bool expected = always_returns(graph, random.network->property(like).condition());
      for (const char* engine : {"explicit", "pdr"}) {
        try {
          const PropertyResult result = decided(random, id, engine);
          if (!result.verdict.known()) continue;
          EXPECT_EQ(result.verdict.kind() == VerdictKind::Holds, expected)
              << engine << ", seed " << seed << "\n"
              << test::described(*random.network);
          (expected ? holds : violated) += 1;
          by_ways += std::string_view(engine) == "pdr" ? 1 : 0;
        } catch (const InternalError& rejected) {
          ADD_FAILURE() << engine << ", seed " << seed << ": " << rejected.what() << "\n"
                        << test::described(*random.network);
        }
      }
    }
  }
  EXPECT_GT(holds, 12 * test::effort());
  EXPECT_GT(violated, 12 * test::effort());
  EXPECT_GT(by_ways, 6 * test::effort());
}

}  // namespace
}  // namespace whittle

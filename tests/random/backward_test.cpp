// SPDX-License-Identifier: Apache-2.0
// The search from the goal back, by itself, against explicit search: on random programs and random
// networks it finds runs of the same least length or none, and what it claims for any number of
// steps is an inductive invariant.
#include <gtest/gtest.h>

#include "engine/preimage/backward_search.h"
#include "expr/traverse.h"
#include "ir/lowering/lower.h"
#include "ir/run/explicit_search.h"
#include "support/effort.h"
#include "support/load.h"
#include "support/random_network.h"
#include "support/random_proc.h"

namespace whittle {
namespace {

constexpr std::uint64_t kMaxDepth = 9;  // of the oracle, for questions without a bound
constexpr std::uint64_t kEffort = 3'000'000;
constexpr std::size_t kMaxStates = 4'000;

struct Oracle {
  bool known = false;
  std::optional<std::uint64_t> depth;  // of a shortest run to the goal
};

// Does a term read variables of instances that may be missing? Then it is undefined in a way that
// `definedness` does not know.
bool has_references(const Network& network, Expr root) {
  for (SymbolId symbol : symbols(network.pool(), root)) {
    if (network.role(symbol).kind == RoleKind::RemoteCurrent) return true;
  }
  return false;
}

Oracle oracle(const Network& network, PropertyId id, const Candidates& candidates) {
  ExprPool& pool = network.pool();
  const Property& property = network.property(id);
  Expr goal = property.condition();
  if (property.kind != PropertyKind::Reach) {
    if (has_references(network, goal)) return {};
    goal = pool.disj(pool.negate(definedness(pool, goal)), pool.negate(goal));
  }
  SearchOptions options;
  options.candidates = candidates;
  options.max_depth = property.bound.max.value_or(kMaxDepth);
  options.max_states = kMaxStates;
  StepBound bound = property.bound;
  if (!bound.max) bound.max = kMaxDepth;
  const SearchResult found = explicit_search(network, property.universe, goal, bound, options);
  if (found.trace) return {true, found.trace->length()};
  return {found.exhausted || (found.clear && found.clear_to >= *bound.max), std::nullopt};
}

// init -> invariant;  invariant and a step -> invariant afterwards;  invariant -> no goal
bool is_inductive(const TransitionSystem& system, Expr invariant) {
  ExprPool& pool = *system.pool;
  const smt::SolverFactory solvers{smt::SolverFactory::Settings{}};
  const auto solver = solvers.make(pool, "test");
  auto impossible = [&](const std::vector<Expr>& conditions) {
    return solver->check_assuming(conditions).answer == smt::Answer::Unsat;
  };
  const Expr broken = pool.negate(invariant);
  if (!impossible({system.init, broken})) return false;
  if (!impossible({invariant, system.goal.condition})) return false;
  for (const Transition& transition : system.transitions) {
    Substitution after(pool);
    for (const Update& update : transition.updates)
      after.set(system.variables[update.variable].current, update.value);
    for (std::uint32_t v : transition.open)
      after.set(system.variables[v].current, pool.symbol(system.variables[v].next));
    if (!impossible({invariant, transition.guard, after(broken)})) return false;
  }
  return true;
}

struct Tally {
  int decided = 0;
  int runs = 0;    // of at least one step
  int proofs = 0;  // for any number of steps
  int beyond = 0;
};

void compare(Network& network, PropertyId id, const Oracle& expected, bool ranges, Tally& tally,
             const std::string& place) {
  const Lowered lowered = lower(network, id);
  const TransitionSystem& system = lowered.system;
  OptionSet options;
  Statistics statistics;
  Logger log;
  IgnoreProgress progress;
  Env env{options, smt::SolverFactory({}), {}, {}, statistics, log, progress, "test"};
  BackwardSearch search(system, env, {system.bound.max, ranges});
  switch (search.run(kEffort)) {
    case BackwardSearch::State::Searching:
    case BackwardSearch::State::Unsupported:
      ++tally.beyond;
      if (expected.depth) {
        ASSERT_LE(search.clear(), *expected.depth) << place;
      }
      return;
    case BackwardSearch::State::Found: {
      ASSERT_EQ(flat_trace_problem(system, search.trace()), std::nullopt) << place;
      std::uint64_t length = 0;
      for (const FlatStep& step : search.trace().steps) length += step.times;
      if (expected.depth) {
        ASSERT_EQ(length, *expected.depth) << place;
      } else {
        // It looks further than the oracle.
        ASSERT_FALSE(system.bound.max) << place;
        ASSERT_GT(length, kMaxDepth) << place;
      }
      tally.runs += length > 0 ? 1 : 0;
      break;
    }
    case BackwardSearch::State::Nothing:
      ASSERT_FALSE(expected.depth) << *expected.depth << " steps; " << place;
      if (!system.bound.max) {
        const Expr invariant = search.invariant();
        if (invariant.valid()) {
          ASSERT_TRUE(is_inductive(system, invariant)) << place;
          ++tally.proofs;
        }
      }
      break;
  }
  ++tally.decided;
}

TEST(RandomBackward, AgreesWithExplicitSearchOnPrograms) {
  const int programs = 150 * test::effort();
  const auto offset = static_cast<int>(test::seed_offset());
  Tally tally;
  for (int seed = offset; seed < offset + programs; ++seed) {
    const std::string text = test::RandomProc(static_cast<std::uint64_t>(seed) + 2'000'000)();
    const test::Loaded loaded = test::load("proc", text, "random.proc");
    ASSERT_NE(loaded.network, nullptr) << text << loaded.messages();
    const Candidates candidates = finite_candidates(loaded.network->pool());
    for (std::uint32_t p = 0; p < loaded.network->properties().size(); ++p) {
      const Oracle expected = oracle(*loaded.network, PropertyId(p), candidates);
      if (!expected.known) continue;
      compare(*loaded.network, PropertyId(p), expected, seed % 4 != 0, tally,
              "seed " + std::to_string(seed) + ", " + loaded.network->property(PropertyId(p)).name +
                  "\n" + text);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(tally.decided, programs);
  EXPECT_GT(tally.runs, programs / 4);
  EXPECT_GT(tally.proofs, programs / 4);
  EXPECT_LT(tally.beyond, tally.decided / 10);
}

TEST(RandomBackward, AgreesWithExplicitSearchOnNetworks) {
  const int rounds = 150 * test::effort();
  const auto offset = static_cast<int>(test::seed_offset());
  Tally tally;
  test::RandomNetworkOptions options;
  options.relations = false;  // beyond it
  options.max_events = 6;
  for (int seed = offset; seed < offset + rounds; ++seed) {
    const test::RandomNetwork random =
        test::random_network(static_cast<std::uint64_t>(seed) + 2'000'000, options);
    for (PropertyId property : random.properties) {
      if (random.network->property(property).bound.min > 0) continue;
      const Oracle expected = oracle(*random.network, property, random.candidates);
      if (!expected.known) continue;
      compare(*random.network, property, expected, seed % 4 != 0, tally,
              "seed " + std::to_string(seed) + ", " + random.network->property(property).name +
                  "\n" + test::described(*random.network));
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(tally.decided, rounds / 2);
  EXPECT_GT(tally.runs, rounds / 20);
  EXPECT_GT(tally.proofs, rounds / 4);
}

}  // namespace
}  // namespace whittle

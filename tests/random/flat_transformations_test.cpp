// SPDX-License-Identifier: Apache-2.0
// Each transformation of flat systems against explicit search on random systems that are made for
// it:
//   - the goal of the result is reachable exactly if that of the original is (if it
//     over-approximates: is reachable if that is);
//   - a run of the result to its goal is one of the original, as long where steps correspond;
//   - along it, hints and conditions that were carried forward are true where the originals are;
//   - the condition "in a reachable state" of the result, said of the original, is inductive there
//     and excludes the goal.
#include <gtest/gtest.h>

#include "simplify/flat/array_cells.h"
#include "simplify/flat/array_samples.h"
#include "simplify/flat/blocks.h"
#include "simplify/flat/control_locations.h"
#include "simplify/flat/phases.h"
#include "simplify/flat/strengthened.h"
#include "simplify/flat/summary_steps.h"
#include "support/effort.h"
#include "support/random_flat.h"

namespace whittle {
namespace {

using test::FlatShape;
using test::RandomFlat;

constexpr std::uint64_t kMaxDepth = 40;
constexpr std::size_t kMaxStates = 5'000;

// The lemma is what a search finds.
std::optional<FlatTransformed> with_lemma(const RandomFlat& random) {
  const TransitionSystem& system = random.system;
  const auto states = test::reachable_states(
      system, test::states_where(system, system.init, random.candidates), random.candidates, 300);
  if (states.empty()) return std::nullopt;
  return simplify::strengthened(system, test::one_of(system, states));
}

struct Case {
  const char* name;
  FlatShape shape;
  std::function<std::optional<FlatTransformed>(const RandomFlat&)> stage;
  // Of how many rounds of a hundred something was compared, at least.
  int applied, reached, carried, invariants;
  bool located = false;  // the systems have locations
};

FlatTransformation of(const Case& c, const RandomFlat& random) {
  return [&](const TransitionSystem&) { return c.stage(random); };
}

struct Compared {
  int applied = 0;     // systems that the transformation changes
  int reached = 0;     // traces that were lifted, or goals of both where they mean nothing
  int carried = 0;     // conditions that were compared in a state
  int invariants = 0;  // that were found to be inductive, and exclude the goal
};

class FlatTransformations : public ::testing::TestWithParam<Case> {
 protected:
  void compare(const RandomFlat& random) {
    const FlatPipeline pipeline(random.system, {of(GetParam(), random)});
    if (!pipeline.changed()) return;
    ++compared_.applied;
    const auto original = searched(random.system, random.candidates);
    const auto result = searched(pipeline.system(), random.candidates);
    if (!original.complete || !result.complete) return;
    if (pipeline.precision() == FlatPrecision::OverApproximates) {
      EXPECT_TRUE(result.trace || !original.trace);
      EXPECT_FALSE(result.trace && pipeline.trace(*result.trace));
      compared_.reached += original.trace ? 1 : 0;
    } else {
      EXPECT_EQ(original.trace.has_value(), result.trace.has_value());
    }
    if (result.trace && pipeline.precision() == FlatPrecision::Exact)
      lift(random, pipeline, *result.trace);
    if (!result.trace && result.exhausted) invariant(random, pipeline);
  }

  static test::FlatSearchResult searched(const TransitionSystem& system,
                                         const Candidates& candidates) {
    return test::flat_search(system, test::states_where(system, system.init, candidates),
                             candidates, kMaxDepth, kMaxStates);
  }

  void lift(const RandomFlat& random, const FlatPipeline& pipeline, const FlatTrace& trace) {
    const auto lifted = pipeline.trace(trace);
    ASSERT_TRUE(lifted);
    EXPECT_EQ(flat_trace_problem(random.system, *lifted), std::nullopt);
    ++compared_.reached;
    if (pipeline.steps() == FlatSteps::OneToMany) return;
    ASSERT_EQ(lifted->steps.size(), trace.steps.size());
    std::vector<Expr> conditions = random.atoms;
    conditions.insert(conditions.end(), random.system.hints.begin(), random.system.hints.end());
    FlatRun before(random.system);
    FlatRun after(pipeline.system());
    FlatState in_original = lifted->initial;
    FlatState in_result = trace.initial;
    for (std::size_t k = 0;; ++k) {
      for (const Expr condition : conditions) {
        const Expr forward = pipeline.forward(condition);
        if (!forward.valid()) continue;
        ++compared_.carried;
        EXPECT_EQ(before.holds(condition, in_original), after.holds(forward, in_result));
      }
      if (k == trace.steps.size()) break;
      ASSERT_EQ(before.advance(in_original, lifted->steps[k]), std::nullopt);
      ASSERT_EQ(after.advance(in_result, trace.steps[k]), std::nullopt);
    }
  }

  void invariant(const RandomFlat& random, const FlatPipeline& pipeline) {
    const TransitionSystem& result = pipeline.system();
    const auto states = test::reachable_states(
        result, test::states_where(result, result.init, random.candidates), random.candidates, 300);
    if (states.empty()) return;
    const Expr condition = pipeline.condition(test::one_of(result, states));
    if (!condition.valid()) return;
    ++compared_.invariants;
    FlatRun run(random.system);
    for (const FlatState& state :
         test::states_where(random.system, random.system.init, random.candidates))
      EXPECT_TRUE(run.holds(condition, state));
    for (const FlatState& state : test::states_where(random.system, condition, random.candidates)) {
      EXPECT_FALSE(run.holds(random.system.goal.condition, state));
      test::each_flat_step(
          random.system, run, state, random.candidates,
          [&](const FlatStep&, const FlatState& next) { EXPECT_TRUE(run.holds(condition, next)); });
    }
  }

  Compared compared_;
};

TEST_P(FlatTransformations, AgreeWithExplicitSearch) {
  const int rounds = 100 * test::effort();
  for (int seed = 1; seed <= rounds && !HasFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomFlat random =
        test::random_flat(static_cast<std::uint64_t>(seed) + test::seed_offset(), GetParam().shape);
    if (GetParam().located) {
      auto located = simplify::find_control_locations(random.system);
      if (!located) continue;
      random.system = std::move(located->system);
    }
    compare(random);
  }
  const int effort = test::effort();
  EXPECT_GE(compared_.applied, GetParam().applied * effort);
  EXPECT_GE(compared_.reached, GetParam().reached * effort);
  EXPECT_GE(compared_.carried, GetParam().carried * effort);
  EXPECT_GE(compared_.invariants, GetParam().invariants * effort);
  RecordProperty("applied", compared_.applied);
  RecordProperty("reached", compared_.reached);
  RecordProperty("carried", compared_.carried);
  RecordProperty("invariants", compared_.invariants);
}

std::vector<Case> cases() {
  simplify::CellOptions chosen;
  chosen.max_chosen = 8;
  return {
      {"control_locations", FlatShape::Counter,
       [](const RandomFlat& r) { return simplify::find_control_locations(r.system); }, 70, 10, 200,
       50},
      {"blocks", FlatShape::Counter,
       [](const RandomFlat& r) { return simplify::large_blocks(r.system, {}); }, 8, 3, 0, 4, true},
      {"array_cells", FlatShape::Arrays,
       [](const RandomFlat& r) { return simplify::split_arrays(r.system); }, 40, 20, 200, 15},
      {"array_cells_chosen", FlatShape::Arrays,
       [chosen](const RandomFlat& r) { return simplify::split_arrays(r.system, chosen); }, 70, 35,
       350, 30},
      {"array_samples", FlatShape::OpenArrays,
       [](const RandomFlat& r) { return simplify::sample_arrays(r.system); }, 70, 40, 0, 20},
      {"phases", FlatShape::Phases,
       [](const RandomFlat& r) { return simplify::split_phases(r.system); }, 60, 30, 300, 30},
      {"summary_steps", FlatShape::Counting,
       [](const RandomFlat& r) { return simplify::accelerated(r.system); }, 60, 18, 0, 0},
      {"strengthened", FlatShape::Phases, with_lemma, 70, 30, 300, 35},
  };
}

INSTANTIATE_TEST_SUITE_P(Flat, FlatTransformations, ::testing::ValuesIn(cases()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace whittle

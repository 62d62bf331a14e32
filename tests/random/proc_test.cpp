// SPDX-License-Identifier: Apache-2.0
// Random concurrent programs: which properties are violated, and after how many steps at least, is
// the same with and without projections, with and without partial-order reduction, and by explicit
// search. Traces are replayed on the program (decide throws when a witness is rejected).
#include <gtest/gtest.h>

#include <algorithm>

#include "driver/decide.h"
#include "driver/slice_stage.h"
#include "engine/bmc.h"
#include "engine/reduction/accesses.h"
#include "engine/reduction/partial_order.h"
#include "engine/reduction/projection.h"
#include "expr/traverse.h"
#include "ir/lowering/lower.h"
#include "ir/run/explicit_search.h"
#include "slice/slice.h"
#include "support/answer.h"
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
  const char* engine = "bmc";
  BmcNumbers numbers = BmcNumbers::Auto;
  BmcBackward backward = BmcBackward::Off;
};

std::vector<Configuration> configurations() {
  using enum BmcProjection;
  using enum BmcEncoding;
  const Configuration searched{
      "from the goal back",    Liveness, BmcPor::On,       Deltas,         BmcRanges::On,
      slice::Granularity::Off, "bmc",    BmcNumbers::Auto, BmcBackward::On};
  Configuration searched_slice = searched;
  searched_slice.name = "from the goal back, on a slice";
  searched_slice.slice = slice::Granularity::Fine;
  return {
      searched,
      searched_slice,
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
      {"liveness with ranges", Liveness, BmcPor::Off, Deltas, BmcRanges::On,
       slice::Granularity::Off},
      {"both on numbers", Liveness, BmcPor::On, Deltas, BmcRanges::On, slice::Granularity::Off,
       "bmc", BmcNumbers::Integers},
      {"search by states", Off, BmcPor::Off, Deltas, BmcRanges::Off, slice::Granularity::Off,
       "explicit"},
      {"search by states on a slice", Off, BmcPor::Off, Deltas, BmcRanges::Off,
       slice::Granularity::Fine, "explicit"},
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
  bmc.numbers.set(configuration.numbers);
  bmc.backward.set(configuration.backward);
  bmc.max_depth.set(kMaxDepth);
  auto& decide_options = options.add<DecideOptions>();
  decide_options.engine.set(configuration.engine);
  // That a run of the greatest depth exists at all can be as hard a question as any (it is only
  // asked to say so); everything else takes far less.
  decide_options.timeout.set(120);
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
  const Expr goal = pool.disj(pool.negate(definedness(pool, property.condition())),
                              pool.negate(property.condition()));
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
  const std::string all = place + ", " + configuration.name + ": " + test::why_unknown(verdict);
  if (expected.depth) {
    ASSERT_TRUE(verdict.trace()) << all;
    if (configuration.encoding == BmcEncoding::Monolithic)
      ASSERT_GE(verdict.trace()->length(), *expected.depth) << all;
    else
      ASSERT_EQ(verdict.trace()->length(), *expected.depth) << all;
    return;
  }
  const bool by_states = verdict.engine == "explicit";
  const bool further = by_states || configuration.backward == BmcBackward::On;
  if (further && !expected.exhausted && !loaded.network->property(id).bound.max) {
    // It looks further than the oracle.
    ASSERT_TRUE(!verdict.trace() || verdict.trace()->length() > kMaxDepth) << all;
    return;
  }
  ASSERT_FALSE(verdict.trace()) << all;
  ASSERT_TRUE(!by_states || verdict.kind() == VerdictKind::Holds) << all;
  if (loaded.network->property(id).bound.max) {
    ASSERT_EQ(verdict.kind(), VerdictKind::Holds) << all;
  } else if (verdict.kind() == VerdictKind::Unknown) {
    ASSERT_EQ(verdict.undecided()->clear_to, kMaxDepth) << all;
  }
}

TEST(RandomProc, ProjectionsAndOrdersKeepViolationsAndLeastDepths) {
  const std::vector<Configuration> all = configurations();
  const int programs = 60 * test::effort();
  const auto offset = static_cast<int>(test::seed_offset());
  int compared = 0;
  int violated = 0;
  for (int seed = offset; seed < offset + programs; ++seed) {
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

// The runs of up to `depth` steps on which every step matters for a goal that always holds, each
// with the value of `shown` at its end.
std::vector<std::string> projections(const std::string& text, std::uint64_t depth,
                                     const std::string& shown) {
  std::vector<std::string> found;
  const test::Loaded loaded = test::load("proc", text, "program.proc");
  EXPECT_NE(loaded.network, nullptr) << loaded.messages();
  if (loaded.network == nullptr) return found;
  const Lowered lowered = lower(*loaded.network, PropertyId(0));
  const TransitionSystem& system = lowered.system;
  ExprPool& pool = *system.pool;
  for (std::uint64_t length = 0; length <= depth; ++length) {
    Unroller unroller(system);
    StepEncoder steps(system, unroller, StepEncoding::Updates, nullptr);
    const Accesses accesses(system);
    PartialOrder order(system, accesses, unroller, steps, true);
    const auto projection = liveness_projection(system, accesses, unroller, steps, true);
    std::vector<Expr> conditions = {unroller.at_time(system.init, 0)};
    for (std::uint64_t k = 0; k < length; ++k) {
      steps.encode(k, conditions);
      order.encode(k, conditions);
      projection->encode(k, conditions);
    }
    projection->at_goal(length, pool.boolean(true), conditions);
    const smt::SolverFactory solvers{smt::SolverFactory::Settings{}};
    const auto solver = solvers.make(pool, "test");
    for (Expr condition : conditions) solver->require(condition);
    while (solver->check().answer == smt::Answer::Sat) {
      std::string run;
      std::vector<Expr> other;
      for (std::uint64_t k = 0; k < length; ++k) {
        const std::uint32_t t = *steps.taken(k, [&](Expr term) { return solver->value(term); });
        run += system.transitions[t].name + "; ";
        other.push_back(pool.negate(steps.selector(k, t)));
      }
      for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
        if (system.variables[v].name != shown) continue;
        const Value value = solver->value(unroller.variable(v, length));
        run += shown + " == " + value.as_integer().to_string();
      }
      found.push_back(run);
      solver->require(pool.disj(other));
    }
  }
  return found;
}

// Figure 1 of Saissi, Bokor, Suri (2015): asked for all values of `y`, the runs on which every step
// matters are the three projections of their figure 1b and the empty one.
TEST(Figure1, HasThreeProjections) {
  const std::string text = R"(program figure1
shared a: Int = 0
shared b: Int = 1
shared B: Int[4]
shared x: Int = 0
shared y: Int = 0
process P1 { a := 1; }
process P2 { B[b] := 5; }
process P3 { x := B[a]; y := x + 7; }
init B[0] == 10 && B[1] == 11
property any @depth 4: y < 0
)";
  const std::vector<std::string> expected = {
      "y == 0",
      "P3.x := B[a]; P3.y := x + 7; y == 17",
      "P1.a := 1; P3.x := B[a]; P3.y := x + 7; y == 18",
      "P1.a := 1; P2.B[b] := 5; P3.x := B[a]; P3.y := x + 7; y == 12",
  };
  EXPECT_EQ(projections(text, 4, "y"), expected);
}

// Either part of the goal will do, so no run has steps for both.
TEST(Projections, AreForOnePartOfTheGoal) {
  const std::string text = R"(program parts
shared x: Int = 0
shared y: Int = 0
process P { x := 1; }
process Q { y := 2; }
property any @depth 2: x < 0 && y < 0
)";
  std::vector<std::string> found = projections(text, 2, "x");
  std::sort(found.begin(), found.end());
  const std::vector<std::string> expected = {"P.x := 1; x == 1", "Q.y := 2; x == 0", "x == 0"};
  EXPECT_EQ(found, expected);
}

// What a step puts into a variable of its own process matters only if the process passes it on.
TEST(Projections, FollowValuesThroughLocalVariables) {
  const std::string text = R"(program locals
shared x: Int = 0
shared y: Int = 0
process P { x := 1; }
process Q { var a: Int = 0; var b: Int = 0; a := x; b := a; y := b; }
process R { var c: Int = 0; c := x; y := 5; }
property any @depth 5: y < 0
)";
  std::vector<std::string> found = projections(text, 5, "y");
  std::sort(found.begin(), found.end());
  const std::vector<std::string> expected = {
      "P.x := 1; Q.a := x; Q.b := a; Q.y := b; y == 1",
      "Q.a := x; Q.b := a; Q.y := b; y == 0",
      "R.c := x; R.y := 5; y == 5",
      "y == 0",
  };
  EXPECT_EQ(found, expected);
}

// Printed programs load again, are the same if nothing was taken away, and answer the question they
// were sliced for in the same way.
TEST(RandomProc, PrintedProgramsMeanTheSame) {
  const int programs = 40 * test::effort();
  for (int seed = 0; seed < programs; ++seed) {
    const std::string text = test::RandomProc(static_cast<std::uint64_t>(seed) + 1'000'000)();
    const test::Loaded loaded = test::load("proc", text, "random.proc");
    ASSERT_NE(loaded.network, nullptr) << text << loaded.messages();
    const Language& language = *find_language("proc");
    const std::string whole = language.print(*loaded.network, *loaded.sources).at(0).text;
    EXPECT_EQ(whole, text);
    for (std::uint32_t p = 0; p < loaded.network->properties().size(); ++p) {
      const Oracle expected = oracle(*loaded.network, PropertyId(p));
      if (!expected.known) continue;
      const slice::SliceResult cut = slice::slice(loaded.network, PropertyId(p), {});
      const std::string part = language.print(*cut.network, *loaded.sources).at(0).text;
      const test::Loaded again = test::load("proc", part, "random.proc");
      ASSERT_NE(again.network, nullptr) << text << part << again.messages();
      const std::string& name = loaded.network->property(PropertyId(p)).name;
      for (std::uint32_t q = 0; q < again.network->properties().size(); ++q) {
        if (again.network->property(PropertyId(q)).name != name) continue;
        const Oracle answer = oracle(*again.network, PropertyId(q));
        if (!answer.known) continue;
        ASSERT_EQ(answer.depth, expected.depth) << "seed " << seed << ", " << name << "\n"
                                                << text << part;
      }
    }
  }
}

}  // namespace
}  // namespace whittle

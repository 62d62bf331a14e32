// SPDX-License-Identifier: Apache-2.0
#include "driver/constraints.h"

#include <gtest/gtest.h>

#include "engine/invariants/rsc_options.h"
#include "ir/notation.h"
#include "report/verdict_text.h"
#include "support/load.h"

namespace whittle {
namespace {

using Texts = std::vector<std::string>;

struct Found {
  test::Loaded loaded;
  std::vector<ReachableConstraints> all;

  // What is known in the only universe, as the language writes it.
  Texts texts() {
    EXPECT_EQ(all.size(), 1U);
    Texts result;
    const Network& network = *all.front().network;
    for (Expr condition : as_conditions(all.front()))
      result.push_back(network.notation->condition(network, condition));
    return result;
  }
};

Found found(const std::string& language, const std::string& text,
            smt::SolverId solver = smt::SolverId::Z3, Deadline deadline = Deadline::never()) {
  Found result{test::load(language, text), {}};
  EXPECT_NE(result.loaded.network, nullptr) << result.loaded.messages();
  if (result.loaded.network == nullptr) return result;
  OptionSet options;
  options.add<ConstraintOptions>().solver.set(solver);
  options.add<RscOptions>();
  Logger log;
  IgnoreProgress progress;
  DecideContext context{options, deadline, {}, log, progress};
  result.all = reachable_constraints(result.loaded.network, context);
  return result;
}

constexpr const char* kDiamond = R"(
system Diamond
var i: Int
node A, B, C, D, Nowhere
start A: i == 0
transition two: A -> B then i' == i + 2
transition seven: A -> C then i' == i + 7
transition end: B -> D
transition close: C -> D
transition never: D -> Nowhere when i == 5
)";

TEST(Constraints, OnePerLocationInTheOrderOfTheText) {
  EXPECT_EQ(found("sts", kDiamond).texts(), (Texts{"@A -> i == 0", "@B -> i == 2", "@C -> i == 7",
                                                   "@D -> i == 2 || i == 7", "!@Nowhere"}));
}

TEST(Constraints, TheOtherSolverChecksThem) {
  for (const smt::SolverId solver : {smt::SolverId::Z3, smt::SolverId::Cvc5}) {
    const Found known = found("sts", kDiamond, solver);
    ASSERT_EQ(known.all.size(), 1U);
    EXPECT_TRUE(known.all[0].witness.checked);
    EXPECT_NE(checked_by(known.all[0].witness), solver == smt::SolverId::Z3 ? "z3" : "cvc5");
    EXPECT_EQ(known.all[0].reason, "");
  }
}

TEST(Constraints, LoopsAreFoundAndWhatFollowsIsLeftOut) {
  EXPECT_EQ(found("sts", R"(
system Loop
var x: Int
node P
start P: x == 0
transition up: P -> P when x < 5 then x' == x + 1
)")
                .texts(),
            (Texts{"x >= 0 && x <= 5"}));
}

TEST(Constraints, WhatHoldsAtALocationOfOneOfSeveralMachines) {
  Found known = found("proc", R"(
program p
shared n: Int = 0
process P[t: 0..1] {
  a: n := 1;
  b: n := 1;
}
)");
  EXPECT_EQ(known.texts(),
            (Texts{"P[0]@a -> n >= 0 && n <= 1", "P[0]@b -> n == 1", "P[0]@end -> n == 1",
                   "P[1]@a -> n >= 0 && n <= 1", "P[1]@b -> n == 1", "P[1]@end -> n == 1"}));
}

TEST(Constraints, WithoutTimeNothingIsKnownAndItSaysWhy) {
  const Found known =
      found("sts", kDiamond, smt::SolverId::Z3, Deadline::after(std::chrono::milliseconds(0)));
  ASSERT_EQ(known.all.size(), 1U);
  EXPECT_TRUE(known.all[0].locations.empty());
  EXPECT_NE(known.all[0].reason, "");
}

}  // namespace
}  // namespace whittle

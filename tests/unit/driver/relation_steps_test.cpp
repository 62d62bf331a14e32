// SPDX-License-Identifier: Apache-2.0
// Relations between states, as VMT-LIB has them, taken apart into events; and the way back.
#include "simplify/network/relation_steps.h"

#include <gtest/gtest.h>

#include <string>

#include "ir/run/interpreter.h"
#include "support/vmt_relation.h"

namespace whittle {
namespace {

using test::load;
using test::Loaded;
using test::vmt_relation;

// Guards and effects of each event, one line each.
std::string written(const Network& network) {
  std::string out;
  const ExprPool& pool = network.pool();
  for (const Event& event : network.events()) {
    out += event.name + "(";
    for (const Parameter& p : event.parameters) out += (out.back() == '(' ? "" : ", ") + p.name;
    out += ")\n";
    for (const Guard& guard : event.guards) out += "  " + to_string(pool, guard.condition) + "\n";
    for (const Effect& effect : event.effects) {
      out += "  " + network.variable(effect.writes[0]).name + " := ";
      out += effect.kind == EffectKind::Free ? "any" : to_string(pool, effect.expr);
      out += "\n";
    }
  }
  return out;
}

std::string steps(const Loaded& loaded) {
  if (loaded.network == nullptr) return loaded.messages();
  const auto apart = simplify::relations_taken_apart(loaded.network, PropertyId(0));
  if (!apart) return "as it is";
  const auto problems = well_formedness_problems(*apart->network);
  return problems.empty() ? written(*apart->network) : problems[0];
}

std::string steps(const std::string& trans) { return steps(vmt_relation(trans)); }

TEST(RelationSteps, EquationsAreAssignments) {
  EXPECT_EQ(steps("(and (= x.next (+ x in)) (= (+ x.next 1) y.next) (> in 0))"),
            "step(in)\n  in > 0\n  x := x + in\n  y := x + in + 1\n");
}

TEST(RelationSteps, WhatStaysHasNoEffect) {
  EXPECT_EQ(steps("(and (= x.next x) (= y.next x))"), "step()\n  y := x\n");
}

TEST(RelationSteps, UnmentionedValuesAreFree) {
  EXPECT_EQ(steps("(= x.next 1)"), "step()\n  x := 1\n  y := any\n");
}

TEST(RelationSteps, RestrictedValuesAreParameters) {
  EXPECT_EQ(steps("(and (> x.next x) (= y.next x.next))"),
            "step(x.next)\n  x < x.next\n  x := x.next\n  y := x.next\n");
}

TEST(RelationSteps, CircularEquations) {
  EXPECT_EQ(steps("(and (= x.next (+ y.next 1)) (= y.next (* 2 x.next)))"),
            "step(x.next)\n  x.next == 2 * x.next + 1\n  x := x.next\n  y := 2 * x.next\n");
  EXPECT_EQ(steps("(= x.next (* 2 x.next))"),
            "step(x.next)\n  x.next == 2 * x.next\n  x := x.next\n  y := any\n");
}

TEST(RelationSteps, SecondEquationIsAGuard) {
  EXPECT_EQ(steps("(and (= x.next y) (= x.next 3) (= y.next 0))"),
            "step()\n  y == 3\n  x := y\n  y := 0\n");
}

// An input that is determined is a name and no parameter, however late that turns out.
TEST(RelationSteps, DeterminedInputsAreNames) {
  EXPECT_EQ(steps("(and (= x.next in) (= x.next y) (= y.next 0))"), "step()\n  x := y\n  y := 0\n");
  EXPECT_EQ(steps("(and (= (+ x (* (- 1) in)) (- 1)) (= y.next in) (= x.next x) (< in 9))"),
            "step()\n  x + 1 < 9\n  y := x + 1\n");
  // Only whole numbers: two times one may be odd.
  EXPECT_EQ(steps("(and (= (* 2 in) x) (= y.next in) (= x.next x))"),
            "step(in)\n  2 * in == x\n  y := in\n");
}

TEST(RelationSteps, WhatIsKnownToHoldIsPutIn) {
  const Loaded loaded = load("vmt", std::string(test::kVmtNumbers) + R"(
(declare-fun a () Bool) (declare-fun b () Bool) (declare-fun c () Bool)
(define-fun e () Bool (and a b))
(define-fun .i () Bool (! (= x 0) :init ))
(define-fun .t () Bool (! (and b (or e (not b)) (= c (< x y)) (or c (not e)) (= y.next y)
  (or (= x.next in) (not e)) (= (+ x (* (- 1) in)) (- 1))) :trans ))
(define-fun p () Bool (! (>= x 0) :invar-property 0)))");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(steps(loaded), "step()\n  x < y\n  x := x + 1\n");
}

// Blocks that a step passes: one event per path, and the blocks of the others do not matter.
TEST(RelationSteps, PathsAreEvents) {
  const Loaded loaded = load("vmt", std::string(test::kVmtNumbers) + R"(
(declare-fun a () Bool) (declare-fun b () Bool) (declare-fun c () Bool) (declare-fun h () Bool)
(define-fun .i () Bool (! (= x 0) :init true))
(define-fun .t () Bool (! (and (or a b (not c)) c (= h (< x y)) (= x.next in) (= y.next y)
  (or (not a) h) (or (not b) (not h)) (or (not (and a c)) (= in (+ x 1)))
  (or (not (and b c)) (= in 0))) :trans true))
(define-fun p () Bool (! (>= x 0) :invar-property 0)))");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(steps(loaded), "step 1()\n  x < y\n  x := x + 1\nstep 2()\n  y <= x\n  x := 0\n");
}

TEST(RelationSteps, DisjunctionsAreEvents) {
  EXPECT_EQ(steps("(and (< x 5) (or (and (= x.next 1) (= y.next y))"
                  " (and (= x.next 2) (or (= y.next 3) (= y.next 4)))))"),
            "step 1()\n  x < 5\n  x := 1\n"
            "step 2()\n  x < 5\n  x := 2\n  y := 3\n"
            "step 3()\n  x < 5\n  x := 2\n  y := 4\n");
  EXPECT_EQ(steps("(ite (< x 5) (and (= x.next 1) (= y.next 1)) (and (= x.next x) (= y.next 0)))"),
            "step 1()\n  x < 5\n  x := 1\n  y := 1\nstep 2()\n  x >= 5\n  y := 0\n");
}

// Two of them beside each other would give the product.
TEST(RelationSteps, OneDisjunctionIsSplit) {
  const Loaded loaded = vmt_relation(
      "(and (or (= x.next 1) (= x.next 2) (= x.next 3)) (or (= y.next 1) (= y.next 2)))");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  const auto apart = simplify::relations_taken_apart(loaded.network, PropertyId(0));
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->network->events().size(), 3U);
}

TEST(RelationSteps, ImplicationsForAllCasesAreChoices) {
  EXPECT_EQ(steps("(and (=> (< x 5) (= x.next 1)) (=> (not (< x 5)) (= x.next x)) (= y.next 0))"),
            "step()\n  x := x < 5 ? 1 : x\n  y := 0\n");
  EXPECT_EQ(steps("(and (=> (and (= y 0) (< x 5)) (and (= x.next 1) (= y.next 1)))"
                  " (=> (and (= y 1) (> x 7)) (and (= x.next 2) (= y.next 0)))"
                  " (=> (and (not (and (= y 0) (< x 5))) (not (and (= y 1) (> x 7))))"
                  " (and (= x.next x) (= y.next y))))"),
            "step()\n  x := y == 0 && x < 5 ? 1 : y == 1 && x > 7 ? 2 : x\n"
            "  y := y == 0 && x < 5 ? 1 : y == 1 && x > 7 ? 0 : y\n");
}

// Where two of them hold, both values must be the same.
TEST(RelationSteps, ImplicationsThatOverlapAreChecked) {
  EXPECT_EQ(steps("(and (=> (< x 5) (= x.next 1)) (=> (< y 5) (= x.next 2))"
                  " (=> (not (or (< x 5) (< y 5))) (= x.next x)) (= y.next y))"),
            "step()\n  y < 5 -> (x < 5 ? 1 : y < 5 ? 2 : x) == 2\n"
            "  x := x < 5 ? 1 : y < 5 ? 2 : x\n");
}

// The last one, too, may hold where an earlier one does: where x < 5 and y >= 5 there is no step.
TEST(RelationSteps, TheLastOfThemIsNoException) {
  EXPECT_EQ(steps("(and (or (and (< x 5) (< y 5)) (= x.next 1)) (=> (< x 5) (= x.next 2))"
                  " (= y.next y))"),
            "step()\n  x < 5 -> (x < 5 && y < 5 ? 2 : 1) == 2\n"
            "  x := x < 5 && y < 5 ? 2 : 1\n");
}

TEST(RelationSteps, ImplicationsStayWhole) {
  EXPECT_EQ(steps("(and (=> (< x 5) (= x.next 1)) (= y.next 0))"),
            "step(x.next)\n  x < 5 -> x.next == 1\n  x := x.next\n  y := 0\n");
}

// ----- a program counter in binary

Loaded binary(const std::string& init, const std::string& trans) {
  std::string text = test::kVmtNumbers;
  for (const std::string bit : {"a", "b"}) {
    text += "(declare-fun " + bit + " () Bool) (declare-fun " + bit + ".next () Bool)";
    text += "(define-fun ." + bit + " () Bool (! " + bit + " :next " + bit + ".next))";
  }
  return load("vmt", text + "(define-fun .i () Bool (! " + init + " :init true))" +
                         "(define-fun .t () Bool (! " + trans + " :trans true))" +
                         "(define-fun p () Bool (! (>= x 0) :invar-property 0))");
}

std::string by_place(const Loaded& loaded) {
  if (loaded.network == nullptr) return loaded.messages();
  const smt::SolverFactory solvers({});
  const auto apart = simplify::relations_taken_apart(loaded.network, PropertyId(0), &solvers);
  if (!apart) return "as it is";
  const auto problems = well_formedness_problems(*apart->network);
  return problems.empty() ? written(*apart->network) : problems[0];
}

// Both conditions about (a, not b) hold there; the combination (not a, b) never occurs.
TEST(RelationSteps, OneEventForEachEdgeOfAProgram) {
  EXPECT_EQ(by_place(binary("(and (not a) (not b))",
                            "(and (= y.next y) (or a b (and a.next (not b.next) (= x.next 0)))"
                            " (or (not a) b (< x 5) (and b.next (= x.next x)))"
                            " (or (not a) b (>= x 5) (and (not b.next) (= x.next (+ x 1))))"
                            " (or (not a) b a.next)"
                            " (or (not a) (not b) (and a.next b.next (= x.next y))))")),
            "step 1()\n  !a\n  !b\n  x := 0\n  a := true\n"
            "step 2()\n  a\n  !b\n  x < 5\n  x := x + 1\n"
            "step 3()\n  a\n  !b\n  x >= 5\n  b := true\n"
            "step 4()\n  a\n  b\n  x := y\n");
}

// Cases may overlap: then both say what happens, or nothing can.
TEST(RelationSteps, EdgesWhoseConditionsOverlap) {
  EXPECT_EQ(by_place(binary("(and (not a) (not b))",
                            "(and (= y.next y) (= b.next b) (or a (and a.next (= x.next 1)))"
                            " (or (not a) (> x 5) (and a.next (= x.next 2)))"
                            " (or (not a) (< x 7) (and (not a.next) (= x.next 3)))"
                            " (or (not a) (= x.next y)))")),
            "step 1()\n  !a\n  !b\n  x := 1\n  a := true\n"
            "step 2()\n  a\n  !b\n  x > 5\n  x < 7 || y == 3\n  x := y\n  a := false\n"
            "step 3()\n  a\n  !b\n  x > 5 || y == 2\n  x < 7\n  x := y\n");
}

TEST(RelationSteps, TruthValuesThatStayTheSameAreNoCounter) {
  const std::string as_before = "step()\n  x := a ? 1 : 2\n";
  EXPECT_EQ(by_place(binary("(and a (not b))",
                            "(and (= y.next y) (= a.next a) (= b.next b)"
                            " (= x.next (ite a 1 2)))")),
            as_before);
}

// ----- the way back

// The steps lead to these values of x, one each; the trace of the relation has all of its inputs
// and is one of its runs.
void expect_lifted(const Loaded& loaded, const std::vector<std::string>& events,
                   const std::vector<std::vector<int>>& arguments,
                   const std::vector<std::vector<int>>& inputs, int final_x) {
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  const auto apart = simplify::relations_taken_apart(loaded.network, PropertyId(0));
  ASSERT_TRUE(apart);
  Trace trace;
  trace.universe = UniverseId(0);
  trace.initial = {{LocationId(0)}, {Value(Integer(0)), Value(Integer(3))}};
  const auto numbers = [](const std::vector<int>& from) {
    std::vector<Value> result;
    for (const int n : from) result.emplace_back(Integer(n));
    return result;
  };
  for (std::size_t i = 0; i < events.size(); ++i) {
    TraceStep step;
    step.instance = InstanceId(0);
    for (std::size_t e = 0; e < apart->network->events().size(); ++e)
      if (apart->network->events()[e].name == events[i]) step.event = EventId(e);
    ASSERT_TRUE(step.event.valid()) << events[i];
    step.arguments = numbers(arguments[i]);
    trace.steps.push_back(std::move(step));
  }
  const auto lifted = apart->back->trace(trace);
  ASSERT_TRUE(lifted) << lifted.error();
  ASSERT_EQ(lifted->length(), events.size());
  std::size_t at = 0;
  for (const TraceStep& step : lifted->steps) {
    EXPECT_EQ(step.event, EventId(0));
    EXPECT_EQ(step.arguments, numbers(inputs[at]));
    at += step.times;
  }
  const auto replayed = replay(*loaded.network, *lifted);
  ASSERT_TRUE(replayed) << replayed.error().message;
  EXPECT_EQ(replayed->final().values[0], Value(Integer(final_x)));
}

TEST(RelationSteps, InputsGetTheirValuesAgain) {
  // `in` is x + 1, and no parameter of the event.
  expect_lifted(vmt_relation("(and (= (+ x (* (- 1) in)) (- 1)) (= x.next in) (= y.next y))"),
                {"step", "step"}, {{}, {}}, {{1}, {2}}, 2);
  // It stays one where nothing determines it; where nothing looks at it, it may be anything.
  expect_lifted(vmt_relation("(and (= x.next (+ x in)) (> in 4) (= y.next y))"), {"step"}, {{7}},
                {{7}}, 7);
  expect_lifted(vmt_relation("(and (= x.next 5) (or (> in 4) (= x.next 5)) (= y.next y))"),
                {"step"}, {{}}, {{0}}, 5);
}

TEST(RelationSteps, AlternativesAreStepsOfTheOneRelation) {
  expect_lifted(vmt_relation("(and (= y.next y) (or (and (= x.next (+ x 1)) (= in 8))"
                             " (and (= x.next (* 2 x)) (= in 9))))"),
                {"step 1", "step 2", "step 2"}, {{}, {}, {}}, {{8}, {9}, {9}}, 4);
}

// The values of a step that the relation does not give by single equations are said.
TEST(RelationSteps, NextValuesAreSaid) {
  expect_lifted(vmt_relation("(and (=> (< x 5) (= x.next (+ x y))) (=> (not (< x 5)) (= x.next 0))"
                             " (= y.next y) (> in x))"),
                {"step", "step", "step"}, {{1}, {4}, {9}}, {{1}, {4}, {9}}, 0);
}

TEST(RelationSteps, OtherQuestionsSeeTheRelation) {
  const Loaded loaded = vmt_relation("(= x.next x)");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  Property dead = loaded.network->property(PropertyId(0));
  dead.kind = PropertyKind::DeadTransition;
  dead.goal = ArcGoal{EventId(0)};
  const PropertyId id = loaded.network->add_property(std::move(dead));
  EXPECT_FALSE(simplify::relations_taken_apart(loaded.network, id));
}

}  // namespace
}  // namespace whittle

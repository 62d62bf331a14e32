// SPDX-License-Identifier: Apache-2.0
// Variables that are names for values of others in the same state, in STS and VMT-LIB.
#include "simplify/network/defined_variables.h"

#include <gtest/gtest.h>

#include <string>

#include "support/load.h"

namespace whittle {
namespace {

using test::load;
using test::Loaded;

// What is left of the model: variables that are gone, starts, guards, effects, property.
std::string left(const Loaded& loaded) {
  if (loaded.network == nullptr) return loaded.messages();
  std::size_t count = 0;
  const auto result = simplify::defined_variables_eliminated(loaded.network, PropertyId(0), count);
  if (!result) return count == 0 ? "as it is" : "counted, but not taken out";
  const Network& network = *result->network;
  const auto problems = well_formedness_problems(network);
  if (!problems.empty()) return problems[0];
  const ExprPool& pool = network.pool();
  std::string out = std::to_string(count) + " gone; ";
  out += to_string(pool, network.machines()[0].starts[0].condition) + ";";
  for (const Event& event : network.events()) {
    for (const Guard& guard : event.guards) out += " " + to_string(pool, guard.condition) + ",";
    for (const Effect& effect : event.effects) {
      out += " " + network.variable(effect.writes[0]).name;
      out += effect.kind == EffectKind::Free       ? " any,"
             : effect.kind == EffectKind::Relation ? ": " + to_string(pool, effect.expr) + ","
                                                   : " := " + to_string(pool, effect.expr) + ",";
    }
  }
  return out + " " + to_string(pool, network.property(PropertyId(0)).condition());
}

std::string sts(const std::string& start, const std::string& step, const std::string& more = "") {
  return left(load("sts", "system S\nvar x: Int\nvar y: Int\nvar u: Int\nnode A\nstart A: " +
                              start + "\ntransition t: A -> A (d: Int) when d > u then " + step +
                              "\n" + more + "safety p: u > 0\n"));
}

TEST(DefinedVariables, ByAssignmentsThatKeepAnEquation) {
  EXPECT_EQ(sts("x == 0 && u == x + 1", "x' == x + d && u' == 1 + d + x && y' == u"),
            "1 gone; x == 0; x + 1 < d, x := x + d, y := x + 1, S.x + 1 > 0");
}

TEST(DefinedVariables, OnlyIfEveryEventKeepsIt) {
  const std::string start = "x == 0 && u == x + 1", step = "x' == x + d && u' == x + d + 1";
  EXPECT_EQ(sts(start, step, "transition o: A -> A then x' == 3\n"), "as it is");
  EXPECT_NE(sts(start, step, "transition o: A -> A then y' == 3\n"), "as it is");
}

TEST(DefinedVariables, NotIfTheFirstStateIsAnException) {
  EXPECT_EQ(sts("x == 0 && u == 5", "x' == x + d && u' == x + d + 1"), "as it is");
}

std::string vmt(const std::string& init, const std::string& trans) {
  std::string text = "(declare-fun in () Int)";
  for (const std::string v : {"x", "y", "u"}) {
    text += "(declare-fun " + v + " () Int) (declare-fun " + v + ".n () Int)";
    text += "(define-fun ." + v + " () Int (! " + v + " :next " + v + ".n))";
  }
  return left(load("vmt", text + "(define-fun .i () Bool (! " + init + " :init true))" +
                              "(define-fun .t () Bool (! " + trans + " :trans true))" +
                              "(define-fun p () Bool (! (> u 0) :invar-property 0))"));
}

TEST(DefinedVariables, ByARelationThatSaysItAgain) {
  EXPECT_EQ(vmt("(and (= u (+ x y)) (= x 0))",
                "(and (= u (+ x y)) (= u.n (+ x.n y.n)) (> u.n in) (= y.n u))"),
            "1 gone; x == 0; x: in < x.n + y.n, y: y.n == x + y, model.x + model.y > 0");
}

TEST(DefinedVariables, WhatTheySayBesidesStays) {
  EXPECT_EQ(vmt("(and (= u x) (= u y))", "(and (= u.n x.n) (= u.n y.n) (< u.n u))"),
            "2 gone; true; x: x.n < x, model.x > 0");
  EXPECT_EQ(vmt("(and (= u x) (>= u y))", "(and (= u.n x.n) (>= u.n y.n) (>= u y))"),
            "1 gone; y <= x; y <= x, y: y.n <= x.n, model.x > 0");
}

// Whatever side of an equation the variable is on, in a sum, and beside other conditions about it.
TEST(DefinedVariables, ByCasesOfAnyShape) {
  EXPECT_EQ(vmt("(and (or (< x 0) (= x u)) (or (not (< x 0)) (= (+ y (* (- 1) u)) 1))"
                " (or (< y 3) (= u 7)))",
                "(and (or (< x.n 0) (= x.n u.n)) (or (not (< x.n 0)) (= (+ y.n (* (- 1) u.n)) 1))"
                " (or (< y.n 3) (= u.n 7)) (= x.n in) (= y.n y))"),
            "1 gone; y < 3 || (x >= 0 ? x : y - 1) == 7; x: x.n == in, y: y.n == y,"
            " y: y.n < 3 || (x.n >= 0 ? x.n : y.n - 1) == 7,"
            " (model.x >= 0 ? model.x : model.y - 1) > 0");
}

// One of them is defined by the other; that is not defined by itself.
TEST(DefinedVariables, NotInACircle) {
  EXPECT_EQ(vmt("(and (= u (* x y)) (= x (* u y)))",
                "(and (= u.n (* x.n y.n)) (= x.n (* u.n y.n)) (= y.n in))"),
            "1 gone; u == u * y * y; y: y.n == in, u: u.n == u.n * y.n * y.n, model.u > 0");
}

// An invariant of what is left is none of the model without what the names mean.
TEST(DefinedVariables, InvariantsSayWhatTheNamesMean) {
  const Loaded loaded =
      load("sts",
           "system S\nvar x: Int\nvar u: Int\nnode A\nstart A: x == 0 && u == x + 1\n"
           "transition t: A -> A then x' == x + 1 && u' == x + 2\nsafety p: u > 0\n");
  std::size_t count = 0;
  const auto result = simplify::defined_variables_eliminated(loaded.network, PropertyId(0), count);
  ASSERT_TRUE(result);
  ExprPool& pool = loaded.network->pool();
  const Expr x = pool.symbol(result->network->of_instance(InstanceId(0), VariableId(0)));
  const Expr lifted = result->back->invariant(pool.ge(x, pool.integer(Integer(0))));
  EXPECT_EQ(to_string(pool, lifted), "S.x >= 0 && S.u == S.x + 1");
}

}  // namespace
}  // namespace whittle

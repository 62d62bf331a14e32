// SPDX-License-Identifier: Apache-2.0
// What VMT-LIB files mean: the events that a relation becomes, sorts and functions, size.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "frontend/vmt/printer.h"
#include "support/load.h"

namespace whittle {
namespace {

using test::everything_in;
using test::load;
using test::Loaded;

constexpr const char* kState = R"(
(declare-fun x () Int) (declare-fun x.next () Int)
(declare-fun y () Int) (declare-fun y.next () Int)
(declare-fun in () Int)
(define-fun .x () Int (! x :next x.next))
(define-fun .y () Int (! y :next y.next))
)";

Loaded system(const std::string& trans, const std::string& more = "") {
  return load("vmt", std::string(kState) + "(define-fun .i () Bool (! (= x 0) :init true))" +
                         "(define-fun .t () Bool (! " + trans + " :trans true))" +
                         "(define-fun p () Bool (! (>= x 0) :invar-property 0))" + more);
}

// Guards and effects of an event, one line each.
std::string steps(const Network& network) {
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

std::string steps(const std::string& trans) {
  const Loaded loaded = system(trans);
  if (loaded.network == nullptr) return loaded.messages();
  const auto problems = well_formedness_problems(*loaded.network);
  return problems.empty() ? steps(*loaded.network) : problems[0];
}

TEST(Vmt, EquationsAreAssignments) {
  EXPECT_EQ(steps("(and (= x.next (+ x in)) (= (+ x.next 1) y.next) (> in 0))"),
            "step(in)\n  in > 0\n  x := x + in\n  y := x + in + 1\n");
}

TEST(Vmt, WhatStaysHasNoEffect) {
  EXPECT_EQ(steps("(and (= x.next x) (= y.next x))"), "step()\n  y := x\n");
}

TEST(Vmt, UnmentionedValuesAreFree) {
  EXPECT_EQ(steps("(= x.next 1)"), "step()\n  x := 1\n  y := any\n");
}

TEST(Vmt, RestrictedValuesAreParameters) {
  EXPECT_EQ(steps("(and (> x.next x) (= y.next x.next))"),
            "step(x.next)\n  x < x.next\n  x := x.next\n  y := x.next\n");
}

TEST(Vmt, CircularEquations) {
  EXPECT_EQ(steps("(and (= x.next (+ y.next 1)) (= y.next (* 2 x.next)))"),
            "step(x.next)\n  x.next == 2 * x.next + 1\n  x := x.next\n  y := 2 * x.next\n");
  EXPECT_EQ(steps("(= x.next (* 2 x.next))"),
            "step(x.next)\n  x.next == 2 * x.next\n  x := x.next\n  y := any\n");
}

TEST(Vmt, SecondEquationIsAGuard) {
  EXPECT_EQ(steps("(and (= x.next y) (= x.next 3) (= y.next 0))"),
            "step()\n  y == 3\n  x := y\n  y := 0\n");
}

// An input that is determined is a name and no parameter, however late that turns out.
TEST(Vmt, DeterminedInputsAreNames) {
  EXPECT_EQ(steps("(and (= x.next in) (= x.next y) (= y.next 0))"), "step()\n  x := y\n  y := 0\n");
  EXPECT_EQ(steps("(and (= (+ x (* (- 1) in)) (- 1)) (= y.next in) (= x.next x) (< in 9))"),
            "step()\n  x + 1 < 9\n  y := x + 1\n");
  // Only whole numbers: two times one may be odd.
  EXPECT_EQ(steps("(and (= (* 2 in) x) (= y.next in) (= x.next x))"),
            "step(in)\n  2 * in == x\n  y := in\n");
}

TEST(Vmt, WhatIsKnownToHoldIsPutIn) {
  const Loaded loaded = load("vmt", std::string(kState) + R"(
(declare-fun a () Bool) (declare-fun b () Bool) (declare-fun c () Bool)
(define-fun e () Bool (and a b))
(define-fun .i () Bool (! (= x 0) :init ))
(define-fun .t () Bool (! (and b (or e (not b)) (= c (< x y)) (or c (not e)) (= y.next y)
  (or (= x.next in) (not e)) (= (+ x (* (- 1) in)) (- 1))) :trans ))
(define-fun p () Bool (! (>= x 0) :invar-property 0)))");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(steps(*loaded.network), "step()\n  x < y\n  x := x + 1\n");
}

// Blocks that a step passes: one event per path, and the blocks of the others do not matter.
TEST(Vmt, PathsAreEvents) {
  const Loaded loaded = load("vmt", std::string(kState) + R"(
(declare-fun a () Bool) (declare-fun b () Bool) (declare-fun c () Bool) (declare-fun h () Bool)
(define-fun .i () Bool (! (= x 0) :init true))
(define-fun .t () Bool (! (and (or a b (not c)) c (= h (< x y)) (= x.next in) (= y.next y)
  (or (not a) h) (or (not b) (not h)) (or (not (and a c)) (= in (+ x 1)))
  (or (not (and b c)) (= in 0))) :trans true))
(define-fun p () Bool (! (>= x 0) :invar-property 0)))");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(steps(*loaded.network),
            "step 1()\n  x < y\n  x := x + 1\nstep 2()\n  y <= x\n  x := 0\n");
}

TEST(Vmt, DisjunctionsAreEvents) {
  EXPECT_EQ(steps("(and (< x 5) (or (and (= x.next 1) (= y.next y))"
                  " (and (= x.next 2) (or (= y.next 3) (= y.next 4)))))"),
            "step 1()\n  x < 5\n  x := 1\n"
            "step 2()\n  x < 5\n  x := 2\n  y := 3\n"
            "step 3()\n  x < 5\n  x := 2\n  y := 4\n");
  EXPECT_EQ(steps("(ite (< x 5) (and (= x.next 1) (= y.next 1)) (and (= x.next x) (= y.next 0)))"),
            "step 1()\n  x < 5\n  x := 1\n  y := 1\nstep 2()\n  x >= 5\n  y := 0\n");
}

// Two of them beside each other would give the product.
TEST(Vmt, OneDisjunctionIsSplit) {
  const Loaded loaded =
      system("(and (or (= x.next 1) (= x.next 2) (= x.next 3)) (or (= y.next 1) (= y.next 2)))");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(loaded.network->events().size(), 3U);
}

TEST(Vmt, ImplicationsForAllCasesAreChoices) {
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
TEST(Vmt, ImplicationsThatOverlapAreChecked) {
  EXPECT_EQ(steps("(and (=> (< x 5) (= x.next 1)) (=> (< y 5) (= x.next 2))"
                  " (=> (not (or (< x 5) (< y 5))) (= x.next x)) (= y.next y))"),
            "step()\n  y < 5 -> (x < 5 ? 1 : y < 5 ? 2 : x) == 2\n"
            "  x := x < 5 ? 1 : y < 5 ? 2 : x\n");
}

TEST(Vmt, ImplicationsStayWhole) {
  EXPECT_EQ(steps("(and (=> (< x 5) (= x.next 1)) (= y.next 0))"),
            "step(x.next)\n  x < 5 -> x.next == 1\n  x := x.next\n  y := 0\n");
}

TEST(Vmt, InputsInPropertiesAreState) {
  const Loaded loaded = system("(and (= x.next in) (= y.next y))",
                               "(define-fun q () Bool (! (not (= in 3)) :invar-property 1))");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  ASSERT_EQ(loaded.network->variables().size(), 3U);
  EXPECT_EQ(steps(*loaded.network), "step()\n  x := in\n  in := any\n");
}

TEST(Vmt, DivisionByZeroIsSomeNumber) {
  const Loaded loaded = system("(and (= x.next (div x y)) (= y.next y))");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(loaded.network->variables().size(), 3U);
  EXPECT_EQ(steps(*loaded.network), "step()\n  x := y == 0 ? integer quotient by 0[x] : x / y\n");
  // Where the divisor is known, nothing is added.
  EXPECT_EQ(system("(and (= x.next (mod x 3)) (= y.next y))").network->variables().size(), 2U);
}

TEST(Vmt, Annotations) {
  const Loaded loaded = load("vmt", R"((set-logic QF_LRA) ; numerals are reals
(declare-const |a b| Real) (declare-const b Real)
(define-sort T () Bool)
(define-sort Map (X) (Array X Real))
(declare-fun m () (Map Int)) (declare-fun m1 () (Map Int))
(define-fun sv () Real (! |a b| :next b))
(define-fun sm () (Map Int) (! m :next m1))
(define-fun twice ((r Real)) Real (* 2 r))
(define-fun i () T (! (= |a b| 1) :init))
(define-fun t () T (! (let ((c (twice |a b|)) (d m)) (let ((c (+ c 1))) (and (= b c) (= m1 d))))
                      :trans 1))
(define-fun pair () T (! (! (> |a b| 0) :invar-property 1) :named other))
(assert (! (=> other true) :invar-property 7))
(assert true)
(exit)
nothing after it is read ()))");
  ASSERT_EQ(loaded.network, nullptr);  // the unbalanced rest is
  const Loaded good = load("vmt", R"((set-logic QF_LRA)
(declare-const |a b| Real) (declare-const b Real)
(define-fun sv () Real (! |a b| :next b))
(define-fun twice ((r Real)) Real (* 2 r))
(define-fun i () Bool (! (= |a b| 1) :init))
(define-fun t () Bool (! (let ((c (twice |a b|))) (let ((c (+ c 1))) (= b c))) :trans 1))
(define-fun pair () Bool (! (> |a b| 0) :invar-property 1))
(assert (! (> |a b| 1) :invar-property 7))
(assert true))");
  ASSERT_NE(good.network, nullptr) << good.messages();
  EXPECT_TRUE(good.diagnostics.empty()) << good.messages();
  EXPECT_EQ(steps(*good.network), "step()\n  a b := 2 * a b + 1\n");
  ASSERT_EQ(good.network->properties().size(), 2U);
  EXPECT_EQ(good.network->properties()[0].name, "pair");
  EXPECT_EQ(good.network->properties()[1].name, "invar-property 7");
}

TEST(Vmt, Functions) {
  // Each is true.
  for (const char* term : {"(= #b0101 (_ bv5 4))",
                           "(= #xff (bvnot #x00))",
                           "(= ((_ extract 2 1) #b0110) #b11)",
                           "(= ((_ rotate_left 1) #b1001) #b0011)",
                           "(= ((_ rotate_right 1) #b1001) #b1100)",
                           "(= ((_ repeat 2) #b10) #b1010)",
                           "(= (concat #b1 #b0 #b1) #b101)",
                           "(= (bvadd #x01 #x02 #x03) #x06)",
                           "(= (bvnand #b11 #b10) #b01)",
                           "(= (bvcomp #b11 #b11) #b1)",
                           "(bvsgt #b01 #b10)",
                           "(bvuge #b10 #b01)",
                           "(= ((_ zero_extend 2) #b11) #b0011)",
                           "(= ((_ sign_extend 2) #b10) #b1110)",
                           "(= (sbv_to_int #b11) (- 1))",
                           "(= (bv2nat #b11) 3)",
                           "(= ((_ int2bv 3) 9) #b001)",
                           "(= (abs (- 3)) 3)",
                           "(distinct 1 2 3)",
                           "(= 1 1 1)",
                           "(< 1 2 3)",
                           "(=> false false false)",
                           "(xor true false)",
                           "(= (- 7 2 1) 4)",
                           "(= (div 7 2) 3)",
                           "(= (mod (- 7) 2) 1)",
                           "(= (/ 1 2) 0.5)",
                           "(is_int 2.0)",
                           "((_ divisible 3) 9)",
                           "(= (to_int 2.5) 2)",
                           "(= (ite true 1 2) 1.0)",
                           "(= (select (store ((as const (Array Int Int)) 0) 1 5) 1) 5)",
                           "(= (str.++ \"a\" \"b\"\"\") \"ab\"\"\")",
                           "(and true)",
                           "(= (+ 4) 4)"}) {
    const Loaded loaded = system("(and (= x.next x) (= y.next y) " + std::string(term) + ")");
    ASSERT_NE(loaded.network, nullptr) << loaded.messages();
    EXPECT_EQ(steps(*loaded.network), "step()\n") << term;
  }
}

TEST(Vmt, NumeralsBecomeRealsInside) {
  const Loaded loaded = load("vmt", R"((declare-fun r () Real) (declare-fun s () Real)
(define-fun sv () Real (! r :next s))
(define-fun t () Bool (! (= s (ite (> r 1) (- 2) (* 3 (ite (< r 0) 0 1)))) :trans true))
(define-fun i () Bool (! (= r 0) :init true))
(define-fun p () Bool (! (>= r 0) :invar-property 0)))");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(steps(*loaded.network).find("real("), std::string::npos) << steps(*loaded.network);
}

// ----- printing

void expect_round_trip(const Loaded& first) {
  ASSERT_NE(first.network, nullptr) << first.messages();
  const std::string printed = vmt::print_network(*first.network);
  const Loaded second = load("vmt", printed);
  ASSERT_NE(second.network, nullptr) << second.messages() << printed;
  EXPECT_EQ(everything_in(*first.network), everything_in(*second.network)) << printed;
}

TEST(VmtRoundTrip, Steps) {
  for (const char* trans :
       {"(and (= x.next (+ x in)) (= (+ x.next 1) y.next) (> in 0))", "(= x.next 1)",
        "(and (> x.next x) (= y.next x.next))", "(= x.next (* 2 x.next))", "true", "false",
        "(or (and (= x.next 1) (> in 2) (= y.next 3)) (and (= x.next x) (= y.next in)))",
        "(and (= x.next (div x y)) (= y.next (- y 1)))"}) {
    expect_round_trip(system(trans));
  }
}

// ----- size

TEST(VmtSize, DeepAndLong) {
  constexpr int kDepth = 200'000;
  std::string deep;
  std::string closing;
  for (int i = 0; i < kDepth; ++i) {
    deep += "(+ 1 (ite (> x 3) y ";
    closing += "))";
  }
  Loaded loaded = system("(and (= x.next " + deep + "x" + closing + ") (= y.next y))");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  const std::string printed = vmt::print_network(*loaded.network);
  EXPECT_NE(load("vmt", printed).network, nullptr);

  std::string lets;
  std::string ends;
  for (int i = 0; i < kDepth; ++i) {
    lets += "(let ((v" + std::to_string(i) + " (+ " + (i == 0 ? "x" : "v" + std::to_string(i - 1)) +
            " y))) ";
    ends += ")";
  }
  loaded = system("(and (= x.next " + lets + "v" + std::to_string(kDepth - 1) + ends +
                  ") (= y.next y))");
  EXPECT_NE(loaded.network, nullptr) << loaded.messages();
}

}  // namespace
}  // namespace whittle

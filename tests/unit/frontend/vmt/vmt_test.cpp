// SPDX-License-Identifier: Apache-2.0
// What VMT-LIB files mean: the relation as it is written, sorts and functions, size.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "frontend/vmt/printer.h"
#include "support/vmt_relation.h"

namespace whittle {
namespace {

using test::everything_in;
using test::load;
using test::Loaded;
using test::vmt_relation;

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
      out += "  " + (effect.kind == EffectKind::Free
                         ? network.variable(effect.writes[0]).name + ": any"
                         : to_string(pool, effect.expr));
      out += "\n";
    }
  }
  return out;
}

std::string steps(const std::string& trans) {
  const Loaded loaded = vmt_relation(trans);
  if (loaded.network == nullptr) return loaded.messages();
  const auto problems = well_formedness_problems(*loaded.network);
  return problems.empty() ? steps(*loaded.network) : problems[0];
}

// A conjunct is a condition, whatever it says: nothing is solved, split or left out.
TEST(Vmt, TheRelationIsAsWritten) {
  EXPECT_EQ(steps("(and (= x.next (+ x in)) (and (> in 0) (or (= in 3) (= y.next x.next))))"),
            "step(in)\n  in > 0\n  x.next == x + in\n  in == 3 || y.next == x.next\n");
  EXPECT_EQ(steps("(ite (< x 5) (= x.next 1) (= y.next 2))"),
            "step()\n  x < 5 ? x.next == 1 : y.next == 2\n");
  EXPECT_EQ(steps("(and (= x.next x) (= x.next y))"),
            "step()\n  x.next == x\n  x.next == y\n  y: any\n");
}

TEST(Vmt, UnmentionedValuesAreFree) {
  EXPECT_EQ(steps("(= x.next 1)"), "step()\n  x.next == 1\n  y: any\n");
  EXPECT_EQ(steps("(> x 1)"), "step()\n  x > 1\n  x: any\n  y: any\n");
}

TEST(Vmt, InputsInPropertiesAreState) {
  const Loaded loaded = vmt_relation("(and (= x.next in) (= y.next y))",
                                     "(define-fun q () Bool (! (not (= in 3)) :invar-property 1))");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  ASSERT_EQ(loaded.network->variables().size(), 3U);
  EXPECT_EQ(steps(*loaded.network), "step()\n  x.next == in\n  y.next == y\n  in: any\n");
}

TEST(Vmt, DivisionByZeroIsSomeNumber) {
  const Loaded loaded = vmt_relation("(and (= x.next (div x y)) (= y.next y))");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(loaded.network->variables().size(), 3U);
  EXPECT_EQ(steps(*loaded.network),
            "step()\n  x.next == (y == 0 ? integer quotient by 0[x] : x / y)\n  y.next == y\n"
            "  integer quotient by 0.next == integer quotient by 0\n");
  // Where the divisor is known, nothing is added.
  EXPECT_EQ(vmt_relation("(and (= x.next (mod x 3)) (= y.next y))").network->variables().size(),
            2U);
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
  EXPECT_EQ(steps(*good.network), "step()\n  b == 2 * a b + 1\n");
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
    const Loaded loaded = vmt_relation("(and (= x.next x) (= y.next y) " + std::string(term) + ")");
    ASSERT_NE(loaded.network, nullptr) << loaded.messages();
    EXPECT_EQ(steps(*loaded.network), "step()\n  x.next == x\n  y.next == y\n") << term;
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
    expect_round_trip(vmt_relation(trans));
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
  Loaded loaded = vmt_relation("(and (= x.next " + deep + "x" + closing + ") (= y.next y))");
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
  loaded = vmt_relation("(and (= x.next " + lets + "v" + std::to_string(kDepth - 1) + ends +
                        ") (= y.next y))");
  EXPECT_NE(loaded.network, nullptr) << loaded.messages();
}

}  // namespace
}  // namespace whittle

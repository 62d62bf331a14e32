// SPDX-License-Identifier: Apache-2.0
// What is said about wrong VMT-LIB files, and where.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/load.h"

namespace whittle {
namespace {

using test::load;

// The system below with one line put after it.
std::vector<std::string> problems(const std::string& line) {
  const std::string text =
      "(declare-fun x () Int)(declare-fun x1 () Int)(define-fun .x () Int (! x :next x1))"
      "(define-fun i () Bool (! (= x 0) :init true))(define-fun t () Bool (! (= x1 x) :trans true))"
      "(define-fun p () Bool (! (= x 0) :invar-property 0))\n";
  return load("vmt", text + line).places();
}

using Places = std::vector<std::string>;

TEST(VmtDiagnostics, OneEach) {
  EXPECT_EQ(problems(""), Places{});
  EXPECT_EQ(problems("(declare-fun x () Int)"), Places{"vmt-001 2:14"});
  EXPECT_EQ(problems("(declare-fun and () Int)"), Places{"vmt-001 2:14"});
  EXPECT_EQ(problems("(declare-fun <= () Int)"), Places{"vmt-001 2:14"});
  EXPECT_EQ(problems("(declare-fun repeat () Int)"), Places{});
  EXPECT_EQ(problems("(define-fun f ((a Int) (a Int)) Int a)"), Places{"vmt-001 2:25"});
  EXPECT_EQ(problems("(define-fun f () Int z)"), Places{"vmt-002 2:22"});
  EXPECT_EQ(problems("(define-fun f () Int (ad x 1))"), Places{"vmt-002 2:23"});
  EXPECT_EQ(problems("(define-fun f () Bool x)"), Places{"vmt-003 2:23"});
  EXPECT_EQ(problems("(define-fun f () Bool (and x true))"), Places{"vmt-003 2:23"});
  EXPECT_EQ(problems("(define-fun f () Int (+ x #b1))"), Places{"vmt-003 2:22"});
  EXPECT_EQ(problems("(declare-fun b () Bol)"), Places{"vmt-004 2:19"});
  EXPECT_EQ(problems("(declare-fun b () (List Int))"), Places{"vmt-004 2:20"});
  EXPECT_EQ(problems("(define-fun f () Bool (forall ((a Int)) (= a a)))"), Places{"vmt-005 2:23"});
  EXPECT_EQ(problems("(declare-sort S 0)"), Places{"vmt-005 2:1"});
  EXPECT_EQ(problems("(declare-fun f (Int) Int)(define-fun g () Int (f x))"),
            Places{"vmt-005 2:48"});
  EXPECT_EQ(problems("(declare-fun f (Int) Int)"), Places{});
  EXPECT_EQ(problems("(declare-fn f () Int)"), Places{"vmt-006 2:2"});
  EXPECT_EQ(problems("(declare-fun f Int)"), Places{"vmt-006 2:1"});
  EXPECT_EQ(problems("(define-fun f () Int (let ((a)) a))"), Places{"vmt-006 2:22"});
  EXPECT_EQ(problems("(define-fun f () Int ())"), Places{"vmt-006 2:22"});
  EXPECT_EQ(problems("(define-fun f () Int ((x) 1))"), Places{"vmt-006 2:22"});
  EXPECT_EQ(problems("(define-fun f () Int (x 1))"), Places{"vmt-006 2:22"});
  EXPECT_EQ(problems("(define-fun f ((a Int)) Int (! x :next x1))"), Places{"vmt-006 2:34"});
  EXPECT_EQ(problems("(declare-fun b () Bool)(define-fun f () Int (! x :next b))"),
            Places{"vmt-007 2:56"});
  EXPECT_EQ(problems("(define-fun f () Int (! (+ x 1) :next x1))"), Places{"vmt-007 2:22"});
  EXPECT_EQ(problems("(declare-fun y () Int)(define-fun f () Int (! y :next x1))"),
            Places{"vmt-007 2:55"});
  EXPECT_EQ(problems("(declare-fun y () Int)(define-fun f () Int (! y :next y))"),
            Places{"vmt-007 2:55"});
  EXPECT_EQ(problems("(declare-fun y () Int)(define-fun f () Int (! x1 :next y))"),
            Places{"vmt-007 2:56"});
  EXPECT_EQ(problems("(define-fun f () Int (! x :next))"), Places{"vmt-007 2:27"});
  EXPECT_EQ(problems("(declare-fun y () Int)(define-fun f () Int (! y :next undeclared))"),
            Places{});
  EXPECT_EQ(problems("(declare-fun y () Int)(define-fun f () Int (! y :nextclock y1))"),
            Places{"vmt-005 2:49"});
  EXPECT_EQ(problems("(define-fun f () Bool (! (= x1 0) :invar true))"), Places{"vmt-008 2:26"});
  EXPECT_EQ(problems("(define-fun f () Bool (! (= x1 0) :invar-property 1))"),
            Places{"vmt-008 2:26"});
  EXPECT_EQ(problems("(define-fun f () Bool (! (= x 0) :live-property 1))"), Places{});
  EXPECT_EQ(problems("(define-fun f () Bool (! (ltl.F (= x 0)) :ltl-property 1))"), Places{});
  EXPECT_EQ(problems("(define-fun f () Bool (! (= x1 0) :live-property 1))"),
            Places{"vmt-008 2:26"});
  EXPECT_EQ(problems("(define-fun f () Bool (! (ltl.F (= x 0)) :invar-property 1))"),
            Places{"ltl-002 2:26"});
  EXPECT_EQ(problems("(define-fun f () Bool (! (= 0 (ite (ltl.F (= x 0)) 0 1)) :ltl-property 1))"),
            Places{"ltl-002 2:26"});
  EXPECT_EQ(problems("(define-fun f () Bool (! (ltl.U (= x 0)) :ltl-property 1))"),
            Places{"vmt-006 2:26"});
  EXPECT_EQ(problems("(define-fun f () Bool (! (= x 0) :inti true))"), Places{"vmt-011 2:34"});
  EXPECT_EQ(problems("(assert (= x 0))"), Places{"vmt-012 2:1"});
  EXPECT_EQ(problems("x"), Places{"parse-001 2:1"});
  EXPECT_EQ(problems("(assert true"), Places{"parse-005 2:1"});
  EXPECT_EQ(problems(")"), Places{"parse-001 2:1"});
  EXPECT_EQ(problems("(assert |true)"), (Places{"parse-005 2:1", "lex-002 2:9"}));
  EXPECT_EQ(problems("(assert 1a)"), (Places{"vmt-006 2:1", "lex-004 2:9"}));
  EXPECT_EQ(problems("(assert #b2)"), (Places{"vmt-006 2:1", "lex-004 2:9"}));
  EXPECT_EQ(problems("(declare-fun b () (_ BitVec 0))"), Places{"parse-004 2:29"});
}

TEST(VmtDiagnostics, SeveralInOneFile) {
  EXPECT_EQ(
      problems("(define-fun f () Int (+ a b))\n(define-fun g () Int f)\n(define-fun h () Int c)"),
      (Places{"vmt-002 2:25", "vmt-002 2:27", "vmt-002 4:22"}));
}

TEST(VmtDiagnostics, WholeFiles) {
  EXPECT_EQ(load("vmt", "").places(), Places{"vmt-014"});
  EXPECT_EQ(load("vmt", "(set-logic HORN)(assert true)").places(), Places{"vmt-014 1:1"});
  EXPECT_EQ(
      load("vmt", "(declare-fun b () Bool)(define-fun l () Bool (! b :live-property 0))").places(),
      (Places{"vmt-013 1:1", "vmt-013 1:1"}));
}

}  // namespace
}  // namespace whittle

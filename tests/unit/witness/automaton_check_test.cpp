// SPDX-License-Identifier: Apache-2.0
// The certificate of `F a`, written by hand, and what is wrong with it after each change.
// Certificates from translations, and random changes of them, are in tests/random/ltl_test.cpp.
#include "witness/automaton_check.h"

#include <gtest/gtest.h>

#include "support/ltl_words.h"

namespace whittle {
namespace {

class AutomatonCheck : public ::testing::Test {
 protected:
  AutomatonCheck() {
    const LtlFormula f = test::read(ltl_, "Fa");
    certificate_.formula = f;
    Tableau& tableau = certificate_.tableau;
    tableau.atoms = {Expr(0)};
    tableau.untils = {f};
    tableau.states = {{f}, {}};
    tableau.edges = {{{0, {}, {f}}, {1, {0}, {}}}, {{1, {}, {}}}};
    certificate_.sets = {0};
    certificate_.pairs = {{0, 0}, {1, 1}};
    automaton_.atoms = tableau.atoms;
    automaton_.acceptance = 1;
    automaton_.edges = {{{0, {}, {}}, {1, {0}, {}}}, {{1, {}, {0}}}};
  }

  std::optional<std::string> problem() { return automaton_problem(ltl_, automaton_, certificate_); }

  LtlPool ltl_;
  Automaton automaton_;
  AutomatonCertificate certificate_;
};

TEST_F(AutomatonCheck, AcceptsWhatIsRight) { EXPECT_EQ(problem(), std::nullopt); }

TEST_F(AutomatonCheck, AnEdgeLessIsNoticed) {
  automaton_.edges[0].pop_back();
  EXPECT_EQ(problem(), "states 0 and 0: an edge has no partner");
}

TEST_F(AutomatonCheck, AMarkLessIsNoticed) {
  automaton_.edges[1][0].marks.clear();
  EXPECT_EQ(problem(), "states 1 and 1: an edge has no partner");
}

TEST_F(AutomatonCheck, AStrongerCubeIsNoticed) {
  automaton_.edges[0][0].cube = {0};
  EXPECT_EQ(problem(), "states 0 and 0: an edge has no partner");
}

TEST_F(AutomatonCheck, ATableauThatLacksAnEdgeIsNoticed) {
  certificate_.tableau.edges[0].pop_back();
  EXPECT_EQ(problem(), "state 0: its edges are not its formulas");
}

TEST_F(AutomatonCheck, APromiseThatIsNotMadeIsNoticed) {
  certificate_.tableau.edges[0][0].postponed.clear();
  EXPECT_EQ(problem(), "state 0: its edges are not its formulas");
}

TEST_F(AutomatonCheck, APromiseThatIsForgottenIsNoticed) {
  certificate_.tableau.edges[1][0].postponed = {certificate_.formula};
  EXPECT_EQ(problem(), "state 1: a promise is forgotten");
}

TEST_F(AutomatonCheck, AnotherFormulaIsNoticed) {
  certificate_.formula = test::read(ltl_, "F!a");
  EXPECT_EQ(problem(), "the tableau begins with another formula");
}

TEST_F(AutomatonCheck, AStepThatIsNoRuleIsNoticed) {
  certificate_.formula = test::read(ltl_, "b U Fa");
  EXPECT_EQ(problem(), "the tableau begins with another formula");
  LtlReplacement step{certificate_.formula, 0, {}};
  certificate_.rewriting = {step};
  EXPECT_EQ(problem(), "a step of rewriting is no instance of its rule");
  certificate_.rewriting[0].rule = 1'000'000;
  EXPECT_EQ(problem(), "no such rule");
}

TEST_F(AutomatonCheck, AMissingInitialPairIsNoticed) {
  certificate_.pairs = {{1, 1}};
  EXPECT_EQ(problem(), "the initial states are not related");
}

TEST_F(AutomatonCheck, NumbersOutOfRangeAreNoticed) {
  certificate_.pairs.emplace_back(7, 0);
  EXPECT_TRUE(problem().has_value());
  certificate_.pairs.pop_back();
  automaton_.edges[0][0].target = 7;
  EXPECT_TRUE(problem().has_value());
  automaton_.edges[0][0].target = 0;
  certificate_.sets = {3};
  EXPECT_TRUE(problem().has_value());
}

TEST_F(AutomatonCheck, PastIsNoMatterOfAutomata) {
  certificate_.formula = test::read(ltl_, "G(Oa)");
  EXPECT_EQ(problem(), "the formula speaks of the past");
}

}  // namespace
}  // namespace whittle

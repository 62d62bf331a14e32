// SPDX-License-Identifier: Apache-2.0
#include "ltl/translate.h"

#include <gtest/gtest.h>

#include "ltl/components.h"
#include "ltl/past.h"
#include "ltl/reduce.h"
#include "ltl/rewrite.h"
#include "ltl/tableau.h"
#include "support/ltl_words.h"

namespace whittle::ltl {
namespace {

Translation translation(LtlPool& pool, const char* text) {
  return translated(pool, negation_normal_form(pool, test::read(pool, text)));
}

TEST(Translate, SmallAutomataAreTheKnownOnes) {
  const auto states = [](const char* text) {
    LtlPool pool;
    return translation(pool, text).automaton.size();
  };
  EXPECT_EQ(states("Fa"), 2U);
  EXPECT_EQ(states("Ga"), 1U);
  EXPECT_EQ(states("GFa"), 1U);
  EXPECT_EQ(states("FGa"), 2U);
  EXPECT_EQ(states("GFa & GFb & GFc"), 1U);
  EXPECT_EQ(states("G(a -> Fb)"), 2U);
  EXPECT_EQ(states("a U b"), 2U);
  EXPECT_EQ(states("true"), 1U);
  EXPECT_EQ(states("(Xa U Xb) | !X(a U b)"), 1U);
}

TEST(Translate, AFormulaWithoutModelHasNoRun) {
  for (const char* text : {"false", "a & X(b & !b)", "Ga & F!a", "GFa & FG!a"}) {
    LtlPool pool;
    const Automaton automaton = translation(pool, text).automaton;
    EXPECT_EQ(automaton.size(), 1U) << text;
    EXPECT_TRUE(automaton.edges[automaton.initial].empty()) << text;
  }
}

TEST(Translate, StrengthSaysHowARunIsAccepted) {
  const auto strength = [](const char* text) {
    LtlPool pool;
    return translation(pool, text).strength;
  };
  EXPECT_EQ(strength("Fa"), AutomatonStrength::Terminal);
  EXPECT_EQ(strength("a U (b & X(c U d))"), AutomatonStrength::Terminal);
  EXPECT_EQ(strength("F(a & X(!a | b))"), AutomatonStrength::Terminal);
  EXPECT_EQ(strength("Ga"), AutomatonStrength::Weak);
  EXPECT_EQ(strength("FGa"), AutomatonStrength::Weak);
  EXPECT_EQ(strength("GFa"), AutomatonStrength::General);
}

TEST(Translate, ClassesOfProperties) {
  const auto of = [](const char* text) {
    LtlPool pool;
    return property_class(pool, negation_normal_form(pool, test::read(pool, text)));
  };
  EXPECT_EQ(of("Ga"), PropertyClass::Safety);
  EXPECT_EQ(of("!b W a"), PropertyClass::Safety);
  EXPECT_EQ(of("Fa"), PropertyClass::Guarantee);
  EXPECT_EQ(of("G(a -> Fb)"), PropertyClass::General);
  EXPECT_EQ(of("GFa"), PropertyClass::General);
}

TEST(Translate, TooManyStatesAreALimitAndNoAnswer) {
  LtlPool pool;
  const LtlFormula f =
      test::read(pool, "F(a & XX(Xb)) & F(b & XX(Xc)) & F(c & XX(Xd)) & F(d & XX(Xa))");
  EXPECT_THROW(static_cast<void>(translated(pool, f, 20)), ResourceError);
}

TEST(Rewrite, KeepsCountOfItsSteps) {
  LtlPool pool;
  const Rewritten result = rewritten(pool, test::read(pool, "FF(a U b) | X(GFc)"));
  EXPECT_EQ(result.formula, test::read(pool, "Fb | GFc"));
  EXPECT_GE(result.steps.size(), 2U);
}

// A postponed until that is forgotten would make this accept a a a ... .
TEST(Tableau, KeepsATripleThatPostponesLess) {
  LtlPool pool;
  const Tableau t = tableau(pool, test::read(pool, "a U b"));
  ASSERT_EQ(t.states.size(), 2U);
  ASSERT_EQ(t.edges[t.initial].size(), 2U);
  std::size_t postponing = 0;
  for (const Tableau::Edge& edge : t.edges[t.initial]) postponing += edge.postponed.size();
  EXPECT_EQ(postponing, 1U);
}

TEST(Components, AcceptingOnesMeetEverySet) {
  Automaton automaton;
  automaton.acceptance = 2;
  automaton.edges = {{{1, {}, {0}}}, {{0, {}, {1}}, {2, {}, {}}}, {{2, {}, {0}}}, {}};
  const Components parts = components(automaton);
  EXPECT_EQ(parts.of[0], parts.of[1]);
  EXPECT_TRUE(parts.accepting[parts.of[0]]);
  EXPECT_FALSE(parts.accepting[parts.of[2]]);
  EXPECT_FALSE(parts.accepting[parts.of[3]]);
  EXPECT_FALSE(parts.productive[parts.of[2]]);
}

TEST(Stutter, NextFreeFormulasAndSomeOthers) {
  const auto invariant = [](const char* text) {
    LtlPool pool;
    return stutter_invariant(pool, negation_normal_form(pool, test::read(pool, text)));
  };
  EXPECT_EQ(invariant("G(a -> Fb)"), true);
  EXPECT_EQ(invariant("Xa"), false);
  EXPECT_EQ(invariant("F(a & XFb)"), false);
  EXPECT_EQ(invariant("F(a & X(!a & Fb))"), true);  // Michaud and Duret-Lutz's example of the kind
  EXPECT_EQ(invariant("GFXa"), true);
  EXPECT_EQ(invariant("X(a & b & c & d & e & f & g & h & i)"), std::nullopt);
}

TEST(Past, OnceBecomesABitThatStays) {
  ExprPool terms;
  LtlPool pool;
  const Expr a = terms.symbol(terms.declare("a", Type::boolean()));
  const WithoutPast result = without_past(pool, terms, pool.always(pool.once(pool.atom(a))));
  ASSERT_EQ(result.history.size(), 1U);
  const Expr h = terms.symbol(result.history[0].symbol);
  EXPECT_FALSE(result.history[0].first);
  EXPECT_EQ(result.formula, pool.always(pool.either(pool.atom(a), pool.atom(h))));
}

}  // namespace
}  // namespace whittle::ltl

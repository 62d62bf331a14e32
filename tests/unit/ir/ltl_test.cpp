// SPDX-License-Identifier: Apache-2.0
#include "ir/ltl.h"

#include <gtest/gtest.h>

#include "expr/evaluate.h"
#include "ir/ltl_rules.h"
#include "support/ltl_words.h"

namespace whittle {
namespace {

using test::holds;
using test::print;
using test::read;
using test::Word;

TEST(Ltl, EqualFormulasAreOne) {
  LtlPool ltl;
  EXPECT_EQ(read(ltl, "a & b & a"), read(ltl, "b & (a & true)"));
  EXPECT_EQ(read(ltl, "Fa"), read(ltl, "true U a"));
  EXPECT_EQ(read(ltl, "Ga"), read(ltl, "false R a"));
  EXPECT_NE(read(ltl, "a & !a"), ltl.constant(false));  // a may be undefined
  EXPECT_EQ(read(ltl, "X1 | a U 0"), ltl.constant(true));
  EXPECT_EQ(read(ltl, "!!a"), read(ltl, "a"));
  EXPECT_NE(read(ltl, "a U b"), read(ltl, "b U a"));
}

TEST(Ltl, TextReadsBack) {
  for (const char* text :
       {"[](!a || <>b)", "a U (b U c)", "(a U b) U c", "a || b && c", "!(a && b)", "X X a",
        "a S (b T c)", "Oa && Hb", "[]<>a", "(a || b) && c", "true"}) {
    LtlPool ltl;
    const LtlFormula f = read(ltl, text);
    EXPECT_EQ(read(ltl, print(ltl, f)), f) << text << " became " << print(ltl, f);
  }
  LtlPool ltl;
  EXPECT_EQ(read(ltl, "a -> b -> c"), read(ltl, "!a | (!b | c)"));
  EXPECT_EQ(read(ltl, "GFa"), read(ltl, "[]<>a"));
  EXPECT_THROW(read(ltl, "a U"), InternalError);
  EXPECT_THROW(read(ltl, "(a"), InternalError);
}

// Letters: bit 0 is a, bit 1 is b.
TEST(LtlWord, OperatorsMeanWhatTheirNamesSay) {
  LtlPool ltl;
  const Word word{{1, 1, 2, 0}, 2};  // a a (b -)
  const auto says = [&](const char* text) { return holds(ltl, read(ltl, text), word); };
  EXPECT_TRUE(says("a U b"));
  EXPECT_FALSE(says("b R a"));
  EXPECT_TRUE(says("GFb & !FGb"));
  EXPECT_TRUE(says("XX(b & X(!b & Xb))"));
  EXPECT_TRUE(says("a W b"));
  EXPECT_FALSE(says("Ga"));
  EXPECT_TRUE(says("FG!a"));
  // A run that ends with b repeats it.
  EXPECT_TRUE(holds_on(ltl, read(ltl, "FGb"), LassoWord::stays(2),
                       [](Expr e, std::size_t position) { return e.id() == position; }));
}

TEST(LtlWord, PastLooksBackOverTheLoop) {
  LtlPool ltl;
  const Word word{{1, 2, 0}, 0};  // (a b -)
  const auto says = [&](const char* text) { return holds(ltl, read(ltl, text), word); };
  EXPECT_TRUE(says("Oa"));
  EXPECT_FALSE(says("Ob"));
  EXPECT_TRUE(says("FG Ob"));
  EXPECT_FALSE(says("G(a -> Ob)"));  // only in the first round
  EXPECT_TRUE(says("XG(a -> Ob)"));
  EXPECT_TRUE(says("Ha & X!Ha & FG!Ha"));
  EXPECT_TRUE(says("G(b -> (!a S a) | (b S a))"));
  EXPECT_THROW(says("O(Fa)"), InternalError);
}

TEST(LtlWord, NegationsAreNegations) {
  int compared = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    LtlPool ltl;
    test::RandomLtl random(ltl, seed, 3);
    const LtlFormula f = random.formula(1 + seed % 9, true);
    const LtlFormula positive = negation_normal_form(ltl, f);
    const LtlFormula negative = negation_normal_form(ltl, f, false);
    EXPECT_EQ(negation_normal_form(ltl, positive), positive);
    for (LtlFormula g : ltl.subformulas(positive))
      EXPECT_TRUE(ltl.op(g) != LtlOp::Not || ltl.is_literal(g));
    for (int i = 0; i < 20; ++i) {
      const Word word = random.word(6);
      const bool expected = holds(ltl, f, word);
      ++compared;
      EXPECT_EQ(holds(ltl, positive, word), expected) << print(ltl, f);
      EXPECT_EQ(holds(ltl, negative, word), !expected) << print(ltl, f);
    }
  }
  EXPECT_EQ(compared, 6'000);
}

// Fixpoints by another way: unrolled as often as a letter can make a difference.
TEST(LtlWord, UntilIsWhatSomebodySeesWhoLooksFarEnough) {
  LtlPool ltl;
  const LtlFormula f = read(ltl, "a U b");
  const LtlFormula g = read(ltl, "a R b");
  std::size_t words = 0;
  test::for_each_word(2, 4, [&](const Word& word) {
    const std::size_t n = word.letters.size();
    bool until = false;
    bool until_open = true;
    bool release = true;
    bool release_open = true;
    std::size_t at = 0;
    for (std::size_t i = 0; i < 3 * n; ++i) {
      const bool a = (word.letters[at] & 1U) != 0;
      const bool b = (word.letters[at] & 2U) != 0;
      until = until || (until_open && b);
      until_open = until_open && a;
      release = release && (!release_open || b);
      release_open = release_open && !a;
      at = at + 1 < n ? at + 1 : word.loop;
    }
    EXPECT_EQ(holds(ltl, f, word), until) << test::to_string(word);
    EXPECT_EQ(holds(ltl, g, word), release) << test::to_string(word);
    ++words;
  });
  EXPECT_GT(words, 1'000U);
}

// ----- conditions that can be undefined

class Demanded : public ::testing::Test {
 protected:
  // x, y: Int
  Expr x() { return pool_.symbol(x_); }
  Expr y() { return pool_.symbol(y_); }
  bool demands(LtlFormula f, int x, int y) { return holds_at(demanded(ltl_, pool_, f), x, y); }
  // On the word whose only position has these values.
  bool holds_at(LtlFormula f, int x, int y) {
    Evaluator evaluate(pool_);
    return holds_on(ltl_, f, LassoWord::stays(1), [&](Expr e, std::size_t) {
      const auto value = evaluate(e, [&](SymbolId s, std::span<const Value>) {
        return std::optional<Value>(Value(Integer(s == x_ ? x : y)));
      });
      EXPECT_TRUE(value.has_value());  // what is demanded is defined everywhere
      return value.has_value() && value->as_bool();
    });
  }

  ExprPool pool_;
  LtlPool ltl_;
  SymbolId x_ = pool_.declare("x", Type::integer());
  SymbolId y_ = pool_.declare("y", Type::integer());
};

TEST_F(Demanded, UndefinedCountsAgainstThePropertyInEitherPolarity) {
  const LtlFormula a = ltl_.atom(pool_.gt(pool_.make(Op::IDiv, {x(), y()}), pool_.integer(1)));
  EXPECT_TRUE(demands(ltl_.always(a), 4, 2));
  EXPECT_FALSE(demands(ltl_.always(a), 1, 2));
  EXPECT_FALSE(demands(ltl_.always(a), 4, 0));
  EXPECT_TRUE(demands(ltl_.always(ltl_.negation(a)), 1, 2));
  EXPECT_FALSE(demands(ltl_.always(ltl_.negation(a)), 4, 0));
  EXPECT_FALSE(demands(ltl_.implies(a, ltl_.negation(a)), 4, 0));
  EXPECT_FALSE(demands(ltl_.equivalent(a, a), 4, 0));
}

TEST_F(Demanded, AConditionGuardsItself) {
  const Expr divides = pool_.gt(pool_.make(Op::IDiv, {x(), y()}), pool_.integer(1));
  const Expr guarded = pool_.conj(pool_.ne(y(), pool_.integer(0)), divides);
  const LtlFormula a = ltl_.atom(guarded);
  EXPECT_TRUE(demands(ltl_.eventually(a), 4, 2));
  EXPECT_FALSE(demands(ltl_.eventually(a), 4, 0));
  EXPECT_TRUE(demands(ltl_.always(ltl_.negation(a)), 4, 0));
}

TEST_F(Demanded, TotalConditionsAreSplit) {
  const Expr low = pool_.lt(x(), y());
  const Expr zero = pool_.eq(x(), pool_.integer(0));
  const LtlFormula f = ltl_.always(ltl_.atom(pool_.implies(low, zero)));
  const LtlFormula expected =
      ltl_.always(ltl_.either(ltl_.negation(ltl_.atom(low)), ltl_.atom(zero)));
  EXPECT_EQ(demanded(ltl_, pool_, f), expected);
}

TEST_F(Demanded, AnUndefinedAssumptionExcusesNothing) {
  const LtlFormula a = ltl_.atom(pool_.gt(pool_.make(Op::IDiv, {x(), y()}), pool_.integer(1)));
  const LtlFormula never = ltl_.constant(false);
  const LtlFormula refuted = refuting(ltl_, pool_, never, ltl_.always(a));
  EXPECT_TRUE(holds_at(refuted, 4, 2));
  EXPECT_FALSE(holds_at(refuted, 4, 0));  // no run of the assumption
  EXPECT_TRUE(holds_at(refuting(ltl_, pool_, ltl_.always(a)), 4, 0));
  EXPECT_TRUE(holds_at(refuting(ltl_, pool_, ltl_.always(ltl_.negation(a))), 4, 0));
}

// ----- rules

TEST(LtlRules, ArgumentsHaveToBeOfTheirKind) {
  LtlPool ltl;
  const LtlRule rule{"a U e", "e"};
  std::vector<LtlFormula> arguments(kLtlRuleLetters.size());
  arguments[0] = read(ltl, "a");
  EXPECT_FALSE(instance(ltl, rule, arguments).has_value());
  arguments[3] = read(ltl, "Gb");
  EXPECT_FALSE(instance(ltl, rule, arguments).has_value());
  arguments[3] = read(ltl, "b U Fc");
  const auto both = instance(ltl, rule, arguments);
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->from, read(ltl, "a U (b U Fc)"));
  EXPECT_EQ(both->to, read(ltl, "b U Fc"));
}

TEST(LtlRules, ReplacesEverywhereAndSomeOfManyParts) {
  LtlPool ltl;
  EXPECT_EQ(replaced(ltl, read(ltl, "G(a & b & c) | X(b & a)"), read(ltl, "a & b"), read(ltl, "d")),
            read(ltl, "G(c & d) | Xd"));
}

}  // namespace
}  // namespace whittle

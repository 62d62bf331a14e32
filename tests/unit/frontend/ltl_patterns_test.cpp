// SPDX-License-Identifier: Apache-2.0
// Every row of the catalogue against a direct reading: the scope is a set of segments of the word,
// the body is looked for in each.
#include "frontend/ltl_patterns.h"

#include <gtest/gtest.h>

#include "support/ltl_words.h"

namespace whittle::frontend {
namespace {

using test::Word;

constexpr std::size_t kForever = SIZE_MAX;

// p, q, r, s, t, z are the atoms 0 to 5.
enum : unsigned { kP, kQ, kR, kS, kT, kZ };

// A word from position 0 on, as far as anybody needs to look.
class Reading {
 public:
  explicit Reading(const Word& word) : word_(word) {}

  [[nodiscard]] std::size_t stem_and_loop() const { return word_.letters.size(); }
  [[nodiscard]] std::size_t loop() const { return word_.letters.size() - word_.loop; }
  [[nodiscard]] bool at(std::size_t i, unsigned atom) const {
    const std::size_t n = word_.letters.size();
    const std::size_t position = i < n ? i : word_.loop + (i - word_.loop) % loop();
    return ((word_.letters[position] >> atom) & 1U) != 0;
  }
  // The first position from `i` on where the atom holds.
  [[nodiscard]] std::size_t first(std::size_t i, unsigned atom) const {
    for (std::size_t k = i; k < i + stem_and_loop() + loop(); ++k) {
      if (at(k, atom)) return k;
    }
    return kForever;
  }

 private:
  const Word& word_;
};

struct Segment {
  std::size_t begin = 0;
  std::size_t end = kForever;
};

std::vector<Segment> segments(const Reading& word, PatternScope scope) {
  const std::size_t first_q = word.first(0, kQ);
  const std::size_t first_r = word.first(0, kR);
  std::vector<Segment> result;
  switch (scope) {
    case PatternScope::Globally:
      return {{0, kForever}};
    case PatternScope::Before:
      if (first_r != kForever) result.push_back({0, first_r});
      return result;
    case PatternScope::After:
      if (first_q != kForever) result.push_back({first_q, kForever});
      return result;
    case PatternScope::Between:
    case PatternScope::AfterUntil:
      for (std::size_t i = 0; i < word.stem_and_loop(); ++i) {
        if (!word.at(i, kQ) || word.at(i, kR)) continue;
        const std::size_t end = word.first(i, kR);
        if (end != kForever || scope == PatternScope::AfterUntil) result.push_back({i, end});
      }
      return result;
  }
  return result;
}

// Whether the body is found in the segment. What happens in an endless one shows within so many
// rounds of the loop.
bool found_in(const Reading& word, const Segment& segment, PatternBody body, unsigned times) {
  const bool endless = segment.end == kForever;
  const std::size_t horizon = segment.begin + word.stem_and_loop() + (times + 3) * word.loop();
  const std::size_t end = endless ? horizon : segment.end;
  const std::size_t asking = endless ? horizon - word.loop() : segment.end;
  bool some = false;
  bool all = true;
  bool precedes = true;
  bool responds = true;
  bool seen_s = false;
  unsigned phases = 0;
  for (std::size_t i = segment.begin; i < end; ++i) {
    const bool p = word.at(i, kP);
    seen_s |= word.at(i, kS);
    precedes &= !p || seen_s;
    if (p && (i == segment.begin || !word.at(i - 1, kP))) ++phases;
    some |= p;
    all &= p;
    if (p && i < asking) {
      bool answered = false;
      for (std::size_t k = i; k < end; ++k) answered |= word.at(k, kS);
      responds &= answered;
    }
  }
  switch (body) {
    case PatternBody::Absence:
      return !some;
    case PatternBody::Universality:
      return all;
    case PatternBody::Existence:
      return some;
    case PatternBody::ExistenceAtMost:
      return phases <= times;
    case PatternBody::Precedence:
      return precedes;
    case PatternBody::Response:
      return responds;
    default:
      ADD_FAILURE() << "no direct reading";
      return false;
  }
}

Pattern pattern(LtlPool& ltl, PatternBody body, PatternScope scope) {
  const auto atom = [&](unsigned i) { return ltl.atom(Expr(i)); };
  Pattern result{body, scope, atom(kP), atom(kQ), atom(kR), atom(kS), atom(kT), atom(kZ)};
  return result;
}

TEST(LtlPatterns, RowsAgreeWithADirectReading) {
  std::size_t compared = 0;
  LtlPool ltl;
  test::RandomLtl random(ltl, 7, 4);
  for (const PatternBody body :
       {PatternBody::Absence, PatternBody::Universality, PatternBody::Existence,
        PatternBody::ExistenceAtMost, PatternBody::Precedence, PatternBody::Response}) {
    for (const PatternScopeInfo& scope : pattern_scopes()) {
      std::size_t good = 0;
      const std::size_t rounds = 1'200;
      for (std::size_t round = 0; round < rounds; ++round) {
        Pattern wanted = pattern(ltl, body, scope.scope);
        if (body == PatternBody::ExistenceAtMost) wanted.times = random.below(4);
        const auto f = pattern_formula(ltl, wanted);
        ASSERT_TRUE(f.has_value());
        const Word word = random.word(8);
        const Reading reading(word);
        bool expected = true;
        for (const Segment& segment : segments(reading, scope.scope))
          expected = expected && found_in(reading, segment, body, wanted.times);
        EXPECT_EQ(test::holds(ltl, *f, word), expected)
            << pattern_bodies()[static_cast<std::size_t>(body)].text << ' ' << scope.text << " on "
            << test::to_string(word);
        good += expected ? 1 : 0;
        ++compared;
      }
      EXPECT_GT(good, 10U) << scope.text;
      EXPECT_LT(good, rounds - 10) << scope.text;
    }
  }
  EXPECT_GE(compared, 30'000U);
}

TEST(LtlPatterns, PublishedFormulas) {
  LtlPool ltl;
  // Letters as in the words above: a is P, b is Q, c is R, d is S, e is T, f is Z.
  const auto is = [&](PatternBody body, PatternScope scope, const char* text) {
    EXPECT_EQ(pattern_formula(ltl, pattern(ltl, body, scope)), test::read(ltl, text)) << text;
  };
  is(PatternBody::Response, PatternScope::Globally, "G(a -> Fd)");
  is(PatternBody::Precedence, PatternScope::After, "!b W (b & (!a W d))");
  is(PatternBody::ResponseChain, PatternScope::Globally, "G(a -> F(d & XFe))");
  is(PatternBody::ResponseChain, PatternScope::After, "G(b -> G(a -> F(d & XFe)))");
  is(PatternBody::ResponseChain, PatternScope::Before,
     "Fc -> ((a -> (!c U (d & !c & X(!c U (e & !c))))) U c)");
  is(PatternBody::ConstrainedChain, PatternScope::Globally, "G(a -> F(d & !f & X(!f U e)))");
  is(PatternBody::PrecedenceChain, PatternScope::Globally, "!a W (d & !a & X(!a U e))");
  is(PatternBody::PrecedesChain, PatternScope::Globally, "F(d & XFe) -> (!d U a)");
  is(PatternBody::RespondsToChain, PatternScope::Globally, "G((d & XFe) -> XF(e & Fa))");
}

TEST(LtlPatterns, ChainsOfExclusiveStepsNeedNoNext) {
  LtlPool ltl;
  for (const PatternBodyInfo& body : pattern_bodies()) {
    for (const PatternScopeInfo& scope : pattern_scopes()) {
      Pattern wanted = pattern(ltl, body.body, scope.scope);
      wanted.exclusive = true;
      const auto f = pattern_formula(ltl, wanted);
      EXPECT_TRUE(!f || !ltl.mentions(*f, {LtlOp::Next})) << body.text << ' ' << scope.text;
      wanted.exclusive = false;
      EXPECT_EQ(pattern_formula(ltl, wanted).has_value(), f.has_value());
    }
  }
  // Where S and T never meet, both forms say the same.
  std::size_t compared = 0;
  test::RandomLtl random(ltl, 11, 5);
  for (const PatternBodyInfo& body : pattern_bodies().subspan(6)) {
    for (int round = 0; round < 300; ++round) {
      Word word = random.word(7);
      for (std::uint32_t& letter : word.letters)
        if ((letter & (1U << kS)) != 0) letter &= ~(1U << kT);
      Pattern wanted = pattern(ltl, body.body, PatternScope::Globally);
      const bool with_next = test::holds(ltl, *pattern_formula(ltl, wanted), word);
      wanted.exclusive = true;
      EXPECT_EQ(test::holds(ltl, *pattern_formula(ltl, wanted), word), with_next)
          << body.text << " on " << test::to_string(word);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 1'500U);
}

TEST(LtlPatterns, SomeScopesDoNotExist) {
  LtlPool ltl;
  EXPECT_FALSE(pattern_formula(ltl, pattern(ltl, PatternBody::PrecedesChain, PatternScope::After))
                   .has_value());
  EXPECT_TRUE(pattern_formula(ltl, pattern(ltl, PatternBody::PrecedesChain, PatternScope::Before))
                  .has_value());
  EXPECT_FALSE(
      pattern_formula(ltl, pattern(ltl, PatternBody::RespondsToChain, PatternScope::Before))
          .has_value());
}

TEST(LtlPatterns, TablesAreInTheOrderOfTheirEnumerations) {
  for (std::size_t i = 0; i < pattern_bodies().size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(pattern_bodies()[i].body), i);
  for (std::size_t i = 0; i < pattern_scopes().size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(pattern_scopes()[i].scope), i);
}

}  // namespace
}  // namespace whittle::frontend

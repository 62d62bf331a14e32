// SPDX-License-Identifier: Apache-2.0
// What a step is, by counting: the least number of steps to a place says which instructions are
// steps of their own, and the number of states says what can interleave.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "expr/traverse.h"
#include "ir/run/explicit_search.h"
#include "support/load.h"

namespace whittle {
namespace {

struct Answer {
  std::optional<std::uint64_t> depth;  // least, to a violation
  std::size_t states = 0;              // without one
};

// Of the property of this name.
Answer answer(const std::string& text, const std::string& name = "q") {
  const test::Loaded loaded = test::load("proc", text, "program.proc");
  EXPECT_NE(loaded.network, nullptr) << loaded.messages();
  if (loaded.network == nullptr) return {};
  const Network& network = *loaded.network;
  for (const Property& property : network.properties()) {
    if (property.name != name) continue;
    ExprPool& pool = network.pool();
    SearchOptions search;
    search.candidates = finite_candidates(pool);
    const Expr goal = pool.disj(pool.negate(definedness(pool, property.condition())),
                                pool.negate(property.condition()));
    const SearchResult found =
        explicit_search(network, property.universe, goal, property.bound, search);
    if (found.trace) return {found.trace->length(), found.states};
    EXPECT_TRUE(found.exhausted);
    return {std::nullopt, found.states};
  }
  ADD_FAILURE() << "no property " << name;
  return {};
}

std::uint64_t steps(const std::string& text, const std::string& name = "q") {
  const Answer found = answer(text, name);
  return found.depth.value_or(UINT64_MAX);
}

TEST(ProcMeaning, AssignmentsAndTestsAreSteps) {
  EXPECT_EQ(steps("program p process P { skip; skip; l: skip; } property q: !P@l"), 2U);
  EXPECT_EQ(steps("program p process P { if (true) { l: skip; } } property q: !P@l"), 1U);
  EXPECT_EQ(steps("program p process P { if (false) { skip; } else { l: skip; } } "
                  "property q: !P@l"),
            1U);
  EXPECT_EQ(steps("program p process P { var i: Int = 0; while (i < 2) { i := i + 1; } l: skip; } "
                  "property q: !P@l"),
            5U);
  EXPECT_EQ(steps("program p process P { return; l: skip; } property q: !P@l"), UINT64_MAX);
  EXPECT_EQ(steps("program p process P { atomic { skip; skip; } l: skip; } property q: !P@l"), 1U);
}

TEST(ProcMeaning, WaitingIsNotStepping) {
  const std::string late =
      "program p shared f: Bool = false process P { assume f; l: skip; } "
      "process Q { skip; f := true; } property q: !P@l";
  EXPECT_EQ(steps(late), 3U);
  EXPECT_EQ(answer("program p process P { assume false; } property q: true").states, 1U);
  EXPECT_EQ(steps("program p shared m: Int = 0 process P { lock m; l: skip; unlock m; k: skip; } "
                  "property q: !(P@k && m == 0)"),
            3U);
  EXPECT_EQ(steps("program p shared m: Int = 7 process P { lock m; l: skip; } property q: !P@l"),
            UINT64_MAX);
}

TEST(ProcMeaning, ChoicesGoEitherWay) {
  const std::string coin =
      "program p shared b: Bool = false process P { b := *; l: skip; } property ";
  EXPECT_EQ(steps(coin + "q: !(P@l && b)"), 1U);
  EXPECT_EQ(steps(coin + "q: !(P@l && !b)"), 1U);
  const std::string way = "program p process P { if (*) { l: skip; } else { k: skip; } } property ";
  EXPECT_EQ(steps(way + "q: !P@l"), 1U);
  EXPECT_EQ(steps(way + "q: !P@k"), 1U);
  EXPECT_EQ(answer("program p shared b: Bool process P { skip; } property q: true").states, 4U);
}

TEST(ProcMeaning, CompareAndSwapTellsWhetherItDid) {
  const std::string text =
      "program p shared x: Int = 1 process P { var f: Bool = false; var g: Bool = false; "
      "f := cas(x, 1, 5); g := cas(x, 1, 6); l: skip; } property q: !(P@l && ";
  EXPECT_EQ(steps(text + "P.f && !P.g && x == 5)"), 2U);
  EXPECT_EQ(steps(text + "x != 5)"), UINT64_MAX);
}

TEST(ProcMeaning, FamiliesHaveTheirNumbers) {
  const std::string text =
      "program p const LOW = 2 shared x: Int = 0 process P[t: LOW..LOW + 1] { x := x + t; } "
      "property q: x != ";
  EXPECT_EQ(steps(text + "2"), 1U);
  EXPECT_EQ(steps(text + "3"), 1U);
  EXPECT_EQ(steps(text + "5"), 2U);
  EXPECT_EQ(steps(text + "4"), UINT64_MAX);
}

TEST(ProcMeaning, ConditionsAreLazy) {
  const std::string text =
      "program p shared a: Int[2] = 0 shared i: Int = 5 "
      "process P { if (i < 2 && a[i] == 0) { l: skip; } else { k: skip; } } ";
  EXPECT_EQ(steps(text + "property q: !P@k"), 1U);
  EXPECT_EQ(steps(text + "property q: i < 2 -> a[i] == 0"), UINT64_MAX);
  EXPECT_EQ(steps(text + "property q: !P@k", "bounds"), UINT64_MAX);
}

TEST(ProcMeaning, ErrorsEndTheRun) {
  const std::string index =
      "program p shared a: Int[2] = 0 shared i: Int = 2 process P { skip; a[i] := 1; l: skip; } "
      "property q: !P@l";
  EXPECT_EQ(steps(index, "bounds"), 2U);
  EXPECT_EQ(steps(index), UINT64_MAX);
  const std::string zero =
      "program p shared x: Int = 0 process P { x := 1 / x; l: skip; } property q: !P@l";
  EXPECT_EQ(steps(zero, "division"), 1U);
  EXPECT_EQ(steps(zero), UINT64_MAX);
  const std::string failing =
      "program p shared x: Int = 0\nprocess P { skip;\n assert x == 1; l: skip; } property q: !P@l";
  EXPECT_EQ(steps(failing, "assert at line 3"), 2U);
  EXPECT_EQ(steps(failing), UINT64_MAX);
}

TEST(ProcMeaning, FirstValuesAreAsSaid) {
  const std::string text =
      "program p shared b: Bool shared c: Bool init b != c process P { skip; } property q: ";
  EXPECT_EQ(steps(text + "!b"), 0U);
  EXPECT_EQ(steps(text + "!(b && c)"), UINT64_MAX);
}

}  // namespace
}  // namespace whittle

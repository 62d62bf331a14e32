// SPDX-License-Identifier: Apache-2.0
// Traps of the original implementation that no test of meaning or of malformed input is named
// after. 47, a solver that gives up, is the business of the engines (random/rebel_test.cpp).
#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

using Ids = std::vector<std::string>;

std::optional<int> depth(const std::string& text, std::vector<long> numbers = {0, 1, 2}) {
  const Model model({{"t.tebl", text}});
  if (!model.network) {
    ADD_FAILURE() << model.messages();
    return -1;
  }
  const Property& p = model.network->properties().at(0);
  Search search(*model.network, p.universe, std::move(numbers));
  return search.depth(p.condition(), static_cast<int>(p.bound.max.value_or(5)));
}

const std::optional<int> kNever = std::nullopt;

constexpr const char* kAccount =
    "specification A { fields { id: Integer @key n: Integer m: Money } events { open[] up[] } "
    "lifeCycle { initial i -> on: open on -> on: up } }"
    "event open() { postconditions { new this.n == 0; new this.m == EUR 1.00; } }"
    "event up() { postconditions { new this.n == this.n + 1; } }\n";

// A condition that stands before the only step to the goal.
std::optional<int> if_true(const std::string& condition) {
  return depth(
      "specification C { fields { id: Integer @key n: Integer } events { go[] } "
      "lifeCycle { initial a -> b: go } } event go() { preconditions { " +
      condition +
      "; } postconditions { new this.n == 1; } } state s { b C; } check s reachable in "
      "max 2 steps;");
}

TEST(RebelTraps, Trap6UnknownNamesInTestsAreErrors) {
  EXPECT_EQ(Model({{"t.tebl", std::string(kAccount) + "state s { of A; }"}}).problems(),
            Ids{"rebel-061:2"});
  EXPECT_EQ(Model({{"t.tebl", std::string(kAccount) + "state s { on B; }"}}).problems(),
            Ids{"rebel-027:2"});
  EXPECT_EQ(Model({{"t.tebl", std::string(kAccount) + "state s { on A with q == 1; }"}}).problems(),
            Ids{"rebel-054:2"});
}

TEST(RebelTraps, Trap9InterfaceEventsHaveAnyNumberOfParameters) {
  const std::string text =
      "external specification E { fields { id: Integer @key } events { ping() "
      "send(to: Integer, what: Money, when: Date) } }"
      "specification C { fields { id: Integer @key } events { go[] } "
      "lifeCycle { initial a -> b: go } }"
      "event go() { sync { E[1].ping(); E[2].send(1, EUR 1.00, 1 Jan 2020); } }"
      "state s { b C; } check s reachable in max 2 steps;";
  EXPECT_EQ(depth(text), 1);
}

TEST(RebelTraps, Trap11StringsAreJoinedNotAdded) {
  EXPECT_EQ(if_true("\"a\" + \"b\" == \"ab\""), 1);
  EXPECT_EQ(if_true("\"a\" + \"b\" == \"b\" + \"a\""), kNever);
}

TEST(RebelTraps, Trap15ProductsThatMakeNoSenseAreErrors) {
  const std::string text =
      "event e(d: Date, m: Money) {\n  preconditions {\n    m * m > EUR 1.00;\n    d * 2 == d;\n"
      "    True * 2 == 2;\n  }\n}\n";
  EXPECT_EQ(Model({{"t.ebl", text}}).problems(),
            (Ids{"rebel-051:3", "rebel-051:4", "rebel-051:5"}));
}

TEST(RebelTraps, Trap16MoneyOnEitherSideOfAProduct) {
  EXPECT_EQ(if_true("2 * EUR 1.50 == EUR 1.50 * 2 && 2 * EUR 1.50 == EUR 3.00"), 1);
  EXPECT_EQ(if_true("10% * EUR 5.00 == EUR 5.00 * 10% && 10% * EUR 5.00 == EUR 0.50"), 1);
}

// Products with percentages of different types, side by side in one statement.
TEST(RebelTraps, Trap18ProductsKeepTheirTypes) {
  EXPECT_EQ(if_true("EUR 10.00 * 10% == EUR 1.00 && 10% * 50% == 5% && 10 * 90% == 9"), 1);
  EXPECT_EQ(if_true("10 * 90% == 9 && EUR 10.00 * 10% + EUR 10.00 * 20% == EUR 3.00"), 1);
  EXPECT_EQ(if_true("(EUR 10.00 * 10%) * 10% == EUR 0.10 && 10% * 10% * 200% == 2%"), 1);
}

TEST(RebelTraps, Trap22ExactlyOneInitialState) {
  const std::string with = "\nevent e() { }";
  EXPECT_EQ(Model({{"t.ebl",
                    "specification C { fields { id: Integer @key } events { e[] } "
                    "lifeCycle { a -> b: e } }" +
                        with}})
                .problems(),
            Ids{"rebel-038:1"});
  EXPECT_EQ(Model({{"t.ebl",
                    "specification C { fields { id: Integer @key } events { e[] } "
                    "lifeCycle { initial a -> b: e\ninitial b -> a: e } }" +
                        with}})
                .problems()
                .size(),
            1U);
}

TEST(RebelTraps, Trap36UnknownConfigurationsAreErrors) {
  const Model model({{"t.tebl", std::string(kAccount) + "state s { on A; }\ncheck z reachable;"}});
  EXPECT_EQ(model.problems(), Ids{"rebel-085:3"});
}

TEST(RebelTraps, Trap38AGoalThatHoldsAtTheStart) {
  EXPECT_EQ(depth(std::string(kAccount) + "state s { i A; } check s reachable in max 3 steps;"), 0);
  EXPECT_EQ(depth(std::string(kAccount) + "state s { A; i A; } check s reachable;"), 0);
}

TEST(RebelTraps, Trap42FieldsWithoutANamedState) {
  EXPECT_EQ(depth(std::string(kAccount) + "state s { A with n == 1; } check s reachable;"), 2);
  EXPECT_EQ(depth(std::string(kAccount) + "state s { A with this.n == 1 and n < 2; } "
                                          "check s reachable;"),
            2);
}

TEST(RebelTraps, Trap48SeveralKeysAreAnError) {
  const std::string text =
      "specification C {\n  fields {\n    id: Integer @key\n    other: Integer @key\n  }\n"
      "  events { e[] }\n  lifeCycle { initial a -> b: e }\n}\nevent e() { }";
  EXPECT_EQ(Model({{"t.ebl", text}}).problems(), Ids{"rebel-036:4"});
}

}  // namespace
}  // namespace whittle::rebel

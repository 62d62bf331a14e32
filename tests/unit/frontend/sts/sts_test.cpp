// SPDX-License-Identifier: Apache-2.0
// What STS files become, construct by construct.
#include "frontend/sts/sts.h"

#include <gtest/gtest.h>

#include <string>

#include "frontend/sts/printer.h"
#include "ir/notation.h"
#include "support/load.h"

namespace whittle {
namespace {

using test::everything_in;
using test::load;
using test::Loaded;

Loaded sts(const std::string& text) { return load("sts", text, "model.sts"); }

std::string condition(const Network& n, Expr e) { return n.notation->condition(n, e); }

const char* const kAccount = R"(system BankAccount
enum Status { OPEN, FROZEN, CLOSED }
const LIMIT = 10 * 5
var balance: Real
var status: Status
node Open, Frozen
final node Closed
start Open: balance == LIMIT && status == OPEN
transition withdraw: Open -> Open (amount: Real)
  when amount > 0 && amount <= balance
  then balance' == balance - amount
transition freeze: Open -> Frozen then status' == FROZEN
transition unfreeze: Frozen -> Open then status' == OPEN
transition close: Open -> Closed when balance == 0 then status' == CLOSED
constraint Open: balance >= 0 && status == OPEN
safety nonNegative: balance >= 0
safety open @Open: status == OPEN
reach broke: @Closed && balance > 0 within 20
reach frozen: @Frozen
)";

TEST(Sts, TheWholeLanguageInOneFile) {
  const Loaded loaded = sts(kAccount);
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_TRUE(loaded.diagnostics.empty()) << loaded.messages();
  const Network& n = *loaded.network;
  EXPECT_TRUE(well_formedness_problems(n).empty()) << well_formedness_problems(n)[0];
  EXPECT_EQ(n.name, "BankAccount");
  EXPECT_EQ(n.language, "sts");
  ASSERT_EQ(n.machines().size(), 1U);
  EXPECT_EQ(n.instances().size(), 1U);
  ASSERT_EQ(n.variables().size(), 2U);
  EXPECT_EQ(n.variables()[0].type, Type::real());
  EXPECT_EQ(n.pool().info(n.variables()[1].type).values.size(), 3U);
  ASSERT_EQ(n.locations().size(), 3U);
  EXPECT_FALSE(n.locations()[1].final);
  EXPECT_TRUE(n.locations()[2].final);
  ASSERT_EQ(n.machines()[0].starts.size(), 1U);
  EXPECT_EQ(n.machines()[0].starts[0].name, "start Open");
  EXPECT_EQ(condition(n, n.machines()[0].starts[0].condition), "balance == 50 && status == OPEN");

  ASSERT_EQ(n.events().size(), 4U);
  const Event& withdraw = n.events()[0];
  EXPECT_EQ(withdraw.name, "withdraw");
  ASSERT_EQ(withdraw.parameters.size(), 1U);
  ASSERT_EQ(withdraw.guards.size(), 2U);
  EXPECT_EQ(condition(n, withdraw.guards[1].condition), "amount <= balance");
  EXPECT_EQ(loaded.sources->text(withdraw.guards[1].origin), "amount <= balance");
  ASSERT_EQ(withdraw.effects.size(), 1U);
  EXPECT_EQ(withdraw.effects[0].kind, EffectKind::Assign);
  EXPECT_EQ(condition(n, withdraw.effects[0].expr), "balance - amount");
  ASSERT_EQ(withdraw.arcs.size(), 1U);
  EXPECT_EQ(withdraw.arcs[0].from, withdraw.arcs[0].to);

  ASSERT_EQ(n.properties().size(), 5U);
  const auto& p = n.properties();
  EXPECT_EQ(p[0].name, "constraint Open");
  EXPECT_EQ(p[0].kind, PropertyKind::Constraint);
  EXPECT_EQ(p[0].as<StateGoal>().node, LocationId(0));
  EXPECT_TRUE(p[0].demand);
  EXPECT_EQ(condition(n, p[0].condition()), "@Open -> balance >= 0 && status == OPEN");
  EXPECT_EQ(p[1].kind, PropertyKind::Invariant);
  EXPECT_EQ(condition(n, p[2].condition()), "@Open -> status == OPEN");
  EXPECT_EQ(p[3].kind, PropertyKind::Reach);
  EXPECT_FALSE(p[3].demand);
  EXPECT_EQ(p[3].bound, (StepBound{0, 20}));
  EXPECT_EQ(p[4].bound, (StepBound{0, std::nullopt}));
}

TEST(Sts, OrderOfDeclarationsIsFree) {
  const Loaded loaded = sts(R"(system S
safety p: x < B
transition t: N -> N when x < A then x' == x + 1
start N: x == 0
const B = A + 1
node N
const A = 5
var x: Int
)");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(condition(*loaded.network, loaded.network->properties()[0].condition()), "x < 6");
}

TEST(Sts, QuotedNames) {
  const Loaded loaded = sts(R"(system "a \"system\""
var i: Int
node "i is even", odd
start "i is even": i == 0
transition "add one": "i is even" -> odd then i' == i + 1
transition "add one more": odd -> "i is even" then i' == i + 1
safety "is even" @"i is even": i % 2 == 0
reach "odd one": @odd && !@"i is even"
)");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_TRUE(loaded.diagnostics.empty()) << loaded.messages();
  EXPECT_EQ(loaded.network->name, "a \"system\"");
  EXPECT_EQ(loaded.network->locations()[0].name, "i is even");
  EXPECT_EQ(loaded.network->properties()[1].name, "odd one");
}

TEST(Sts, SeveralStartsAreNumberedPerNode) {
  const Loaded loaded = sts(R"(system S
var i: Int
final node A, B
start A: i == 0
start B: i == 1
start A: i == 2
)");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  const auto& starts = loaded.network->machines()[0].starts;
  ASSERT_EQ(starts.size(), 3U);
  EXPECT_EQ(starts[0].name, "start A");
  EXPECT_EQ(starts[1].name, "start B");
  EXPECT_EQ(starts[2].name, "start A #2");
}

// One line per effect: kind, written variables, term.
std::string effects_of(const std::string& then) {
  const Loaded loaded =
      sts("system S\nvar x, y: Int\nvar r: Real\nvar b: Bool\nnode N\n"
          "start N: x == 0 && y == 0 && r == 0 && b\n"
          "transition t: N -> N (p: Int) when p > 0 then " +
          then + "\n");
  if (!loaded.network) return loaded.messages();
  const Network& n = *loaded.network;
  std::string result;
  for (const Effect& effect : n.events()[0].effects) {
    result += effect.kind == EffectKind::Assign ? "assign" : "";
    result += effect.kind == EffectKind::Relation ? "relation" : "";
    result += effect.kind == EffectKind::Free ? "free" : "";
    for (const VariableId id : effect.writes) result += " " + n.variable(id).name;
    if (effect.expr.valid()) result += ": " + condition(n, effect.expr);
    result += "\n";
  }
  return result;
}

TEST(Sts, Effects) {
  EXPECT_EQ(effects_of("x' == x + p"), "assign x: x + p\n");
  EXPECT_EQ(effects_of("x + p == x'"), "assign x: x + p\n");
  EXPECT_EQ(effects_of("x' == 1 && y' == x"), "assign x: 1\nassign y: x\n");
  EXPECT_EQ(effects_of("(x' == 1 && y' == x) && b' == (x < y)"),
            "assign x: 1\nassign y: x\nassign b: x < y\n");
  EXPECT_EQ(effects_of("r' == x"), "assign r: (0.0 + x)\n");
  EXPECT_EQ(effects_of("b'"), "assign b: true\n");
  EXPECT_EQ(effects_of("!b'"), "assign b: false\n");
  EXPECT_EQ(effects_of("b' == true"), "assign b: true\n");
  EXPECT_EQ(effects_of("x' > x"), "relation x: x < x'\n");
  EXPECT_EQ(effects_of("x' == y'"), "relation x y: x' == y'\n");
  EXPECT_EQ(effects_of("x' == 1 && x' == p"), "assign x: 1\nrelation: p == 1\n");
  EXPECT_EQ(effects_of("x' == 1 && x' + y' == p"), "assign x: 1\nrelation y: y' + 1 == p\n");
  EXPECT_EQ(effects_of("x' == x + 1 && x' <= 10"), "assign x: x + 1\nrelation: x + 1 <= 10\n");
  EXPECT_EQ(effects_of("y' == x' + 1 && x' == p"), "assign y: p + 1\nassign x: p\n");
  EXPECT_EQ(effects_of("(x' == 1 || b' && y' > 0) && x' == 2"),
            "assign b: true\nrelation y: y' > 0\nassign x: 2\n");
  EXPECT_EQ(effects_of("x' == 1 && (x' == 1 || y' == 2)"), "assign x: 1\nfree y\n");
  EXPECT_EQ(effects_of("x' == r"), "relation x: x' == r\n");
  EXPECT_EQ(effects_of("x' == 1 || x' == 2"), "relation x: x' == 1 || x' == 2\n");
  EXPECT_EQ(effects_of("any x"), "free x\n");
  EXPECT_EQ(effects_of("any x && y' == 1 && any r"), "assign y: 1\nfree x\nfree r\n");
  EXPECT_EQ(effects_of("x' == x'"), "free x\n");
  EXPECT_EQ(effects_of("any x && x' > 0"), "relation x: x' > 0\n");
  EXPECT_EQ(effects_of("x > 0 && y' == 1"), "relation: x > 0\nassign y: 1\n");
  EXPECT_EQ(effects_of("true"), "");
  EXPECT_EQ(effects_of("false"), "relation: false\n");
  EXPECT_EQ(effects_of("x' == x / y"), "assign x: x / y\n");
  EXPECT_EQ(effects_of("forall i in 1..2: x' > i"), "relation x: x' > 1\nrelation x: x' > 2\n");
}

TEST(Sts, KeywordsAreNamesWhereTheyCanBe) {
  const Loaded loaded = sts(R"(system system
var reach, when, in: Int
node start, final, node
start start: reach == 0 && when == in
transition transition: start -> final (then: Int) when then > reach then reach' == then
transition go: final -> node when when == in then in' == reach
transition back: node -> start
safety safety: when <= reach
reach reach: @start && reach == when within 3
)");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(loaded.network->locations()[2].name, "node");
  EXPECT_EQ(loaded.network->events()[0].name, "transition");
  EXPECT_EQ(loaded.network->properties()[1].bound.max, 3U);
}

TEST(Sts, NotationShowsWhatUsersWrote) {
  const Loaded loaded = sts(kAccount);
  const Network& n = *loaded.network;
  const auto value_of = [&](VariableId id) {
    return id.index() == 0 ? Value(Rational(25, 2)) : Value(EnumValue{1});
  };
  const auto all = n.notation->state(n, MachineId(0), value_of, {});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "balance");
  EXPECT_EQ(all[0].value, "12.5");
  EXPECT_EQ(all[1].value, "FROZEN");
  EXPECT_EQ(n.notation->state(n, MachineId(0), value_of, {VariableId(1)}).size(), 1U);
  const auto arguments = n.notation->arguments(n, EventId(0), {Value(Rational(5))});
  ASSERT_EQ(arguments.size(), 1U);
  EXPECT_EQ(arguments[0].name, "amount");
  EXPECT_EQ(arguments[0].value, "5");
}

TEST(Sts, PrintedTextIsTheSameNetwork) {
  const Loaded first = sts(kAccount);
  const std::string text = sts::print_network(*first.network);
  const Loaded second = sts(text);
  ASSERT_NE(second.network, nullptr) << second.messages() << text;
  EXPECT_EQ(everything_in(*first.network), everything_in(*second.network)) << text;
  EXPECT_EQ(sts::print_network(*second.network), text);
  // Through the list of languages.
  const Language* language = find_language("sts");
  const auto files = language->print(*first.network, *first.sources);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].path, "BankAccount.sts");
  EXPECT_EQ(files[0].text, text);
}

TEST(Sts, PrintingFoldedConstraints) {
  const Loaded first = sts(R"(system S
final node A, B
var x: Int
start A: x == 0
constraint A: true
constraint B: false
constraint A: x > 0 -> x > 1
)");
  ASSERT_NE(first.network, nullptr) << first.messages();
  EXPECT_EQ(first.network->properties()[2].name, "constraint A #2");
  const Loaded second = sts(sts::print_network(*first.network));
  ASSERT_NE(second.network, nullptr) << second.messages();
  EXPECT_EQ(everything_in(*first.network), everything_in(*second.network));
}

TEST(Sts, HugeNumbers) {
  const std::string digits(5'000, '9');
  const Loaded loaded = sts("system S\nvar x: Int\nfinal node N\nstart N: x == " + digits + "\n");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_NE(sts::print_network(*loaded.network).find(digits), std::string::npos);
}

TEST(Languages, Lookup) {
  ASSERT_NE(find_language("sts"), nullptr);
  EXPECT_EQ(find_language("cobol"), nullptr);
  EXPECT_EQ(language_of_path("a/b.sts"), find_language("sts"));
  EXPECT_EQ(language_of_path("a/B.STS"), find_language("sts"));
  EXPECT_EQ(language_of_path("sts"), nullptr);
  EXPECT_EQ(language_of_path("x.sts.txt"), nullptr);
  EXPECT_NE(known_extensions().find(".sts"), std::string::npos);
}

}  // namespace
}  // namespace whittle

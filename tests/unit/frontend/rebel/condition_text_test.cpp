// SPDX-License-Identifier: Apache-2.0
// Conditions over the parts of fields, as Rebel writes them; what is written can be read again.
#include "frontend/rebel/condition_text.h"

#include "ir/notation.h"
#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

std::string account(const std::string& demand) {
  return R"(module Account
specification Account {
  fields { number: Integer @key balance: Money since: Date rate: Percentage days: set[Integer] owner: Integer @ref=Person }
  events { open[] block[] }
  invariants { demand }
  lifeCycle { initial new -> opened: open opened -> blocked: block final blocked }
}
specification Person {
  fields { number: Integer @key age: Integer }
  events { join[] }
  lifeCycle { initial stranger -> member: join final member }
}
event open(sum: Money, day: Date, who: Integer) {
  preconditions { sum >= EUR 1.00; sum <= EUR 9.00; initialized Person[who]; }
  postconditions {
    new this.balance == sum; new this.since == day; new this.rate == 5%; new this.days == {1, 2};
    new this.owner == who;
  }
}
event block() { preconditions { this.balance > EUR 2.00; } }
event join(years: Integer) { postconditions { new this.age == years; } }
invariant demand { )" +
         demand + " }\n";
}

// Terms over the only account and the first person of the invariant's universe.
struct Terms {
  Model model{{{"Account.ebl", account("this.balance >= EUR 0.00;")}}};
  Network& network = *model.network;
  ExprPool& pool = network.pool();
  UniverseId universe = model.property("Account.demand").universe;

  InstanceId instance(const std::string& machine) {
    for (InstanceId one : network.universe(universe).instances) {
      if (network.machine(network.instance(one).machine).name == machine) return one;
    }
    throw std::runtime_error("no instance of " + machine);
  }
  Expr field(const std::string& name, const std::string& machine = "Account") {
    const InstanceId one = instance(machine);
    for (VariableId v : network.machine(network.instance(one).machine).variables) {
      if (network.variable(v).name == name) return pool.symbol(network.of_instance(one, v));
    }
    throw std::runtime_error("no variable " + name);
  }
  Expr at(const std::string& state, const std::string& machine = "Account") {
    const InstanceId one = instance(machine);
    for (LocationId l : network.machine(network.instance(one).machine).locations) {
      if (network.location(l).name == state) return pool.symbol(network.at_instance(one, l));
    }
    throw std::runtime_error("no state " + state);
  }
  Expr n(long value) { return pool.integer(Integer(value)); }

  std::vector<std::string> texts(Expr condition) {
    std::vector<std::string> result = network.notation->conditions(network, condition);
    std::string all;
    for (const std::string& text : result) all += text + "; ";
    const Model again({{"Account.ebl", account(all)}});
    EXPECT_EQ(again.problems(), std::vector<std::string>{}) << all << "\n" << again.messages();
    return result;
  }
  std::string text(Expr condition) {
    const auto result = texts(condition);
    EXPECT_EQ(result.size(), 1U);
    return result.empty() ? "" : result[0];
  }
};

using Texts = std::vector<std::string>;

TEST(ConditionText, AmountAndCurrencyAreMoney) {
  Terms t;
  const Expr amount = t.field("balance.amount"), currency = t.field("balance.currency");
  const Expr euro = t.pool.eq(currency, t.n(0));
  EXPECT_EQ(t.texts(t.pool.conj(euro, t.pool.ge(amount, t.n(105)))),
            (Texts{"this.balance >= EUR 1.05"}));
  const Expr both[] = {euro, t.pool.lt(amount, t.n(900)), t.pool.lt(t.n(-5), amount)};
  EXPECT_EQ(t.texts(t.pool.conj(both)),
            (Texts{"this.balance < EUR 9.00", "this.balance > -EUR 0.05"}));
  EXPECT_EQ(t.text(t.pool.implies(t.at("opened"), t.pool.conj(euro, t.pool.eq(amount, t.n(0))))),
            "this instate opened -> this.balance == EUR 0.00");
}

TEST(ConditionText, ConstantsAreWhatTheyAreComparedWith) {
  Terms t;
  EXPECT_EQ(t.text(t.pool.eq(t.field("rate"), t.n(5))), "this.rate == 5%");
  EXPECT_EQ(t.text(t.pool.ne(t.field("rate"), t.n(5))), "this.rate != 5%");
  EXPECT_EQ(t.text(t.pool.le(t.n(18), t.field("age", "Person"))), "Person[1].age >= 18");
}

TEST(ConditionText, States) {
  Terms t;
  EXPECT_EQ(t.text(t.at("opened")), "this instate opened");
  EXPECT_EQ(t.text(t.pool.disj(t.at("opened"), t.at("blocked"))), "this instate {opened, blocked}");
  EXPECT_EQ(t.text(t.at("new")), "not initialized this");
  EXPECT_EQ(t.text(t.pool.negate(t.at("new"))), "initialized this");
}

TEST(ConditionText, WhatHoldsOnceAnInstanceIsThere) {
  Terms t;
  const Expr rate = t.pool.eq(t.field("rate"), t.n(5)), low = t.pool.ge(t.field("rate"), t.n(1));
  EXPECT_EQ(t.text(t.pool.disj(t.at("new"), rate)), "initialized this -> this.rate == 5%");
  // One implication, not two; and `initialized` only where it is not said already.
  EXPECT_EQ(t.text(t.pool.disj(t.at("new"), t.pool.implies(low, rate))),
            "initialized this && this.rate >= 1% -> this.rate == 5%");
  EXPECT_EQ(t.text(t.pool.disj(t.at("new"), t.pool.implies(t.at("opened"), rate))),
            "this instate opened -> this.rate == 5%");
}

TEST(ConditionText, WhoHasToBeThere) {
  Terms t;
  const Expr owner = t.pool.eq(t.field("owner"), t.n(1));
  EXPECT_EQ(t.text(t.pool.negate(t.pool.conj(owner, t.at("stranger", "Person")))),
            "this.owner == 1 -> initialized Person[1]");
}

TEST(ConditionText, WhatIsSaidAboutEachEntryIsSaidAboutAll) {
  Terms t;
  std::vector<Expr> all, one;
  for (VariableId v :
       t.network.machine(t.network.instance(t.instance("Account")).machine).variables) {
    const std::string name = t.network.variable(v).name;
    if (!name.starts_with("days#") || name.find('.') != std::string::npos) continue;
    all.push_back(t.pool.implies(t.field(name), t.pool.ge(t.field(name + ".key"), t.n(1))));
  }
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(t.text(t.pool.conj(all)), "forall x : this.days | x >= 1");
}

TEST(ConditionText, BracketsAreWhereTheyHaveToBe) {
  Terms t;
  const Expr a = t.pool.eq(t.field("rate"), t.n(5)), b = t.pool.eq(t.field("owner"), t.n(1));
  const Expr c = t.at("opened");
  EXPECT_EQ(t.text(t.pool.disj(t.pool.conj(a, b), c)),
            "this instate opened || this.rate == 5% && this.owner == 1");
  EXPECT_EQ(t.text(t.pool.implies(t.pool.disj(a, b), c)),
            "this.rate == 5% || this.owner == 1 -> this instate opened");
  EXPECT_EQ(t.texts(t.pool.conj(t.pool.disj(a, b), c)),
            (Texts{"this.rate == 5% || this.owner == 1", "this instate opened"}));
  EXPECT_EQ(t.text(t.pool.implies(c, t.pool.conj(t.pool.disj(a, b), a))),
            "this instate opened -> (this.rate == 5% || this.owner == 1) && this.rate == 5%");
}

}  // namespace
}  // namespace whittle::rebel

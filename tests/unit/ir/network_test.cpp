// SPDX-License-Identifier: Apache-2.0
#include "ir/network.h"

#include <gtest/gtest.h>

#include "support/systems.h"

namespace whittle {
namespace {

using test::bank_system;

TEST(Network, HandMadeSystemsAreWellFormed) {
  for (const auto& network : {test::counter_system(5).network, bank_system(2, 2).network,
                              test::river_system().network, test::chain_system(10).network}) {
    const auto problems = well_formedness_problems(*network);
    EXPECT_TRUE(problems.empty()) << network->name << ": " << problems.front();
  }
}

TEST(Network, SymbolsOnDemandAreOnePerMeaning) {
  auto s = bank_system(2, 1);
  Network& n = *s.network;
  EXPECT_EQ(n.at(s.opened), n.at(s.opened));
  EXPECT_NE(n.at(s.opened), n.at(s.closed));
  EXPECT_NE(n.at(s.opened), n.at_next(s.opened));
  EXPECT_NE(n.of_instance(s.accounts[0], s.balance), n.of_instance(s.accounts[1], s.balance));
  EXPECT_EQ(n.role(n.remote(s.balance)), (Role{RoleKind::RemoteCurrent, s.balance.index(), {}}));
  EXPECT_EQ(n.pool().info(n.remote(s.balance)).params.size(), 1U);
  EXPECT_EQ(n.role(SymbolId(1'000'000)).kind, RoleKind::None);
}

TEST(Network, AdoptedSymbolsAreFoundAgain) {
  auto s = bank_system(1, 1);
  Network other(s.network->shared_pool());
  const MachineId m = other.add_machine("Account", {});
  const LocationId l = other.add_location("opened", m, {});
  const SymbolId symbol = s.network->at(s.opened);
  other.adopt(symbol, {RoleKind::At, l.index(), {}});
  EXPECT_EQ(other.at(l), symbol);
}

TEST(Network, InstancesAreFoundByKey) {
  auto s = bank_system(3, 1);
  EXPECT_EQ(s.network->find_instance(s.universe, s.account, Value(2)), s.accounts[1]);
  EXPECT_FALSE(s.network->find_instance(s.universe, s.account, Value(7)).valid());
  EXPECT_EQ(s.network->instances_of(s.universe, s.account), s.accounts);
  auto river = test::river_system();
  EXPECT_EQ(river.network->find_instance(river.universe, river.machines[2], Value(42)),
            river.instances[2]);
}

TEST(WellFormed, FindsWhatIsWrong) {
  auto s = bank_system(1, 1);
  Network& n = *s.network;
  ExprPool& pool = n.pool();
  auto problem_with = [&](const std::string& text) {
    for (const std::string& p : well_formedness_problems(n)) {
      if (p.find(text) != std::string::npos) return true;
    }
    return false;
  };
  // A foreign variable in a guard.
  n.event(s.close).guards.push_back(
      {pool.eq(pool.symbol(n.variable(s.amount).current), pool.integer(0)), {}});
  EXPECT_TRUE(problem_with("amount has no meaning here"));
  n.event(s.close).guards.pop_back();
  // A next value before its time.
  n.event(s.close).guards.push_back(
      {pool.eq(pool.symbol(n.variable(s.balance).next), pool.integer(0)), {}});
  EXPECT_TRUE(problem_with("balance' has no meaning here"));
  n.event(s.close).guards.pop_back();
  // A cycle.
  n.event(s.withdraw).syncs.push_back({s.transaction, pool.integer(1), s.book, {}, false, {}});
  EXPECT_TRUE(problem_with("synchronises with itself"));
  n.event(s.withdraw).syncs.pop_back();
  // Types and numbers of arguments.
  n.event(s.book).syncs[0].arguments = {pool.boolean(true)};
  EXPECT_TRUE(problem_with("an argument of another type"));
  n.event(s.book).syncs[0].arguments.clear();
  EXPECT_TRUE(problem_with("wrong number of arguments"));
  // The same key twice.
  n.add_instance(s.universe, s.account, Value(1), "Account[again]");
  EXPECT_TRUE(problem_with("its key is taken"));
}

TEST(Network, GrowsWithoutPain) {
  // Fifty thousand locations and events: no quadratic work anywhere.
  auto s = test::chain_system(50'000);
  EXPECT_TRUE(well_formedness_problems(*s.network).empty());
}

TEST(Property, NamesAreThoseOfTheReport) {
  EXPECT_EQ(to_string(PropertyKind::DeadTransition), "dead-transition");
  EXPECT_EQ(to_string(PropertyKind::UnsatRelation), "unsat-relation");
}

}  // namespace
}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "ir/lowering/symmetric_instances.h"

#include <gtest/gtest.h>

#include "support/systems.h"

namespace whittle {
namespace {

using Groups = std::vector<std::vector<InstanceId>>;

class Alike : public testing::Test {
 protected:
  [[nodiscard]] Groups groups() const { return symmetry_classes(network, bank.booked_in_4); }
  [[nodiscard]] Expr balance_of(std::size_t account) const {
    return pool.symbol(network.of_instance(bank.accounts[account], bank.balance));
  }
  void at_first(Expr condition) const { network.universe(bank.universe).init.push_back(condition); }

  test::BankSystem bank = test::bank_system(3, 3);
  Network& network = *bank.network;
  ExprPool& pool = network.pool();
  Groups accounts_and_others = {bank.accounts, {bank.transactions[1], bank.transactions[2]}};
};

// The question names the first transaction.
TEST_F(Alike, InstancesThatNobodyNames) { EXPECT_EQ(groups(), accounts_and_others); }

TEST_F(Alike, TheUniverseMaySayTheSameAboutAll) {
  for (std::size_t a = 0; a < 3; ++a) at_first(pool.eq(balance_of(a), pool.integer(5)));
  EXPECT_EQ(groups(), accounts_and_others);
}

TEST_F(Alike, WhatTheUniverseSaysDivides) {
  at_first(pool.eq(balance_of(0), pool.integer(7)));
  for (std::size_t a = 1; a < 3; ++a) at_first(pool.eq(balance_of(a), pool.integer(5)));
  const Groups expected = {{bank.accounts[1], bank.accounts[2]},
                           {bank.transactions[1], bank.transactions[2]}};
  EXPECT_EQ(groups(), expected);
}

TEST_F(Alike, AComparisonBetweenTwoTellsBothApart) {
  at_first(pool.lt(balance_of(0), balance_of(1)));
  EXPECT_EQ(groups(), (Groups{{bank.transactions[1], bank.transactions[2]}}));
}

TEST_F(Alike, AQuestionAboutAllEqually) {
  std::vector<Expr> parts;
  for (InstanceId transaction : bank.transactions) {
    parts.push_back(pool.symbol(network.at_instance(transaction, bank.booked)));
  }
  network.property(bank.booked_in_4).set_condition(pool.conj(parts));
  EXPECT_EQ(groups(), (Groups{bank.accounts, bank.transactions}));
}

// `from == 2` somewhere: the second account is special.
TEST_F(Alike, AKeyThatIsWrittenInTheModel) {
  const Expr from = pool.symbol(network.variable(bank.from).current);
  network.event(bank.book).guards.push_back({pool.eq(from, pool.integer(2)), {}});
  const Groups expected = {{bank.accounts[0], bank.accounts[2]},
                           {bank.transactions[1], bank.transactions[2]}};
  EXPECT_EQ(groups(), expected);
}

// `from < to`: whoever has the lower key pays.
TEST_F(Alike, KeysThatAreOrdered) {
  const Expr from = pool.symbol(network.variable(bank.from).current);
  const Expr to = pool.symbol(network.variable(bank.to).current);
  network.event(bank.book).guards.push_back({pool.lt(from, to), {}});
  EXPECT_EQ(groups(), (Groups{{bank.transactions[1], bank.transactions[2]}}));
}

// A number of a transaction that is used as the number of an account.
TEST_F(Alike, KeysOfTwoMachinesThatMix) {
  const Expr from = pool.symbol(network.variable(bank.from).current);
  const Expr own = pool.symbol(network.variable(bank.transaction_key).current);
  network.event(bank.book).guards.push_back({pool.eq(from, own), {}});
  EXPECT_EQ(groups(), Groups());
}

}  // namespace
}  // namespace whittle

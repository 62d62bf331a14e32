// SPDX-License-Identifier: Apache-2.0
// The listings in which the language was first described for slicing, as they are printed there
// (cut-off braces, bare fields, `lifecycle`), with our own fill-ins for what they leave out.
#include "bench/models/rebel.h"
#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

const std::string kAccount = R"(specification Account {
  fields {
    accountNumber: IBAN @key
    balance: Money
  }

  events {
    openAccount[minimalDeposit = EUR 50.00]
    withdraw[]
    deposit[]
    interest[]
    block[]
    unblock[]
    close[]
  }

  lifeCycle {
    initial init -> opened: openAccount

    opened -> opened: withdraw, deposit,
            interest
            -> blocked: block
            -> closed: close

    blocked -> opened: unblock

    final closed
  }
)";

const std::string kOpenAccount = R"(event openAccount[minimalDeposit: Money =
   EUR 0.00](initialDeposit: Money) {
  preconditions {
    initialDeposit >= minimalDeposit;
  }
  postconditions {
    new this.balance == initialDeposit;
  }
}
)";

const std::string kTransaction = R"(specification Transaction {
  fields {
    id: Integer @key
    amount: Money
    from: IBAN @ref=Account
    to: IBAN @ref=Account
  }

  events {
    start[]
    book[]
    fail[]
  }

  lifecycle {
    initial uninit -> validated: start
    validated      -> booked: book
                   -> failed: fail
    final booked
    final failed
  }
}
)";

const std::string kBook = R"(event book() {
  sync {
    Account[this.from].withdraw(this.amount);
    Account[this.to].deposit(this.amount);
  }
}
)";

// What the listings leave out.
const std::string kRest = R"(
event withdraw(amount: Money) {
  preconditions { amount > EUR 0.00; this.balance - amount >= EUR 0.00; }
  postconditions { new this.balance == this.balance - amount; }
}
event deposit(amount: Money) {
  preconditions { amount > EUR 0.00; }
  postconditions { new this.balance == this.balance + amount; }
}
event interest(rate: Percentage) {
  postconditions { new this.balance == this.balance + this.balance * rate; }
}
event block() {}
event unblock() {}
event close() {}
event start(amount: Money, from: IBAN, to: IBAN) {
  preconditions { initialized Account[from]; initialized Account[to]; from != to; }
  postconditions { new this.amount == amount; new this.from == from; new this.to == to; }
}
event fail() {}
)";

const std::string kTest = R"(state negativeBalance {
  booked Transaction;
  opened Account with balance < EUR 0.00;
  opened Account;
}

check negativeBalance reachable in max 5
  steps;
)";

TEST(RebelFigures, EachAlone) {
  for (const std::string& text : {kAccount, kOpenAccount, kTransaction, kBook}) {
    const Model model({{std::string("f.ebl"), text}});
    EXPECT_TRUE(model.network) << model.messages();
  }
}

TEST(RebelFigures, AnEvent) {
  const Model model({{std::string("f.ebl"), std::string(R"(event e(inc : Integer) {
  preconditions {
    a > b;
  }
  postconditions {
    new this.a == this.a + inc;
    new this.b == this.b + inc;
  }
  sync {
    T[this.ref].e'(this.c);
  }
)")}});
  EXPECT_TRUE(model.network) << model.messages();
}

TEST(RebelFigures, TogetherInOneFolder) {
  const Model model({{"Test.tebl", kTest},
                     {"Account.ebl", kAccount},
                     {"Transaction.ebl", kTransaction},
                     {"Library.ebl", kOpenAccount + kBook + kRest}});
  ASSERT_TRUE(model.network) << model.messages();
  ASSERT_EQ(model.network->properties().size(), 1U);
  const Property& p = model.network->properties()[0];
  EXPECT_EQ(model.network->universe(p.universe).instances.size(), 3U);
  EXPECT_EQ(p.bound.max, 5U);
}

TEST(RebelFigures, BenchmarkOne) {
  const Model model({{"t.tebl", std::string(R"(specification BMI {
  fields {
    id : Integer @key
    v1 : Integer
    v2 : Integer
  }

  events {
    initialize[startAmount = 3]
    decrementV1[]
    decrementV2[]
  }
  lifecycle {
    initial s1 -> s2 : initialize
    s2 -> s2 : decrementV1,
    decrementV2
  }
}
event initialize[startAmount: Integer]() {
  postconditions { new this.v1 == startAmount; new this.v2 == startAmount; }
}
event decrementV1() { postconditions { new this.v1 == this.v1 - 1; } }
event decrementV2() { postconditions { new this.v2 == this.v2 - 1; } }
state negV1 {
  s2 BMI with v1 < 0;
}
check negV1 reachable in max 3 + 2 steps;
)")}});
  ASSERT_TRUE(model.network) << model.messages();
  const Property& p = model.network->properties()[0];
  Search search(*model.network, p.universe, {0});
  EXPECT_EQ(search.depth(p.condition(), 6), 5);
}

TEST(RebelFigures, GeneratedFamilies) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const PrintedFile& file : deep_search(2, 4)) files.emplace_back(file.path, file.text);
  const Model model(files);
  ASSERT_TRUE(model.network) << model.messages();
  EXPECT_TRUE(model.diagnostics.empty()) << model.messages();
  const Property& p = model.network->properties()[0];
  EXPECT_EQ(p.bound.max, 6U);
  Search search(*model.network, p.universe, {0});
  EXPECT_EQ(search.depth(p.condition(), 7), 6);
  files.clear();
  for (const PrintedFile& file : model_size(3)) files.emplace_back(file.path, file.text);
  const Model account(files);
  ASSERT_TRUE(account.network) << account.messages();
  EXPECT_TRUE(account.diagnostics.empty()) << account.messages();
  EXPECT_EQ(account.network->events().size(), 28U);
}

}  // namespace
}  // namespace whittle::rebel

// SPDX-License-Identifier: Apache-2.0
// Small hand-made networks that many tests use.
#pragma once

#include <memory>
#include <vector>

#include "ir/network.h"

namespace whittle::test {

// One machine `Counter` without key, one location; x: Int = 0.
//   inc(by):  1 <= by <= 3 and x + by <= limit;  x := x + by
//   reset:    x >= 2;                            x := 0
// Properties: reach x == limit (any number of steps), invariant x <= limit, invariant x < limit.
struct CounterSystem {
  std::shared_ptr<Network> network;
  MachineId machine;
  VariableId x;
  LocationId on;
  EventId inc, reset;
  SymbolId by;
  UniverseId universe;
  InstanceId instance;
  PropertyId reach_limit, below_or_at, below;
};
[[nodiscard]] CounterSystem counter_system(int limit);

// Accounts and transactions that book from one to another (keys are Ints from 1).
//   Account (balance: Int):  created -open(first)-> opened;  deposit(amount), withdraw(amount) at
//     opened;  opened -close-> closed with an empty balance
//   Transaction (from, to, amount: Int):  fresh -start(f, t, a)-> started;
//     started -book-> booked, with Account[from].withdraw(amount) and Account[to].deposit(amount);
//     started -fail-> failed, only where that withdraw is not possible
// Property: reach "Transaction[1] is booked", within 4 steps and within 3 steps.
struct BankSystem {
  std::shared_ptr<Network> network;
  MachineId account, transaction;
  VariableId account_key, balance, transaction_key, from, to, amount;
  LocationId created, opened, closed, fresh, started, booked, failed;
  EventId open, deposit, withdraw, close, start, book, fail;
  UniverseId universe;
  std::vector<InstanceId> accounts, transactions;
  PropertyId booked_in_4, booked_in_3;
};
[[nodiscard]] BankSystem bank_system(int accounts, int transactions);

// Farmer, wolf, goat and cabbage, each a machine without key and data; the passengers cross
// together with the farmer. Property: reach "all on the right", needs 7 steps.
struct RiverSystem {
  std::shared_ptr<Network> network;
  std::vector<MachineId> machines;      // farmer, wolf, goat, cabbage
  std::vector<LocationId> left, right;  // in that order
  std::vector<EventId> cross;           // the farmer's with a passenger, then each passenger's own
  EventId alone;
  UniverseId universe;
  std::vector<InstanceId> instances;
  PropertyId all_right;
};
[[nodiscard]] RiverSystem river_system();

// A chain of locations l0 -> l1 -> ... with one event each that counts; reach the last.
struct ChainSystem {
  std::shared_ptr<Network> network;
  UniverseId universe;
  InstanceId instance;
  std::vector<LocationId> locations;
  std::vector<EventId> events;
  VariableId steps;
  PropertyId at_end;
};
[[nodiscard]] ChainSystem chain_system(std::size_t length);

}  // namespace whittle::test

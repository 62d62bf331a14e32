// SPDX-License-Identifier: Apache-2.0
#include "bench/models/sts.h"

#include <fmt/format.h>

#include <iterator>

#include "base/error.h"

namespace whittle::sts {

std::string chain(std::uint64_t nodes, ChainKind kind, const Integer& limit) {
  WHITTLE_REQUIRE(nodes > 0, "a chain has a node");
  std::string text = "system Chain\nvar i: Int\n";
  text.reserve(nodes * 100 + 200);
  auto out = std::back_inserter(text);
  for (std::uint64_t n = 1; n < nodes; ++n) fmt::format_to(out, "node n{}\n", n);
  fmt::format_to(out, "final node n{}\nstart n1: i == 0\n", nodes);
  const std::string_view next = kind == ChainKind::Set ? "j" : "i + j";
  for (std::uint64_t n = 1; n < nodes; ++n) {
    fmt::format_to(out,
                   "transition t{0}: n{0} -> n{1} (j: Int) when j >= 1 && j <= 10 then i' == {2}\n",
                   n, n + 1, next);
  }
  fmt::format_to(out, "safety positive: i >= 0\nsafety small: i <= {}\n", limit.to_string());
  return text;
}

std::string cycle_unfolding(const Integer& max) {
  return fmt::format(R"(system LimitedBankAccount
enum Status {{ OPEN, FROZEN, CLOSED }}
const MAXIMUM = {}
var balance: Real
var status: Status
node Open, Frozen
final node Closed
start Open: balance == 50 && status == OPEN
transition withdraw: Open -> Open (amount: Real)
  when amount > 0 && amount <= 50 && amount <= balance
  then balance' == balance - amount
transition deposit: Open -> Open (amount: Real)
  when amount > 0 && amount <= 50
  then balance' == balance + amount
transition freeze: Open -> Frozen then status' == FROZEN
transition unfreeze: Frozen -> Open then status' == OPEN
transition close: Open -> Closed when balance == 0 then status' == CLOSED
safety small: balance < MAXIMUM
)",
                     max.to_string());
}

std::string fibonacci(const Integer& num) {
  return fmt::format(R"(system Fibonacci
var a, i1, i2: Int
node fibonacci
start fibonacci: a == 5 && i1 == 3 && i2 == 2
transition step: fibonacci -> fibonacci then a' == a + i1 && i1' == a && i2' == i1
safety other: a != {}
)",
                     num.to_string());
}

}  // namespace whittle::sts

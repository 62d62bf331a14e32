// SPDX-License-Identifier: Apache-2.0
// Families of STS files that grow with a number, for benchmarks and tests: chains of nodes, a cycle
// that has to be unfolded, the Fibonacci sequence.
#pragma once

#include <cstdint>
#include <string>

#include "expr/number.h"

namespace whittle::sts {

enum class ChainKind {
  Set,  // each step sets `i` to a value from 1 to 10
  Add,  // each step adds a value from 1 to 10
};

// `nodes` nodes in a row, one integer `i` that starts at 0; properties `positive: i >= 0` and
// `small: i <= limit`.
[[nodiscard]] std::string chain(std::uint64_t nodes, ChainKind kind, const Integer& limit = 10'000);

// A bank account whose deposits and withdrawals are at most 50 and that starts with 50; property
// `small: balance < max`, violated after a number of deposits that grows with `max`.
[[nodiscard]] std::string cycle_unfolding(const Integer& max);

// The Fibonacci sequence from 5 on; property `other: a != num`.
[[nodiscard]] std::string fibonacci(const Integer& num);

}  // namespace whittle::sts

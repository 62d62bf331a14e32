// SPDX-License-Identifier: Apache-2.0
// Small flat systems, made by hand, for tests of engines.
#pragma once

#include "ir/transition_system.h"

namespace whittle::test {

// `count` numbers that start at `from` in the first step; each has a transition that lowers it by
// one. Goal: the first is negative. Needs from + 2 steps.
[[nodiscard]] TransitionSystem countdown(std::uint32_t count, int from);

// x starts anywhere in 0..3; `grow(by)` adds 1 <= by <= 2 while x < 10; `jump` leaves x open with
// x' > 2 * x while x > 5; `halt` leads to a location where nothing moves. Goal: halted with this x.
[[nodiscard]] TransitionSystem jumper(int x);

// A Bool and an enum only: a three-bit counter of enums that wraps around. Goal: all at the last.
[[nodiscard]] TransitionSystem odometer(std::uint32_t digits);

// Real balance with deposits and withdrawals of up to 50 starting at 50. Goal: balance >= limit.
[[nodiscard]] TransitionSystem savings(int limit);

// x counts from 0 up to `last` and goes back to 0. Goal: x is `wanted`.
[[nodiscard]] TransitionSystem ring(int last, int wanted);

}  // namespace whittle::test

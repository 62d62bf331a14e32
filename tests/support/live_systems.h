// SPDX-License-Identifier: Apache-2.0
// Small questions about infinite runs, made by hand: is there a run that meets every acceptance set
// infinitely often? Where nothing else is said the only set is all transitions, so the question is
// whether there is an infinite run at all.
#pragma once

#include "ir/transition_system.h"

namespace whittle::test {

// No:
[[nodiscard]] TransitionSystem live_two_counters();      // x or y goes down while both are positive
[[nodiscard]] TransitionSystem live_gcd();               // subtraction, of positive numbers
[[nodiscard]] TransitionSystem live_nested_countdown();  // two locations, two functions
[[nodiscard]] TransitionSystem live_phases();            // x += y, y -= 1 while x > 0
[[nodiscard]] TransitionSystem live_towards_zero();      // from both sides
[[nodiscard]] TransitionSystem live_toggle(int times);   // an accepting step so many times, at most
// `work` takes one from a finite queue, `idle` does nothing. Sets: {work} and {not busy, idle}.
[[nodiscard]] TransitionSystem live_queue();

// Yes:
[[nodiscard]] TransitionSystem live_increment();  // x += 1 while x > 0
[[nodiscard]] TransitionSystem live_doubling();   // x := 2 x while x > 0
[[nodiscard]] TransitionSystem live_chosen();     // x := d - 1 for an input d > x

}  // namespace whittle::test

// SPDX-License-Identifier: Apache-2.0
// Elimination of variables that are names for values of others in the same state. Translators of
// data-flow programs give one to every intermediate value, and say what it is in the first state
// and after every step:
//
//   init:  n == 0 && sum == n + m                trans: ... && sum' == n' + m'
//
// `sum` is n + m in every state, so nothing needs to remember it. A conjunct of the first states
// that every event preserves as it is written (it says the same of the next state, or its
// assignments make it true, or it writes none of the variables) holds in every state; variables
// that these conjuncts determine go, and what they say beyond that stays.
#pragma once

#include <optional>

#include "ir/transformation.h"

namespace whittle::simplify {

// Empty: there is none, or the question is about single events. Ids stay as they are: a variable
// that is gone has an arbitrary value that nothing reads or writes, and is the slicer's. `count` is
// how many there are.
[[nodiscard]] std::optional<Transformed> defined_variables_eliminated(
    const std::shared_ptr<Network>& network, PropertyId property, std::size_t& count);

}  // namespace whittle::simplify

// SPDX-License-Identifier: Apache-2.0
// Equations `x' == e` among the conjuncts of an event's relations: they fix a next value without
// any search.
#pragma once

#include <vector>

#include "ir/network.h"

namespace whittle {

struct Equation {
  VariableId variable;  // written by the effect it stands in
  Expr value;
  std::vector<VariableId> needs;  // own or shared variables whose next value `value` looks at
  bool looks_elsewhere = false;   // ... or other next values and locations
};

// One per conjunct that has the form; a Bool conjunct `b'` is the equation `b' == true`.
[[nodiscard]] std::vector<Equation> equations_of(const Network& network, EventId event);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// What a transition does: the conjuncts of its relation sorted into assignments, relations and
// freed variables.
#pragma once

#include <vector>

#include "ir/network.h"

namespace whittle::sts {

// One conjunct of `then`, with its place.
struct Conjunct {
  Expr expr;
  Span span;
};

struct Freed {
  VariableId variable;
  Span span;
};

// A conjunct `x' == e`, where e speaks of the present only, becomes an assignment, and the others
// get e for x'; what is left are relations. `mentioned`: variables that occur primed or under
// `any`; those of them that nothing restricts are free. Effects come in the order of the conjuncts,
// the free ones last.
[[nodiscard]] std::vector<Effect> make_effects(Network& network,
                                               const std::vector<Conjunct>& conjuncts,
                                               const std::vector<Freed>& mentioned);

}  // namespace whittle::sts

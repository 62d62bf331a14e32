// SPDX-License-Identifier: Apache-2.0
// A program counter that is a number like any other, as in systems that were translated from
// programs, becomes the location of the system: transitions say from where to where they lead, and
// what engines do per location (polyhedra for each loop, relations for each place) works for them.
//
// A variable is taken for a program counter if it begins with a number, most transitions ask for
// one of its values (or, where equations say all in one, these do), and none sets it to anything
// but numbers; a choice of what it or another number is set to is a transition for each. Where
// there is none, truth values are taken for one together if every transition asks for each of them
// and sets it to a constant, if at all (control_bits.h makes such transitions). First states from
// which nothing can happen, as such translations have them, are left out where they are no goal.
#pragma once

#include "ir/flat_transformation.h"

namespace whittle::simplify {

// Exact; a step stays a step. Empty: the system has locations already, or there is no program
// counter.
[[nodiscard]] std::optional<FlatTransformed> find_control_locations(const TransitionSystem& system);

}  // namespace whittle::simplify

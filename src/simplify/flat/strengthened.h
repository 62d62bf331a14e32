// SPDX-License-Identifier: Apache-2.0
// Strengthening by a lemma: a system that takes steps, and has goals, only in states that satisfy
// an invariant that is known.
#pragma once

#include "ir/flat_transformation.h"

namespace whittle::simplify {

// requires: the lemma is an inductive invariant of the system, so nothing is lost. Exact; a step
// stays a step. Its invariants are invariants of the system together with the lemma. Hints are
// gone: they are what lemmas are made of.
[[nodiscard]] FlatTransformed strengthened(const TransitionSystem& system, Expr lemma);

}  // namespace whittle::simplify

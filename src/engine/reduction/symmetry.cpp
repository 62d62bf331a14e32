// SPDX-License-Identifier: Apache-2.0
// Symmetry breaking between alike instances (ir/lowering/symmetric_instances.h), by the order in
// which they come into play: the members of a group are numbered, and one takes part in a step only
// if the one before it takes part in the same or in an earlier step.
//
// Theorem. For every run to the goal there is one of the same length that satisfies the constraint.
// Proof. Exchanging members gives runs to the goal again, so every permutation of a group does.
// Permute the members of each group such that those that come into play earlier have lower numbers,
// those that never do the highest. Groups do not disturb each other.  []
//
// It keeps the length, and therefore goes together with projections, which hold for every shortest
// run. It does not go together with partial-order reduction: the run that is least among the
// exchanges of neighbours need not be the one in which members come into play by number.
//
// Encoding. had(m, k): m takes part in one of the steps 0..k. Only its consequences are needed:
//
//   had(m, k)  ->  had(m, k - 1)  or  a transition of m is taken at k
//   a transition of m + 1, and not of m, is taken at k  ->  had(m, k)
#include "engine/reduction/symmetry.h"

#include <algorithm>
#include <iterator>

namespace whittle {

Symmetry::Symmetry(const TransitionSystem& system, Unroller& unroller, const StepEncoder& steps)
    : pool_(*system.pool), unroller_(unroller), steps_(steps) {
  for (const auto& group : system.alike) {
    for (std::size_t m = 0; m + 1 < group.size(); ++m) {
      Turn turn{group[m], {}, {}};
      std::set_difference(group[m + 1].begin(), group[m + 1].end(), group[m].begin(),
                          group[m].end(), std::back_inserter(turn.after));
      turns_.push_back(std::move(turn));
    }
  }
}

void Symmetry::encode(std::uint64_t k, std::vector<Expr>& out) {
  for (Turn& turn : turns_) {
    std::vector<Expr> ways;
    if (turn.had.valid()) ways.push_back(turn.had);
    for (std::uint32_t t : turn.own) {
      if (const Expr taken = steps_.selector(k, t); taken.valid()) ways.push_back(taken);
    }
    const Expr had = unroller_.fresh("had", Type::boolean(), k);
    ways.push_back(pool_.negate(had));
    out.push_back(pool_.disj(ways));
    for (std::uint32_t t : turn.after) {
      if (const Expr taken = steps_.selector(k, t); taken.valid()) {
        out.push_back(pool_.implies(taken, had));
      }
    }
    turn.had = had;
  }
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "engine/proofs/predicate_post.h"

namespace whittle::proofs {

std::vector<Expr> PredicatePost::after(std::span<const Expr> known, std::uint32_t edge,
                                       std::span<const Expr> predicates) {
  const PathStep step{edge, 0};
  std::vector<Expr> before(known.begin(), known.end());
  for (const Expr condition : slices_.conditions(step)) before.push_back(condition);
  const std::size_t given = before.size();
  const auto excluded = [&](Expr condition) {
    before.resize(given);
    for (const Expr part : conjuncts(pool_, condition)) before.push_back(part);
    return queries_.together(before, Queries::kAnywhere).answer == smt::Answer::Unsat;
  };
  // Without a condition the step is possible wherever the state before it is.
  if (!slices_.conditions(step).empty() && excluded(pool_.boolean(true)))
    return {pool_.boolean(false)};
  std::vector<Expr> result;
  for (const Expr predicate : predicates) {
    const Expr value = slices_.pre(step, predicate);
    if (excluded(pool_.negate(value))) {
      result.push_back(predicate);
    } else if (excluded(value)) {
      result.push_back(pool_.negate(predicate));
    }
  }
  return result;
}

}  // namespace whittle::proofs

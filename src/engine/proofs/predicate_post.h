// SPDX-License-Identifier: Apache-2.0
// What is known after a step, of some predicates: each that follows from what was known before it,
// and the negation of each that is excluded (Cartesian abstraction: Ball, Podelski, Rajamani,
// "Boolean and Cartesian Abstraction for Model Checking C Programs", TACAS 2001).
#pragma once

#include <span>
#include <vector>

#include "engine/proofs/proof_slices.h"

namespace whittle::proofs {

class PredicatePost {
 public:
  PredicatePost(ExprPool& pool, ProofSlices& slices, Queries& queries)
      : pool_(pool), slices_(slices), queries_(queries) {}

  // The clauses; false alone: the step is not possible.
  std::vector<Expr> after(std::span<const Expr> known, std::uint32_t edge,
                          std::span<const Expr> predicates);

 private:
  ExprPool& pool_;
  ProofSlices& slices_;
  Queries& queries_;
};

}  // namespace whittle::proofs

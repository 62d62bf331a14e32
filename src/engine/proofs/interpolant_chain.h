// SPDX-License-Identifier: Apache-2.0
// Interpolants of a whole path at once: a Horn query without cycles, with a relation per position
// over what is still needed there, is answered by Spacer. A query per position would not give
// interpolants that fit each other.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/proofs/proof_slices.h"

namespace whittle::proofs {

class InterpolantChain {
 public:
  InterpolantChain(ExprPool& pool, ProofSlices& slices, Queries& queries, Env& env)
      : pool_(pool), slices_(slices), queries_(queries), env_(env) {}

  // I(0) .. I(n) of a path that was refuted, each step proved; empty: Spacer gave none.
  // `start`: the number of the first states; `known`: what the proof knew where it stopped, or the
  // condition on first states.
  std::optional<std::vector<Expr>> along(std::span<const PathStep> path, const PathProof& proof,
                                         Expr asked, std::uint32_t start,
                                         std::span<const Expr> known);

 private:
  [[nodiscard]] std::vector<SymbolId> needed(const PathProof& proof, std::uint32_t position);
  [[nodiscard]] bool fits(std::span<const PathStep> path, std::span<const Expr> chain,
                          const PathProof& proof, Expr asked, std::uint32_t start,
                          std::span<const Expr> known);
  [[nodiscard]] bool follows(std::span<const Expr> given, Expr condition, std::uint32_t start);

  ExprPool& pool_;
  ProofSlices& slices_;
  Queries& queries_;
  Env& env_;
};

}  // namespace whittle::proofs

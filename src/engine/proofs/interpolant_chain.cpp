// SPDX-License-Identifier: Apache-2.0
#include "engine/proofs/interpolant_chain.h"

#include <fmt/format.h>

#include <algorithm>

#include "smt/fixedpoint.h"

namespace whittle::proofs {

namespace {

constexpr std::chrono::milliseconds kChainTime{5'000};

}  // namespace

// The variables of all literals there, without inputs of later steps.
std::vector<SymbolId> InterpolantChain::needed(const PathProof& proof, std::uint32_t position) {
  std::vector<SymbolId> result;
  for (const Slice& slice : proof.slices) {
    if (!slice.at(position)) continue;
    for (const SymbolId symbol : slices_.variables(slice.literal(position)))
      if (!slices_.is_input(symbol)) result.push_back(symbol);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::optional<std::vector<Expr>> InterpolantChain::along(std::span<const PathStep> path,
                                                         const PathProof& proof, Expr asked,
                                                         std::uint32_t start,
                                                         std::span<const Expr> known) {
  ++env_.statistics.counter("lazy.chain_calls");
  smt::Limits limits = env_.solvers.settings().limits;
  limits.deadline = limits.deadline.earlier(Deadline::after(kChainTime));
  smt::FixedpointOptions options;
  options.ground_derivation = false;
  const auto horn = smt::make_fixedpoint(pool_, limits, options);
  const auto atom = [&](smt::RelationId relation, std::span<const SymbolId> over) {
    smt::RelationAtom result{relation, {}};
    for (const SymbolId symbol : over) result.arguments.push_back(pool_.symbol(symbol));
    return result;
  };
  const auto n = static_cast<std::uint32_t>(path.size());
  std::vector<SymbolId> here = needed(proof, proof.stop);
  std::vector<smt::RelationId> relations{horn->relation("i_first", here)};
  horn->rule({"first", atom(relations[0], here), {}, pool_.conj(known)});
  for (std::uint32_t k = proof.stop; k < n; ++k) {
    const std::vector<SymbolId> next = needed(proof, k + 1);
    relations.push_back(horn->relation(fmt::format("i_{}", k + 1), next));
    smt::RelationAtom head{relations.back(), {}};
    std::vector<Expr> constraint = slices_.conditions(path[k]);
    // Spacer wants variables in the head.
    for (const SymbolId symbol : next) {
      const Expr value = slices_.pre(path[k], pool_.symbol(symbol));
      const Expr after = pool_.symbol(pool_.declare("after", pool_.type(value)));
      constraint.push_back(pool_.eq(after, value));
      head.arguments.push_back(after);
    }
    horn->rule({fmt::format("step_{}", k + 1),
                std::move(head),
                {atom(relations[relations.size() - 2], here)},
                pool_.conj(constraint)});
    here = next;
  }
  const smt::FixedpointResult found = horn->query({atom(relations.back(), here)}, asked);
  if (found.answer != smt::Derivability::NotDerivable) return std::nullopt;
  std::vector<Expr> chain(proof.stop, pool_.boolean(true));
  for (const smt::RelationId relation : relations) {
    const Expr part = found.invariants[relation.index()];
    if (!part.valid()) return std::nullopt;
    chain.push_back(part);
  }
  if (!fits(path, chain, proof, asked, start, known)) return std::nullopt;
  return chain;
}

bool InterpolantChain::fits(std::span<const PathStep> path, std::span<const Expr> chain,
                            const PathProof& proof, Expr asked, std::uint32_t start,
                            std::span<const Expr> known) {
  if (!follows(known, chain[proof.stop], proof.stop == 0 ? start : Queries::kAnywhere))
    return false;
  for (std::uint32_t k = proof.stop; k < path.size(); ++k) {
    std::vector<Expr> given = conjuncts(pool_, chain[k]);
    for (const Expr condition : slices_.conditions(path[k])) given.push_back(condition);
    if (!follows(given, slices_.pre(path[k], chain[k + 1]), Queries::kAnywhere)) return false;
  }
  return follows(conjuncts(pool_, chain.back()), pool_.negate(asked), Queries::kAnywhere);
}

bool InterpolantChain::follows(std::span<const Expr> given, Expr condition, std::uint32_t start) {
  if (pool_.is_true(condition)) return true;
  std::vector<Expr> all(given.begin(), given.end());
  for (const Expr part : conjuncts(pool_, pool_.negate(condition))) all.push_back(part);
  return queries_.together(all, start).answer == smt::Answer::Unsat;
}

}  // namespace whittle::proofs

// SPDX-License-Identifier: Apache-2.0
// The three obligations of an inductive invariant as questions about single conjuncts: which others
// does this one rest on? Used to make invariants smaller, not to check them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "expr/traverse.h"
#include "ir/transition_system.h"
#include "smt/solvers.h"

namespace whittle::simplify {

class InductionQueries {
 public:
  InductionQueries(const TransitionSystem& system, const smt::SolverFactory& solvers);

  // Some of the given conditions that suffice; empty: they do not, or it is not known.
  using Reasons = std::optional<std::vector<Expr>>;

  [[nodiscard]] bool initial(Expr claim);
  // The claim holds after the transition if the given conditions hold before it.
  [[nodiscard]] Reasons kept(std::span<const Expr> given, std::uint32_t transition, Expr claim);
  // The goal is excluded.
  [[nodiscard]] Reasons sufficient(std::span<const Expr> given);

  // Those of the claims that hold at the start and, all together, after every step; the largest
  // such set. Empty also where a question was not decided.
  [[nodiscard]] std::vector<Expr> inductive_subset(std::vector<Expr> claims);

  [[nodiscard]] std::size_t transitions() const { return steps_.size(); }
  [[nodiscard]] bool stopped() const;

 private:
  struct Step {
    Expr condition;  // guard and relation
    std::unique_ptr<Substitution> after;
    std::unique_ptr<Substitution> before;  // locations as the guard names them
  };
  [[nodiscard]] Expr location_named(Expr condition, SymbolId& symbol) const;
  // Without those that say nothing where the transition begins.
  [[nodiscard]] std::vector<Expr> relevant(std::span<const Expr> given, Step& step);
  Reasons refuted(std::span<const Expr> conditions, std::span<const Expr> given);
  // Leaves out the claims of which some image is false. False: not decided.
  bool keep_true(std::vector<Expr>& claims, Expr condition, Substitution* after, bool& changed);

  const TransitionSystem& system_;
  ExprPool& pool_;
  smt::Limits limits_;
  std::unique_ptr<smt::Solver> solver_;
  std::vector<Step> steps_;
};

}  // namespace whittle::simplify

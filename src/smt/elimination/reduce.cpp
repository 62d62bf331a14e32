// SPDX-License-Identifier: Apache-2.0
// (Z3's ctx-solver-simplify would be the tactic for this, but in 4.8.12 it leaves
// `x < 3 and (p or x < 5)` as it is.)
#include "smt/elimination/reduce.h"

#include <algorithm>

#include "expr/traverse.h"
#include "smt/solvers.h"

namespace whittle::smt {

namespace {

class Reduction {
 public:
  Reduction(ExprPool& pool, Expr formula, const Limits& limits)
      : pool_(pool),
        limits_(limits),
        solver_(make_solver(SolverId::Z3, pool, limits)),
        parts_(conjuncts(pool, formula)) {}

  std::optional<Expr> run() {
    // Long parts first: a disjunction goes rather than a literal that implies it.
    std::stable_sort(parts_.begin(), parts_.end(), [&](Expr a, Expr b) {
      return pool_.children(a).size() > pool_.children(b).size();
    });
    for (std::size_t i = 0; i < parts_.size();) {
      if (limits_.deadline.passed() || limits_.cancel.cancelled()) return std::nullopt;
      if (excluded(i, pool_.negate(parts_[i]))) {
        parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        if (pool_.op(parts_[i]) == Op::Or) shorten(i);
        ++i;
      }
    }
    std::reverse(parts_.begin(), parts_.end());
    return pool_.conj(parts_);
  }

 private:
  // Do the other parts exclude this?
  bool excluded(std::size_t except, Expr claim) {
    std::vector<Expr> assumptions{claim};
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (i != except) assumptions.push_back(parts_[i]);
    return solver_->check_assuming(assumptions).answer == Answer::Unsat;
  }

  void shorten(std::size_t i) {
    std::vector<Expr> kept;
    std::vector<Expr> all(pool_.children(parts_[i]).begin(), pool_.children(parts_[i]).end());
    for (Expr disjunct : all)
      if (!excluded(i, disjunct)) kept.push_back(disjunct);
    parts_[i] = pool_.disj(kept);
  }

  ExprPool& pool_;
  Limits limits_;
  std::unique_ptr<Solver> solver_;
  std::vector<Expr> parts_;
};

}  // namespace

std::optional<Expr> reduced(ExprPool& pool, Expr formula, const Limits& limits) {
  return Reduction(pool, formula, limits).run();
}

}  // namespace whittle::smt

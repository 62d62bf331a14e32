// SPDX-License-Identifier: Apache-2.0
// With h for "a S b held one position earlier": a S b = b || (a && h), h is false at first. With h
// for "a T b held one position earlier or there was none": a T b = b && (a || h), h is true at
// first. Both are conditions of the present (Laroussinie, Markey, Schnoebelen, LICS 2002: past can
// be exponentially shorter; here it costs a bit for each operator).
#include "ltl/past.h"

#include <fmt/format.h>

#include <unordered_map>

namespace whittle::ltl {

namespace {

class PastRemoval {
 public:
  PastRemoval(LtlPool& ltl, ExprPool& pool) : ltl_(ltl), pool_(pool) {}

  WithoutPast operator()(LtlFormula f) {
    for (LtlFormula g : ltl_.subformulas(f)) {
      const LtlOp op = ltl_.op(g);
      if (op == LtlOp::Since || op == LtlOp::Trigger) {
        done_[g] = remember(g);
      } else if (op == LtlOp::Atom) {
        done_[g] = g;
      } else {
        std::vector<LtlFormula> parts;
        for (LtlFormula child : ltl_.children(g)) parts.push_back(done_.at(child));
        done_[g] = ltl_.make(op, parts);
      }
    }
    result_.formula = done_.at(f);
    return result_;
  }

 private:
  LtlFormula remember(LtlFormula g) {
    const bool strong = ltl_.op(g) == LtlOp::Since;
    const SymbolId symbol =
        pool_.declare(fmt::format("past#{}", result_.history.size()), Type::boolean());
    const LtlFormula before = ltl_.atom(pool_.symbol(symbol));
    const LtlFormula a = done_.at(ltl_.child(g, 0));
    const LtlFormula b = done_.at(ltl_.child(g, 1));
    const LtlFormula now =
        strong ? ltl_.either(b, ltl_.both(a, before)) : ltl_.both(b, ltl_.either(a, before));
    result_.history.push_back({symbol, !strong, condition(now)});
    return now;
  }

  // A formula without temporal operators as a condition.
  Expr condition(LtlFormula f) {
    std::unordered_map<LtlFormula, Expr> of;
    for (LtlFormula g : ltl_.subformulas(f)) {
      std::vector<Expr> parts;
      for (LtlFormula child : ltl_.children(g)) parts.push_back(of.at(child));
      switch (ltl_.op(g)) {
        case LtlOp::True:
          of[g] = pool_.boolean(true);
          break;
        case LtlOp::False:
          of[g] = pool_.boolean(false);
          break;
        case LtlOp::Atom:
          of[g] = ltl_.condition(g);
          break;
        case LtlOp::Not:
          of[g] = pool_.negate(parts[0]);
          break;
        case LtlOp::And:
          of[g] = pool_.conj(parts);
          break;
        case LtlOp::Or:
          of[g] = pool_.disj(parts);
          break;
        default:
          throw InternalError("a future operator below a past one");
      }
    }
    return of.at(f);
  }

  LtlPool& ltl_;
  ExprPool& pool_;
  std::unordered_map<LtlFormula, LtlFormula> done_;
  WithoutPast result_;
};

}  // namespace

WithoutPast without_past(LtlPool& ltl, ExprPool& pool, LtlFormula f) {
  return PastRemoval(ltl, pool)(f);
}

}  // namespace whittle::ltl

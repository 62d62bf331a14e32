// SPDX-License-Identifier: Apache-2.0
#include "expr/case_lifting.h"

namespace whittle {

CaseLifting::CaseLifting(ExprPool& pool)
    : pool_(pool), rewriter_(pool, [this](Expr e, std::span<const Expr> arguments) -> Expr {
        const Op op = pool_.op(e);
        if (op != Op::Eq && op != Op::Lt && op != Op::Le) return {};
        if (pool_.type(arguments[0]) == Type::boolean()) return {};
        for (const bool left : {true, false}) {
          const Expr constant = arguments[left ? 0 : 1];
          const Expr term = arguments[left ? 1 : 0];
          if (pool_.is_const(constant) && pool_.op(term) == Op::Ite)
            return lifted(term, {op, constant, left});
        }
        return {};
      }) {}

Expr CaseLifting::compared(Expr term, const Comparison& with) {
  return with.left ? pool_.make(with.op, {with.constant, term})
                   : pool_.make(with.op, {term, with.constant});
}

// Without recursion: distinctions may be nested deeply, and parts of them shared.
Expr CaseLifting::lifted(Expr term, const Comparison& with) {
  ExprMap<Expr>& known = known_[with];
  std::vector<Expr> work{term};
  while (!work.empty()) {
    const Expr e = work.back();
    if (known.contains(e)) {
      work.pop_back();
      continue;
    }
    if (pool_.op(e) != Op::Ite) {
      known.insert(e, compared(e, with));
      work.pop_back();
      continue;
    }
    const Expr condition = pool_.child(e, 0);
    const Expr* then = known.find(pool_.child(e, 1));
    const Expr* otherwise = known.find(pool_.child(e, 2));
    if (then != nullptr && otherwise != nullptr) {
      known.insert(e, pool_.ite(condition, *then, *otherwise));
      work.pop_back();
      continue;
    }
    if (otherwise == nullptr) work.push_back(pool_.child(e, 2));
    if (then == nullptr) work.push_back(pool_.child(e, 1));
  }
  return *known.find(term);
}

}  // namespace whittle

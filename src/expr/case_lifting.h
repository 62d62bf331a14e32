// SPDX-License-Identifier: Apache-2.0
// Comparisons of case distinctions with constants as case distinctions between truth values:
//
//   ite(p, 1, x) == 1             p || x == 1
//   ite(p, 1, ite(q, 2, 3)) < 3   p || q
//
// Whoever eliminates variables or looks at conditions one by one sees what such a comparison is
// about. The result is linear in the case distinction.
#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "expr/traverse.h"

namespace whittle {

// Keeps its memory over calls, like Rewriter.
class CaseLifting {
 public:
  explicit CaseLifting(ExprPool& pool);
  CaseLifting(const CaseLifting&) = delete;
  CaseLifting& operator=(const CaseLifting&) = delete;

  Expr operator()(Expr e) { return rewriter_(e); }

 private:
  // A comparison with one side open.
  struct Comparison {
    Op op;
    Expr constant;
    bool left;  // the constant is
    auto operator<=>(const Comparison&) const = default;
  };

  Expr lifted(Expr term, const Comparison& with);
  [[nodiscard]] Expr compared(Expr term, const Comparison& with);

  ExprPool& pool_;
  std::map<Comparison, ExprMap<Expr>> known_;
  Rewriter rewriter_;
};

}  // namespace whittle

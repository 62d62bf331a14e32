// SPDX-License-Identifier: Apache-2.0
#include "absint/cases.h"

#include <algorithm>
#include <utility>

#include "expr/alternatives.h"

namespace whittle::absint {

namespace {

struct Case {
  std::vector<Expr> pending;
  std::vector<Expr> done;
};

// `a != b` of numbers is a disjunction, too: what is excluded lies between two shapes.
std::vector<std::vector<Expr>> ways(ExprPool& pool, Expr e) {
  if (pool.op(e) == Op::Not && pool.op(pool.child(e, 0)) == Op::Eq) {
    const Expr a = pool.child(pool.child(e, 0), 0), b = pool.child(pool.child(e, 0), 1);
    if (pool.type(a) == Type::integer() || pool.type(a) == Type::real())
      return {{pool.lt(a, b)}, {pool.lt(b, a)}};
  }
  return alternatives(pool, e);
}

}  // namespace

std::vector<std::vector<Expr>> cases_of(ExprPool& pool, std::vector<Expr> conditions,
                                        std::size_t limit) {
  std::reverse(conditions.begin(), conditions.end());
  std::vector<Case> work = {{std::move(conditions), {}}};
  std::vector<std::vector<Expr>> result;
  while (!work.empty()) {
    Case now = std::move(work.back());
    work.pop_back();
    bool possible = true;
    while (possible && !now.pending.empty()) {
      const Expr e = now.pending.back();
      now.pending.pop_back();
      if (pool.is_const(e)) {
        possible = pool.is_true(e);
        continue;
      }
      if (const auto parts = conjunction(pool, e)) {
        now.pending.insert(now.pending.end(), parts->rbegin(), parts->rend());
        continue;
      }
      const auto found = ways(pool, e);
      if (found.empty() || result.size() + work.size() + found.size() > limit) {
        now.done.push_back(e);
        continue;
      }
      for (std::size_t i = found.size(); i-- > 1;) {
        Case& other = work.emplace_back(now);
        other.pending.insert(other.pending.end(), found[i].rbegin(), found[i].rend());
      }
      now.pending.insert(now.pending.end(), found[0].rbegin(), found[0].rend());
    }
    if (possible) result.push_back(std::move(now.done));
  }
  return result;
}

}  // namespace whittle::absint

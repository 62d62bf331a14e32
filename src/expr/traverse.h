// SPDX-License-Identifier: Apache-2.0
// The one way to walk terms. Nothing here recurses on the C++ stack, so a term may be a million
// levels deep; each distinct subterm is visited once.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "expr/expr.h"

namespace whittle {

// Calls `visit` on every distinct subterm of the roots, children before parents.
template <class Visit>
void for_each_subterm(const ExprPool& pool, std::span<const Expr> roots, Visit&& visit) {
  std::unordered_set<Expr> seen;
  std::vector<std::pair<Expr, std::uint32_t>> stack;  // term, next child to look at
  for (Expr root : roots) {
    if (!seen.insert(root).second) continue;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      auto& [e, next] = stack.back();
      auto children = pool.children(e);
      if (next < children.size()) {
        Expr child = children[next++];
        if (seen.insert(child).second) stack.emplace_back(child, 0);
      } else {
        Expr done = e;
        stack.pop_back();
        visit(done);
      }
    }
  }
}

template <class Visit>
void for_each_subterm(const ExprPool& pool, Expr root, Visit&& visit) {
  for_each_subterm(pool, std::span<const Expr>(&root, 1), std::forward<Visit>(visit));
}

// Symbols that occur, in order of first occurrence (children before parents). Bound symbols of
// quantifiers are included.
[[nodiscard]] std::vector<SymbolId> symbols(const ExprPool& pool, std::span<const Expr> roots);
[[nodiscard]] std::vector<SymbolId> symbols(const ExprPool& pool, Expr root);

// Rebuilds terms bottom-up with replaced leaves; results are remembered over calls, so rewriting
// many terms that share subterms is linear in all of them together.
class Rewriter {
 public:
  // Gets a term whose children are already rewritten (given as `arguments`); returns the
  // replacement, or an invalid Expr for "just rebuild".
  using Step = std::function<Expr(Expr original, std::span<const Expr> arguments)>;

  Rewriter(ExprPool& pool, Step step) : pool_(pool), step_(std::move(step)) {}
  Expr operator()(Expr e);

 private:
  Expr rebuild(Expr e);

  ExprPool& pool_;
  Step step_;
  std::unordered_map<Expr, Expr> done_;
};

// Rebuilds `e` with other arguments (same operator, symbol, type).
Expr with_arguments(ExprPool& pool, Expr e, std::span<const Expr> arguments);

// Simultaneous replacement of variables. Keeps its memory over calls, like Rewriter.
class Substitution {
 public:
  explicit Substitution(ExprPool& pool);
  void set(SymbolId symbol, Expr replacement) { map_[symbol] = replacement; }
  Expr operator()(Expr e) { return rewriter_(e); }

 private:
  std::unordered_map<SymbolId, Expr> map_;
  Rewriter rewriter_;
};

// The conjuncts of a conjunction, flattened, in order; a term that is none is its own only conjunct.
[[nodiscard]] std::vector<Expr> conjuncts(const ExprPool& pool, Expr e);

// A total condition that holds exactly where `e` is defined (lazy connectives respected).
Expr definedness(ExprPool& pool, Expr e);

}  // namespace whittle

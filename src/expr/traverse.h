// SPDX-License-Identifier: Apache-2.0
// The one way to walk terms. Nothing here recurses on the C++ stack, so a term may be a million
// levels deep; each distinct subterm is visited once.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/checkpoint.h"
#include "expr/expr.h"
#include "expr/expr_map.h"

namespace whittle {

// Calls `visit` on every distinct subterm of the roots, children before parents.
template <class Visit>
void for_each_subterm(const ExprPool& pool, std::span<const Expr> roots, Visit&& visit) {
  ExprMap<bool> seen;
  std::vector<std::pair<Expr, std::uint32_t>> stack;  // term, next child to look at
  for (Expr root : roots) {
    if (!seen.insert(root, true)) continue;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      checkpoint();
      auto& [e, next] = stack.back();
      auto children = pool.children(e);
      if (next < children.size()) {
        Expr child = children[next++];
        if (seen.insert(child, true)) stack.emplace_back(child, 0);
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

// The same for the subterms that are not known yet: those of known ones are not looked at.
// requires: known(e) holds after visit(e)
template <class Known, class Visit>
void for_each_new_subterm(const ExprPool& pool, Expr root, Known&& known, Visit&& visit) {
  std::vector<std::pair<Expr, std::uint32_t>> stack;  // term, next child to look at
  const auto open = [&](Expr e) {
    if (!known(e)) stack.emplace_back(e, 0);
  };
  open(root);
  while (!stack.empty()) {
    checkpoint();
    auto& [e, next] = stack.back();
    const auto children = pool.children(e);
    if (next < children.size()) {
      open(children[next++]);
      continue;
    }
    const Expr done = e;
    stack.pop_back();
    if (!known(done)) visit(done);
  }
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
  // replacement, or an invalid Expr for "just rebuild". The replacement is not rewritten again.
  using Step = std::function<Expr(Expr original, std::span<const Expr> arguments)>;

  Rewriter(ExprPool& pool, Step step) : pool_(pool), step_(std::move(step)) {}
  Expr operator()(Expr e);
  void forget() { done_.clear(); }

 private:
  Expr rebuild(Expr e);

  ExprPool& pool_;
  Step step_;
  ExprMap<Expr> done_;
  std::vector<std::pair<Expr, std::uint32_t>> stack_;  // term, next child to look at
  std::vector<Expr> arguments_;
};

// Rebuilds `e` with other arguments (same operator, symbol, type).
Expr with_arguments(ExprPool& pool, Expr e, std::span<const Expr> arguments);

// Simultaneous replacement of variables. Keeps its memory over calls, like Rewriter. The bound
// symbol of a quantifier is replaced only in a body taken out of the quantifier; symbols that a
// quantifier inside binds must neither be replaced nor occur in a replacement.
class Substitution {
 public:
  explicit Substitution(ExprPool& pool);
  void set(SymbolId symbol, Expr replacement);  // requires: a variable, of the same type
  Expr operator()(Expr e) { return rewriter_(e); }

 private:
  using Map = std::unordered_map<SymbolId, Expr>;
  ExprPool& pool_;
  std::unique_ptr<Map> map_;  // its address is known to the rewriter
  Rewriter rewriter_;
};

// The conjuncts of a conjunction, flattened, in order; a term that is none is its own only
// conjunct.
[[nodiscard]] std::vector<Expr> conjuncts(const ExprPool& pool, Expr e);
// The same of a disjunction.
[[nodiscard]] std::vector<Expr> disjuncts(const ExprPool& pool, Expr e);

// A condition that holds exactly where `e` is defined (lazy connectives respected). It is itself
// never undefined, though not always marked `total`: parts of `e` occur in it behind guards.
// Symbols with parameters count as defined wherever their arguments are.
Expr definedness(ExprPool& pool, Expr e);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "expr/traverse.h"

#include <algorithm>
#include <unordered_set>

#include "base/error.h"

namespace whittle {

std::vector<SymbolId> symbols(const ExprPool& pool, std::span<const Expr> roots) {
  std::vector<SymbolId> result;
  std::unordered_set<SymbolId> seen;  // not a table of all symbols: there may be millions
  for_each_subterm(pool, roots, [&](Expr e) {
    if (pool.op(e) != Op::Apply) return;
    SymbolId s = pool.symbol_of(e);
    if (seen.insert(s).second) result.push_back(s);
  });
  return result;
}

std::vector<SymbolId> symbols(const ExprPool& pool, Expr root) {
  return symbols(pool, std::span<const Expr>(&root, 1));
}

Expr with_arguments(ExprPool& pool, Expr e, std::span<const Expr> arguments) {
  return pool.with_arguments(e, arguments);
}

Expr Rewriter::operator()(Expr root) {
  if (const Expr* known = done_.find(root)) return *known;
  std::size_t base = stack_.size();  // a step may call this rewriter
  stack_.emplace_back(root, 0);
  // A step or a limit may throw; whoever goes on with this rewriter starts anew.
  struct Restore {
    std::vector<std::pair<Expr, std::uint32_t>>& stack;
    std::size_t size;
    ~Restore() { stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(size), stack.end()); }
  } const restore{stack_, base};
  while (stack_.size() > base) {
    checkpoint();
    Expr e = stack_.back().first;
    auto children = pool_.children(e);
    std::uint32_t next = stack_.back().second;
    while (next < children.size() && done_.contains(children[next])) ++next;
    if (next < children.size()) {
      stack_.back().second = next + 1;
      stack_.emplace_back(children[next], 0);
    } else {
      stack_.pop_back();
      if (!done_.contains(e)) done_.insert(e, rebuild(e));
    }
  }
  return *done_.find(root);
}

Expr Rewriter::rebuild(Expr e) {
  auto children = pool_.children(e);
  std::vector<Expr> arguments = std::move(arguments_);
  arguments.clear();
  bool changed = false;
  for (Expr child : children) {
    arguments.push_back(*done_.find(child));
    changed = changed || arguments.back() != child;
  }
  Expr result = step_(e, arguments);
  if (!result.valid()) result = changed ? pool_.with_arguments(e, arguments) : e;
  arguments_ = std::move(arguments);
  return result;
}

Substitution::Substitution(ExprPool& pool)
    : pool_(pool),
      map_(std::make_unique<Map>()),
      rewriter_(pool, [&pool, map = map_.get()](Expr e, std::span<const Expr>) {
        if (!pool.is_variable(e)) return Expr();
        auto found = map->find(pool.symbol_of(e));
        return found == map->end() ? Expr() : found->second;
      }) {}

void Substitution::set(SymbolId symbol, Expr replacement) {
  WHITTLE_REQUIRE(pool_.info(symbol).params.empty(), "only variables are substituted");
  WHITTLE_REQUIRE(pool_.info(symbol).type == pool_.type(replacement),
                  "the replacement of " + pool_.info(symbol).name + " has another type");
  (*map_)[symbol] = replacement;
  rewriter_.forget();
}

namespace {

// What nested terms of this operator are made of, from left to right.
std::vector<Expr> flattened(const ExprPool& pool, Op op, Expr e) {
  std::vector<Expr> result;
  std::vector<Expr> stack{e};
  while (!stack.empty()) {
    Expr top = stack.back();
    stack.pop_back();
    checkpoint();
    if (pool.op(top) == op) {
      auto children = pool.children(top);
      stack.insert(stack.end(), children.rbegin(), children.rend());
    } else {
      result.push_back(top);
    }
  }
  return result;
}

}  // namespace

std::vector<Expr> conjuncts(const ExprPool& pool, Expr e) { return flattened(pool, Op::And, e); }
std::vector<Expr> disjuncts(const ExprPool& pool, Expr e) { return flattened(pool, Op::Or, e); }

}  // namespace whittle

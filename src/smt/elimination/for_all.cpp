// SPDX-License-Identifier: Apache-2.0
// for all i: a and b            each by itself
// for all i: a or b             a stays outside if it has no i; parts without common symbols
//                               are apart
// for all i: i != t or b(i)     b(t), if t has no i
// for all i: i <= t             false, and so on for one comparison with one number
//
// Everything else by test points (test_points.h), or: not exists i: not ..., by quantifier
// elimination (quantifier_elimination.h); for truth values, by looking at both.
#include "smt/elimination/for_all.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "expr/alternatives.h"
#include "expr/linear.h"
#include "expr/traverse.h"
#include "smt/elimination/quantifier_elimination.h"
#include "smt/elimination/test_points.h"

namespace whittle::smt {

namespace {

constexpr unsigned kMostNested = 200;        // of connectives that are looked into
constexpr std::size_t kMostSplits = 4;       // truth values that are looked at one by one
constexpr std::size_t kMostSubterms = 2000;  // subterms of what a solver is asked to eliminate from

class ForAll {
 public:
  ForAll(ExprPool& pool, std::span<const SymbolId> bound, const Limits& limits)
      : pool_(pool), limits_(limits), bound_(bound.begin(), bound.end()) {}

  std::optional<Expr> operator()(Expr formula, unsigned depth = 0) {
    if (used(formula).empty()) return formula;
    if (depth < kMostNested) {
      if (const auto parts = conjunctive(formula)) return all_of(*parts, depth);
      const auto ways = alternatives(pool_, formula);
      if (!ways.empty()) return any_of(ways, depth);
      if (excluded(formula)) return pool_.boolean(false);
    }
    return by_solver(formula);
  }

 private:
  // The bound symbols in a term, ascending.
  const std::vector<SymbolId>& used(Expr e) {
    const auto [entry, added] = used_.try_emplace(e);
    if (added) {
      for (const SymbolId symbol : symbols(pool_, e))
        if (bound_.contains(symbol)) entry->second.push_back(symbol);
      std::sort(entry->second.begin(), entry->second.end());
    }
    return entry->second;
  }

  // Parts that all have to hold; none: it is no conjunction.
  std::optional<std::vector<Expr>> conjunctive(Expr e) {
    if (pool_.op(e) == Op::Ite) {
      const Expr c = pool_.child(e, 0);
      return std::vector<Expr>{pool_.disj(pool_.negate(c), pool_.child(e, 1)),
                               pool_.disj(c, pool_.child(e, 2))};
    }
    if (pool_.op(e) == Op::Eq && pool_.type(pool_.child(e, 0)) == Type::boolean()) {
      const Expr a = pool_.child(e, 0);
      const Expr b = pool_.child(e, 1);
      return std::vector<Expr>{pool_.disj(pool_.negate(a), b), pool_.disj(a, pool_.negate(b))};
    }
    return conjunction(pool_, e);
  }

  std::optional<Expr> all_of(const std::vector<Expr>& parts, unsigned depth) {
    std::vector<Expr> result;
    for (const Expr part : parts) {
      const auto held = (*this)(part, depth + 1);
      if (!held) return std::nullopt;
      if (pool_.is_false(*held)) return held;
      result.push_back(*held);
    }
    return pool_.conj(result);
  }

  std::optional<Expr> any_of(const std::vector<std::vector<Expr>>& ways, unsigned depth) {
    std::vector<Expr> free, rest;
    for (const std::vector<Expr>& way : ways) {
      const Expr whole = pool_.conj(way);
      (used(whole).empty() ? free : rest).push_back(whole);
    }
    if (rest.size() == 1) {
      const auto held = (*this)(rest[0], depth + 1);
      if (!held) return std::nullopt;
      free.push_back(*held);
      return pool_.disj(free);
    }
    if (const auto solved = substituted(rest)) {
      const auto held = (*this)(*solved, depth + 1);
      if (!held) return std::nullopt;
      free.push_back(*held);
      return pool_.disj(free);
    }
    for (const std::vector<Expr>& component : components(rest)) {
      const Expr whole = pool_.disj(component);
      const auto held =
          component.size() == rest.size() ? by_solver(whole) : (*this)(whole, depth + 1);
      if (!held) return std::nullopt;
      free.push_back(*held);
    }
    return pool_.disj(free);
  }

  // `i != t` among the parts of a disjunction: the others with t for i.
  std::optional<Expr> substituted(const std::vector<Expr>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (pool_.op(parts[i]) != Op::Not) continue;
      const Expr equation = pool_.child(parts[i], 0);
      if (pool_.op(equation) != Op::Eq) continue;
      for (const SymbolId symbol : used(equation)) {
        const Expr value = solved_for(equation, symbol);
        if (!value.valid()) continue;
        Substitution put(pool_);
        put.set(symbol, value);
        std::vector<Expr> others;
        for (std::size_t j = 0; j < parts.size(); ++j)
          if (j != i) others.push_back(put(parts[j]));
        return pool_.disj(others);
      }
    }
    return std::nullopt;
  }

  // The value that the equation gives the symbol; invalid: it does not say it in this way.
  Expr solved_for(Expr equation, SymbolId symbol) {
    const Expr variable = pool_.symbol(symbol);
    const Expr left = pool_.child(equation, 0);
    const Expr right = pool_.child(equation, 1);
    LinearIn in(pool_, symbol);
    if (left == variable && !in.mentions(right)) return right;
    if (right == variable && !in.mentions(left)) return left;
    if (!is_number(pool_, variable) || pool_.type(left) != pool_.type(variable)) return {};
    const auto form = in.form(pool_.sub(left, right));
    if (!form || !pool_.is_const(form->factor)) return {};
    const Rational factor = rational(pool_.value(form->factor));
    if (factor == Rational(Integer(1))) return pool_.minus(form->rest);
    if (factor == Rational(Integer(-1))) return form->rest;
    return {};
  }

  // A literal that some value makes false, whatever the other symbols are.
  bool excluded(Expr literal) {
    const bool negative = pool_.op(literal) == Op::Not;
    const Expr atom = negative ? pool_.child(literal, 0) : literal;
    if (pool_.is_variable(atom)) return true;
    const Op op = pool_.op(atom);
    if (op != Op::Eq && op != Op::Lt && op != Op::Le) return false;
    const Expr left = pool_.child(atom, 0);
    if (!is_number(pool_, left)) return false;
    for (const SymbolId symbol : used(atom)) {
      if (negative && op == Op::Eq) {
        if (solved_for(atom, symbol).valid()) return true;
        continue;
      }
      if (pool_.type(pool_.symbol(symbol)) != pool_.type(left)) continue;
      const auto form = LinearIn(pool_, symbol).form(pool_.sub(left, pool_.child(atom, 1)));
      if (form && pool_.is_const(form->factor) && rational(pool_.value(form->factor)).sign() != 0) {
        return true;
      }
    }
    return false;
  }

  // Parts that have bound symbols in common stay together.
  std::vector<std::vector<Expr>> components(const std::vector<Expr>& parts) {
    std::vector<std::size_t> group(parts.size());
    std::unordered_map<SymbolId, std::size_t> first;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      group[i] = i;
      for (const SymbolId symbol : used(parts[i])) {
        const auto [entry, added] = first.try_emplace(symbol, i);
        if (added) continue;
        const std::size_t from = group[entry->second];
        const std::size_t to = group[i];
        for (std::size_t j = 0; j <= i; ++j)
          if (group[j] == from) group[j] = to;
      }
    }
    std::vector<std::vector<Expr>> result;
    for (std::size_t g = 0; g < parts.size(); ++g) {
      std::vector<Expr> members;
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (group[i] == g) members.push_back(parts[i]);
      if (!members.empty()) result.push_back(std::move(members));
    }
    return result;
  }

  std::optional<Expr> by_solver(Expr formula) {
    std::vector<SymbolId> truths, others;
    for (const SymbolId symbol : used(formula))
      (pool_.info(symbol).type == Type::boolean() ? truths : others).push_back(symbol);
    for (const SymbolId symbol : others)
      if (const auto held = holds_at_test_points(pool_, formula, symbol))
        return (*this)(*held, kMostNested / 2);
    std::size_t size = 0;
    for_each_subterm(pool_, formula, [&](Expr) { ++size; });
    if (size > kMostSubterms || limits_.deadline.passed()) return std::nullopt;
    if (truths.empty()) {
      const auto found = eliminated(pool_, pool_.negate(formula), others, limits_);
      if (!found) return std::nullopt;
      return pool_.negate(*found);
    }
    if (truths.size() > kMostSplits) return std::nullopt;
    std::vector<Expr> both;
    for (const bool value : {false, true}) {
      Substitution put(pool_);
      put.set(truths[0], pool_.boolean(value));
      const auto held = (*this)(put(formula), kMostNested / 2);
      if (!held) return std::nullopt;
      both.push_back(*held);
    }
    return pool_.conj(both);
  }

  ExprPool& pool_;
  const Limits& limits_;
  std::unordered_set<SymbolId> bound_;
  std::unordered_map<Expr, std::vector<SymbolId>> used_;
};

}  // namespace

std::optional<Expr> holds_for_all(ExprPool& pool, Expr formula, std::span<const SymbolId> bound,
                                  const Limits& limits) {
  return ForAll(pool, bound, limits)(formula);
}

}  // namespace whittle::smt

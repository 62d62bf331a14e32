// SPDX-License-Identifier: Apache-2.0
// Delta(f) is a set of triples (cube, next set, postponed untils): what may hold now, what has to
// hold from the next position on, and which untils are put off in doing so.
//
//   Delta(a U b)  = Delta(b)  u  Delta(a) x {(true, {a U b}, {a U b})}
//   Delta(a R b)  = Delta(b) x (Delta(a)  u  {(true, {a R b}, {})})
//   Delta(X f)    = {(true, s, {}) | s in dnf(f)}
//   Delta(a && b) = Delta(a) x Delta(b),   Delta(a || b) = Delta(a) u Delta(b)
//
// `x` joins cubes, next sets and postponed sets. A triple goes only if another has a weaker cube, a
// smaller next set *and* a smaller postponed set: forgetting the third loses accepting runs.
#include "ltl/tableau.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/checkpoint.h"

namespace whittle::ltl {

namespace {

// Sets of formulas are sets of their handles' numbers.
struct Triple {
  Cube cube;
  NumberSet next;
  NumberSet postponed;

  auto operator<=>(const Triple&) const = default;
};
using Triples = std::vector<Triple>;

bool weaker(const Triple& a, const Triple& b) {
  return includes(b.cube, a.cube) && includes(b.next, a.next) && includes(b.postponed, a.postponed);
}

class TableauBuilder {
 public:
  TableauBuilder(const LtlPool& ltl, LtlFormula f, std::size_t most)
      : ltl_(ltl), root_(f), most_(most) {
    result_.atoms = ltl.atoms(f);
    for (std::uint32_t i = 0; i < result_.atoms.size(); ++i) atoms_.emplace(result_.atoms[i], i);
    WHITTLE_REQUIRE(!ltl.mentions(f, {LtlOp::Since, LtlOp::Trigger}), "past is taken out before");
  }

  Tableau operator()() {
    // Next sets may hold any subformula; the triples of each are those of its parts.
    for (LtlFormula g : ltl_.subformulas(root_)) {
      sets_.emplace(g, conjunctions(g));
      triples_.emplace(g, triples(g));
      if (ltl_.op(g) == LtlOp::Until) result_.untils.push_back(g);
    }
    NumberSet first;
    for (LtlFormula part : ltl_.conjuncts(root_)) first.push_back(part.index());
    result_.initial = state(first);
    for (std::uint32_t s = 0; s < result_.states.size(); ++s) expand(s);
    return std::move(result_);
  }

 private:
  [[nodiscard]] Triples pruned(Triples all) const {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.size() > most_)
      throw ResourceError(fmt::format("a formula with more than {} ways to begin", most_));
    Triples kept;
    for (std::size_t i = 0; i < all.size(); ++i) {
      checkpoint();
      bool dominated = false;
      for (std::size_t j = 0; j < all.size() && !dominated; ++j)
        dominated = j != i && weaker(all[j], all[i]);
      if (!dominated) kept.push_back(all[i]);
    }
    return kept;
  }

  [[nodiscard]] Triples joined(const Triples& a, const Triples& b) const {
    Triples result;
    for (const Triple& x : a) {
      for (const Triple& y : b) {
        Triple both{united(x.cube, y.cube), united(x.next, y.next),
                    united(x.postponed, y.postponed)};
        if (!contradictory(both.cube)) result.push_back(std::move(both));
      }
      if (result.size() > 20 * most_) result = pruned(std::move(result));
    }
    return pruned(std::move(result));
  }

  [[nodiscard]] static Triples either(Triples a, const Triples& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  // The disjunctive normal form as sets of formulas that are neither conjunction nor disjunction.
  [[nodiscard]] Triples conjunctions(LtlFormula f) const {
    const LtlOp op = ltl_.op(f);
    if (op == LtlOp::True) return {Triple{}};
    if (op == LtlOp::False) return {};
    if (op != LtlOp::And && op != LtlOp::Or) return {Triple{{}, {f.index()}, {}}};
    return folded(f, sets_);
  }

  [[nodiscard]] Triples folded(LtlFormula f,
                               const std::unordered_map<LtlFormula, Triples>& of) const {
    const bool conjunction = ltl_.op(f) == LtlOp::And;
    Triples result;
    if (conjunction) result.emplace_back();
    for (LtlFormula child : ltl_.children(f))
      result = conjunction ? joined(result, of.at(child)) : either(std::move(result), of.at(child));
    return pruned(std::move(result));
  }

  [[nodiscard]] Triples triples(LtlFormula f) const {
    const auto of = [&](std::size_t i) -> const Triples& { return triples_.at(ltl_.child(f, i)); };
    const NumberSet self{f.index()};
    switch (ltl_.op(f)) {
      case LtlOp::True:
        return {Triple{}};
      case LtlOp::False:
        return {};
      case LtlOp::Atom:
        return {Triple{{2 * atoms_.at(ltl_.condition(f))}, {}, {}}};
      case LtlOp::Not: {
        WHITTLE_REQUIRE(ltl_.is_literal(f), "not in negation normal form");
        return {Triple{{2 * atoms_.at(ltl_.condition(ltl_.child(f, 0))) + 1}, {}, {}}};
      }
      case LtlOp::And:
      case LtlOp::Or:
        return folded(f, triples_);
      case LtlOp::Next:
        return sets_.at(ltl_.child(f, 0));
      case LtlOp::Until:
        return pruned(either(joined(of(0), {Triple{{}, self, self}}), of(1)));
      case LtlOp::Release:
        return joined(of(1), either(of(0), {Triple{{}, self, {}}}));
      case LtlOp::Since:
      case LtlOp::Trigger:
        break;
    }
    throw InternalError("past is taken out before");
  }

  std::uint32_t state(const NumberSet& formulas) {
    const auto [place, added] =
        numbers_.emplace(formulas, static_cast<std::uint32_t>(result_.states.size()));
    if (added) {
      if (result_.states.size() >= most_)
        throw ResourceError(fmt::format("an automaton with more than {} states", most_));
      result_.states.emplace_back();
      for (std::uint32_t f : formulas) result_.states.back().emplace_back(f);
      result_.edges.emplace_back();
    }
    return place->second;
  }

  void expand(std::uint32_t s) {
    Triples all{Triple{}};
    const std::vector<LtlFormula> formulas = result_.states[s];
    for (LtlFormula f : formulas) all = joined(all, triples_.at(f));
    for (const Triple& triple : all) {
      Tableau::Edge edge{state(triple.next), triple.cube, {}};
      for (std::uint32_t u : triple.postponed) edge.postponed.emplace_back(u);
      result_.edges[s].push_back(std::move(edge));
    }
  }

  const LtlPool& ltl_;
  LtlFormula root_;
  std::size_t most_;
  std::unordered_map<Expr, std::uint32_t> atoms_;
  std::unordered_map<LtlFormula, Triples> sets_;     // dnf, in the next sets
  std::unordered_map<LtlFormula, Triples> triples_;  // Delta
  std::map<NumberSet, std::uint32_t> numbers_;
  Tableau result_;
};

}  // namespace

Tableau tableau(const LtlPool& ltl, LtlFormula f, std::size_t most) {
  return TableauBuilder(ltl, f, most)();
}

Automaton automaton_of(const Tableau& tableau) {
  Automaton result;
  result.atoms = tableau.atoms;
  result.acceptance = static_cast<std::uint32_t>(tableau.untils.size());
  result.initial = tableau.initial;
  result.edges.resize(tableau.states.size());
  for (std::size_t s = 0; s < tableau.states.size(); ++s) {
    for (const Tableau::Edge& edge : tableau.edges[s]) {
      Automaton::Edge copy{edge.target, edge.cube, {}};
      for (std::uint32_t i = 0; i < result.acceptance; ++i) {
        const auto& put_off = edge.postponed;
        if (std::find(put_off.begin(), put_off.end(), tableau.untils[i]) == put_off.end())
          copy.marks.push_back(i);
      }
      result.edges[s].push_back(std::move(copy));
    }
  }
  return result;
}

}  // namespace whittle::ltl

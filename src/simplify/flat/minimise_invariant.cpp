// SPDX-License-Identifier: Apache-2.0
// Four ways, from cheap to dear; the shortest result counts.
//
//   conditions  the invariant is a conjunction. Those conjuncts that exclude the goal are needed,
//               and those on which a needed one rests, as unsatisfiable cores say (the inductive
//               subset of Ivrii et al., "Small inductive safe invariants", FMCAD 2014)
//   atoms       the same with other conjuncts: what the invariant and the goal are made of, alone
//               and for each location that is mentioned beside it, as far as it is inductive
//               (Houdini, Flanagan and Leino, FME 2001). A long list of cases is often nothing but
//               an expensive way of saying `x >= 0`
//   templates   where that is still long, the same with conditions that say in a few words what
//               programs with several processes rely on (invariant_templates.h)
//   literals    of each disjunction that is left, the disjuncts that can go, one at a time; then
//               the conjuncts that can
#include "simplify/flat/minimise_invariant.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "simplify/flat/induction_queries.h"
#include "simplify/flat/invariant_templates.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kMaxAtoms = 600;
constexpr std::size_t kMaxCandidates = 1500;
constexpr std::size_t kMaxTemplates = 1000;
constexpr std::uint64_t kShort = 40;  // reading size of what nobody needs to have shorter

class Minimiser {
 public:
  Minimiser(const TransitionSystem& system, const smt::SolverFactory& solvers)
      : system_(system), pool_(*system.pool), queries_(system, solvers) {}

  Expr run(Expr invariant);

 private:
  using Conditions = std::vector<Expr>;

  [[nodiscard]] Conditions clauses(Expr invariant);
  [[nodiscard]] Conditions candidates(Expr invariant);
  void collect_atoms(Expr e, std::vector<Expr>& atoms) const;
  [[nodiscard]] bool about_location(Expr atom) const;
  // Those that the proof rests on; empty: it was not found.
  [[nodiscard]] std::optional<Conditions> needed(const Conditions& all);
  [[nodiscard]] bool inductive(const Conditions& all, Expr claim);
  void drop_literals(Conditions& all);
  void drop_conditions(Conditions& all);
  [[nodiscard]] Expr shorter(Expr a, Expr b) const {
    return reading_size(pool_, b) < reading_size(pool_, a) ? b : a;
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  InductionQueries queries_;
};

bool boolean_operator(Op op) {
  return op == Op::And || op == Op::Or || op == Op::Not || op == Op::Implies;
}

// `a -> b && c` is `a -> b` and `a -> c`.
Minimiser::Conditions Minimiser::clauses(Expr invariant) {
  Conditions result;
  std::unordered_set<Expr> seen;
  std::vector<Expr> open = conjuncts(pool_, invariant);
  std::reverse(open.begin(), open.end());
  while (!open.empty()) {
    const Expr e = open.back();
    open.pop_back();
    if (pool_.op(e) == Op::And) {
      const auto parts = pool_.children(e);
      open.insert(open.end(), parts.rbegin(), parts.rend());
      continue;
    }
    if (pool_.op(e) == Op::Implies && pool_.op(pool_.child(e, 1)) == Op::And) {
      const Expr when = pool_.child(e, 0);
      const std::vector<Expr> parts = conjuncts(pool_, pool_.child(e, 1));
      for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        open.push_back(pool_.implies(when, *part));
      }
      continue;
    }
    if (!pool_.is_true(e) && seen.insert(e).second) result.push_back(e);
  }
  return result;
}

bool Minimiser::about_location(Expr atom) const {
  if (pool_.op(atom) == Op::Not) atom = pool_.child(atom, 0);
  if (pool_.op(atom) != Op::Eq) return false;
  for (Expr side : {pool_.child(atom, 0), pool_.child(atom, 1)}) {
    if (!pool_.is_variable(side)) continue;
    for (const StateVariable& variable : system_.variables) {
      if (variable.is_location && variable.current == pool_.symbol_of(side)) return true;
    }
  }
  return false;
}

// With the sign that they have in the term.
void Minimiser::collect_atoms(Expr root, std::vector<Expr>& atoms) const {
  std::set<std::pair<Expr, bool>> seen;
  std::vector<std::pair<Expr, bool>> open{{root, true}};
  ExprPool& pool = pool_;
  while (!open.empty()) {
    const auto [e, positive] = open.back();
    open.pop_back();
    if (atoms.size() > kMaxAtoms || !seen.insert({e, positive}).second) continue;
    if (!boolean_operator(pool.op(e))) {
      if (!pool.is_const(e)) atoms.push_back(positive ? e : pool.negate(e));
      continue;
    }
    const auto parts = pool.children(e);
    const bool negation = pool.op(e) == Op::Not;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool turned = negation || (pool.op(e) == Op::Implies && i == 0);
      open.emplace_back(parts[i], positive != turned);
    }
  }
}

Minimiser::Conditions Minimiser::candidates(Expr invariant) {
  Conditions result;
  std::unordered_set<Expr> seen;
  const auto add = [&](Expr e) {
    if (result.size() < kMaxCandidates && !pool_.is_const(e) && seen.insert(e).second)
      result.push_back(e);
  };
  Conditions sources = clauses(invariant);
  if (system_.goal.inputs.empty()) {
    const Expr demanded = pool_.negate(system_.goal.condition);
    add(demanded);
    sources.insert(sources.begin(), demanded);
  }
  for (Expr source : sources) {
    std::vector<Expr> atoms;
    collect_atoms(source, atoms);
    std::vector<Expr> places;
    std::vector<Expr> others;
    for (Expr atom : atoms) (about_location(atom) ? places : others).push_back(atom);
    for (Expr atom : others) add(atom);
    for (Expr place : places) {
      // `not at l or x` is `at l -> x`; beside `at l` that is the one that can be meant.
      const Expr at = pool_.op(place) == Op::Not ? pool_.child(place, 0) : place;
      add(pool_.negate(at));
      for (Expr atom : others) {
        add(pool_.implies(at, atom));
        add(pool_.disj(at, atom));
      }
    }
    if (result.size() >= kMaxCandidates) break;
  }
  // Equations are two inequations, of which one may be inductive.
  const std::size_t written = result.size();
  for (std::size_t i = 0; i < written; ++i) {
    const Expr e = result[i];
    if (pool_.op(e) != Op::Eq) continue;
    const Type type = pool_.type(pool_.child(e, 0));
    if (type != Type::integer() && type != Type::real()) continue;
    add(pool_.le(pool_.child(e, 0), pool_.child(e, 1)));
    add(pool_.ge(pool_.child(e, 0), pool_.child(e, 1)));
  }
  return result;
}

std::optional<Minimiser::Conditions> Minimiser::needed(const Conditions& all) {
  auto first = queries_.sufficient(all);
  if (!first) return std::nullopt;
  Conditions found;
  std::unordered_set<Expr> seen;
  const auto add = [&](const Conditions& more) {
    for (Expr e : more) {
      if (seen.insert(e).second) found.push_back(e);
    }
  };
  add(*first);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Expr claim = found[i];
    for (std::uint32_t t = 0; t < queries_.transitions(); ++t) {
      if (queries_.stopped()) return std::nullopt;
      if (queries_.kept(found, t, claim)) continue;
      auto reasons = queries_.kept(all, t, claim);
      if (!reasons) return std::nullopt;
      add(*reasons);
    }
  }
  return found;
}

bool Minimiser::inductive(const Conditions& all, Expr claim) {
  if (!queries_.initial(claim)) return false;
  for (std::uint32_t t = 0; t < queries_.transitions(); ++t) {
    if (queries_.stopped() || !queries_.kept(all, t, claim)) return false;
  }
  return true;
}

// A disjunction with fewer disjuncts says more: the others rest on it as before, so it alone has to
// be looked at.
void Minimiser::drop_literals(Conditions& all) {
  for (Expr& condition : all) {
    const bool implication = pool_.op(condition) == Op::Implies;
    if (!implication && pool_.op(condition) != Op::Or) continue;
    std::vector<Expr> literals;
    if (implication) {
      for (Expr part : conjuncts(pool_, pool_.child(condition, 0))) {
        literals.push_back(pool_.negate(part));
      }
      for (Expr part : disjuncts(pool_, pool_.child(condition, 1))) literals.push_back(part);
    } else {
      literals = disjuncts(pool_, condition);
    }
    bool changed = false;
    for (std::size_t i = 0; i < literals.size() && literals.size() > 1;) {
      if (queries_.stopped()) break;
      std::vector<Expr> fewer = literals;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const Expr before = condition;
      condition = pool_.disj(fewer);
      if (inductive(all, condition)) {
        literals = std::move(fewer);
        changed = true;
      } else {
        condition = before;
        ++i;
      }
    }
    if (!changed || !implication) continue;
    // Back to the form it had.
    std::vector<Expr> when;
    std::vector<Expr> then;
    const std::vector<Expr> negated = literals;
    for (Expr literal : negated) {
      (pool_.op(literal) == Op::Not || about_location(literal) ? when : then).push_back(literal);
    }
    if (when.empty() || then.empty()) continue;
    for (Expr& literal : when) literal = pool_.negate(literal);
    condition = pool_.implies(pool_.conj(when), pool_.disj(then));
  }
}

void Minimiser::drop_conditions(Conditions& all) {
  // Long ones first: their loss is the largest gain.
  std::vector<std::pair<std::uint64_t, Expr>> order;
  for (Expr e : all) order.emplace_back(reading_size(pool_, e), e);
  std::sort(order.rbegin(), order.rend(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [size, e] : order) {
    if (all.size() < 2 || queries_.stopped()) return;
    Conditions fewer;
    for (Expr other : all) {
      if (other != e) fewer.push_back(other);
    }
    if (!queries_.sufficient(fewer)) continue;
    const bool enough = std::all_of(fewer.begin(), fewer.end(), [&](Expr claim) {
      for (std::uint32_t t = 0; t < queries_.transitions(); ++t) {
        if (queries_.stopped() || !queries_.kept(fewer, t, claim)) return false;
      }
      return true;
    });
    if (enough) all = std::move(fewer);
  }
}

Expr Minimiser::run(Expr invariant) {
  Expr best = invariant;
  const auto consider = [&](const std::optional<Conditions>& found) {
    if (found) best = shorter(best, pool_.conj(*found));
  };
  if (system_.goal.inputs.empty()) {
    const Expr demanded = pool_.negate(system_.goal.condition);
    if (inductive({demanded}, demanded)) return shorter(invariant, demanded);
  }
  const auto guess = [&](const std::vector<Expr>& sources) {
    if (queries_.stopped() || reading_size(pool_, best) <= kShort) return;
    Conditions guesses = invariant_templates(system_, sources, kMaxTemplates);
    if (system_.goal.inputs.empty()) guesses.push_back(pool_.negate(system_.goal.condition));
    const Conditions inductive_guesses = queries_.inductive_subset(std::move(guesses));
    if (!inductive_guesses.empty()) consider(needed(inductive_guesses));
  };
  // The numbers of the goal are few; those of a long invariant are not.
  guess({system_.goal.condition});
  if (best == invariant) consider(needed(clauses(invariant)));
  if (!queries_.stopped()) {
    const Conditions inductive_atoms = queries_.inductive_subset(candidates(best));
    if (!inductive_atoms.empty()) consider(needed(inductive_atoms));
  }
  guess({best, system_.goal.condition});
  Conditions rest = clauses(best);
  drop_conditions(rest);
  drop_literals(rest);
  consider(rest);
  if (!queries_.stopped()) consider(needed(rest));
  return best;
}

}  // namespace

std::uint64_t reading_size(const ExprPool& pool, Expr e) {
  constexpr std::uint64_t kEndless = UINT64_MAX / 4;
  ExprMap<std::uint64_t> sizes;
  for_each_subterm(pool, e, [&](Expr part) {
    std::uint64_t size = 1;
    for (Expr child : pool.children(part)) size = std::min(kEndless, size + *sizes.find(child));
    sizes.insert(part, size);
  });
  return *sizes.find(e);
}

Expr minimised_invariant(const TransitionSystem& system, Expr invariant,
                         const smt::SolverFactory& solvers) {
  return Minimiser(system, solvers).run(invariant);
}

}  // namespace whittle::simplify

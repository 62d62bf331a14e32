// SPDX-License-Identifier: Apache-2.0
// One case at a time is a list of conjuncts, to which these rules are applied until none fits:
//
//   x' == e              with no open next value in e: an update x := e, and e for x' elsewhere
//   x', not x'           the same with true and false
//   no open next value   part of the guard
//   a -> b               two cases: not a;  a and b
//   if c then a else b   two cases: c and a;  not c and b
//   a or b               a case for each
//   a, not a             no case; nor where a term of an enumeration has no value left
//
// Equations come first, since they can decide what else would be split. Negations are pushed down
// on the way. What no rule fits stays in the relation.
#include "ir/lowering/relation_cases.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/error.h"
#include "expr/alternatives.h"
#include "expr/traverse.h"
#include "ir/run/flat_run.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxCases = 64;             // of one transition
constexpr std::size_t kMaxRelationSize = 10'000;  // subterms

struct Case {
  std::vector<Expr> pending;
  std::vector<Expr> guard;
  std::vector<Update> solved;
};

class Splitter {
 public:
  Splitter(const TransitionSystem& system, const Transition& transition)
      : system_(system), pool_(*system.pool), transition_(transition) {
    for (std::uint32_t v : transition.open) open_.emplace(system.variables[v].next, v);
  }

  std::vector<Transition> run() {
    std::vector<Case> work = {
        {conjuncts(pool_, transition_.relation), conjuncts(pool_, transition_.guard), {}}};
    std::vector<Transition> done;
    while (!work.empty()) {
      Case now = std::move(work.back());
      work.pop_back();
      if (!simplify(now) || no_value_left(now)) continue;
      auto parts = work.size() + done.size() < kMaxCases ? split(now) : std::nullopt;
      if (!parts) {
        done.push_back(finished(now));
        continue;
      }
      for (auto part = parts->rbegin(); part != parts->rend(); ++part)
        work.push_back(std::move(*part));
    }
    return done;
  }

 private:
  [[nodiscard]] bool mentions_open(Expr e) {
    for (SymbolId symbol : symbols(pool_, e)) {
      if (open_.contains(symbol)) return true;
    }
    return false;
  }

  // Applies the rules that make no new cases; false: the case is impossible.
  bool simplify(Case& now) {
    for (std::size_t i = 0; i < now.pending.size();) {
      const Expr e = now.pending[i];
      if (pool_.is_false(e)) return false;
      if (auto parts = conjunction(pool_, e)) {
        now.pending.erase(now.pending.begin() + static_cast<std::ptrdiff_t>(i));
        now.pending.insert(now.pending.end(), parts->begin(), parts->end());
      } else if (!mentions_open(e)) {
        if (std::find(now.guard.begin(), now.guard.end(), pool_.negate(e)) != now.guard.end())
          return false;
        if (!pool_.is_true(e)) now.guard.push_back(e);
        now.pending.erase(now.pending.begin() + static_cast<std::ptrdiff_t>(i));
      } else if (auto update = equation(e)) {
        const StateVariable& variable = system_.variables[update->variable];
        now.pending.erase(now.pending.begin() + static_cast<std::ptrdiff_t>(i));
        Substitution known(pool_);
        known.set(variable.next, update->value);
        for (Expr& other : now.pending) other = known(other);
        now.solved.push_back(*update);
        i = 0;  // others may have become equations
      } else {
        ++i;
      }
    }
    return true;
  }

  // Does the guard exclude all values of a term whose type is an enumeration?
  bool no_value_left(const Case& now) {
    std::unordered_map<Expr, std::set<std::uint32_t>> excluded;
    for (Expr e : now.guard) {
      const bool negated = pool_.op(e) == Op::Not;
      const Expr equation = negated ? pool_.child(e, 0) : e;
      if (pool_.op(equation) != Op::Eq) continue;
      Expr term = pool_.child(equation, 0);
      Expr constant = pool_.child(equation, 1);
      if (pool_.is_const(term)) std::swap(term, constant);
      if (!pool_.is_const(constant) || pool_.kind(pool_.type(term)) != TypeKind::Enum) continue;
      const std::uint32_t value = pool_.value(constant).as_enum().index;
      const auto count = static_cast<std::uint32_t>(pool_.info(pool_.type(term)).values.size());
      std::set<std::uint32_t>& without = excluded[term];
      for (std::uint32_t i = 0; i < count; ++i) {
        if ((i == value) == negated) without.insert(i);
      }
      if (without.size() == count) return true;
    }
    return false;
  }

  // x' == e, e == x', x', not x'
  std::optional<Update> equation(Expr e) {
    if (const auto v = open_variable(e)) return Update{*v, pool_.boolean(true)};
    if (pool_.op(e) == Op::Not) {
      if (const auto v = open_variable(pool_.child(e, 0))) return Update{*v, pool_.boolean(false)};
      return std::nullopt;
    }
    if (pool_.op(e) != Op::Eq) return std::nullopt;
    for (std::uint32_t side : {0U, 1U}) {
      const auto v = open_variable(pool_.child(e, side));
      const Expr value = pool_.child(e, 1 - side);
      if (v && !mentions_open(value)) return Update{*v, value};
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::uint32_t> open_variable(Expr e) const {
    if (!pool_.is_variable(e)) return std::nullopt;
    const auto found = open_.find(pool_.symbol_of(e));
    if (found == open_.end()) return std::nullopt;
    return found->second;
  }

  // The cases that its first disjunction makes; empty: it has none.
  std::optional<std::vector<Case>> split(const Case& now) {
    for (std::size_t i = 0; i < now.pending.size(); ++i) {
      const auto ways = alternatives(pool_, now.pending[i]);
      if (ways.empty()) continue;
      std::vector<Case> cases;
      for (const std::vector<Expr>& way : ways) {
        Case& one = cases.emplace_back(now);
        one.pending.erase(one.pending.begin() + static_cast<std::ptrdiff_t>(i));
        one.pending.insert(one.pending.end(), way.begin(), way.end());
      }
      return cases;
    }
    return std::nullopt;
  }

  Transition finished(const Case& now) {
    Transition one = transition_;
    one.guard = pool_.conj(now.guard);
    for (const Update& update : now.solved) {
      one.updates.push_back(update);
      std::erase(one.open, update.variable);
    }
    one.relation = now.pending.empty() ? Expr() : pool_.conj(now.pending);
    return one;
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  const Transition& transition_;
  std::unordered_map<SymbolId, std::uint32_t> open_;  // next symbol: variable
};

bool too_large(const ExprPool& pool, Expr relation) {
  std::size_t size = 0;
  for_each_subterm(pool, relation, [&](Expr) { ++size; });
  return size > kMaxRelationSize;
}

// Of a set of steps: the same in terms of the cases.
template <class Steps>
std::vector<std::uint32_t> cases_of(const RelationCases& cases, const Steps& set) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < cases.origin.size(); ++i) {
    if (std::binary_search(set.transitions.begin(), set.transitions.end(), cases.origin[i]))
      result.push_back(i);
  }
  return result;
}

}  // namespace

RelationCases split_relations(const TransitionSystem& system) {
  RelationCases cases{system, {}};
  cases.system.transitions.clear();
  cases.system.alike.clear();
  for (std::uint32_t t = 0; t < system.transitions.size(); ++t) {
    const Transition& transition = system.transitions[t];
    std::vector<Transition> parts = {transition};
    if (transition.relation.valid() && !too_large(*system.pool, transition.relation))
      parts = Splitter(system, transition).run();
    for (Transition& part : parts) {
      cases.system.transitions.push_back(std::move(part));
      cases.origin.push_back(t);
    }
  }
  if (cases.system.acceptance) {
    for (AcceptanceSet& set : *cases.system.acceptance) set.transitions = cases_of(cases, set);
    for (StrongFairness& unit : cases.system.strong) unit.transitions = cases_of(cases, unit);
  }
  return cases;
}

Expr lost_steps(const TransitionSystem& system, const RelationCases& cases,
                std::uint32_t transition) {
  ExprPool& pool = *system.pool;
  const Transition& whole = system.transitions[transition];
  std::vector<Expr> lost = {whole.guard};
  if (whole.relation.valid()) lost.push_back(whole.relation);
  for (std::size_t i = 0; i < cases.origin.size(); ++i) {
    if (cases.origin[i] != transition) continue;
    const Transition& part = cases.system.transitions[i];
    std::vector<Expr> step = {part.guard};
    if (part.relation.valid()) step.push_back(part.relation);
    for (const Update& update : part.updates) {
      if (std::find(whole.open.begin(), whole.open.end(), update.variable) == whole.open.end())
        continue;
      step.push_back(pool.eq(pool.symbol(system.variables[update.variable].next), update.value));
    }
    lost.push_back(pool.negate(pool.conj(step)));
  }
  return pool.conj(lost);
}

FlatTrace joined_trace(const TransitionSystem& system, const RelationCases& cases,
                       const FlatTrace& trace) {
  FlatTrace result = trace;
  result.steps.clear();
  FlatRun run(cases.system);
  FlatState state = trace.initial;
  for (std::size_t s = 0; s < trace.steps.size(); ++s) {
    const FlatStep& step = trace.steps[s];
    const Transition& whole = system.transitions[cases.origin[step.transition]];
    const std::size_t first = result.steps.size();
    if (trace.loop == s) result.loop = first;
    FlatStep once = step;
    once.times = 1;
    if (whole.open.empty()) {
      const auto problem = run.advance_all(state, step);
      WHITTLE_REQUIRE(!problem, "a run of the cases");
      result.steps.push_back(step);
      result.steps.back().transition = cases.origin[step.transition];
      continue;
    }
    for (std::uint64_t i = 0; i < step.times; ++i) {
      const auto problem = run.advance(state, once);
      WHITTLE_REQUIRE(!problem, "a run of the cases");
      FlatStep joined = once;
      joined.transition = cases.origin[step.transition];
      joined.open.clear();
      for (std::uint32_t v : whole.open) joined.open.emplace_back(v, state[v]);
      const bool again = (result.steps.size() > first || (trace.loop != s && first > 0)) &&
                         result.steps.back().transition == joined.transition &&
                         result.steps.back().inputs == joined.inputs &&
                         result.steps.back().open == joined.open;
      if (again)
        ++result.steps.back().times;
      else
        result.steps.push_back(std::move(joined));
    }
  }
  return result;
}

}  // namespace whittle

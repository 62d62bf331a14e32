// SPDX-License-Identifier: Apache-2.0
#include "engine/live/loop_region.h"

#include <algorithm>
#include <unordered_set>

#include "absint/cases.h"
#include "expr/linear.h"
#include "expr/traverse.h"
#include "ir/transition_terms.h"

namespace whittle::live {

namespace {

constexpr std::size_t kMaxChoices = 24;    // of inputs along a loop
constexpr std::size_t kMaxCandidates = 6;  // of one input
constexpr std::size_t kMaxCases = 8;       // of what a loop asks for
constexpr std::size_t kMaxAtoms = 60;
constexpr unsigned kMaxRounds = 6;
constexpr std::chrono::milliseconds kTimePerQuestion{500};

// The unknowns of a transition: its inputs, then the next symbols of what it leaves open.
std::vector<Expr> unknowns_of(const TransitionSystem& system, const Transition& t) {
  std::vector<Expr> result;
  for (const SymbolId input : t.inputs) result.push_back(system.pool->symbol(input));
  for (const std::uint32_t v : t.open)
    result.push_back(system.pool->symbol(system.variables[v].next));
  return result;
}

}  // namespace

LoopRegions::LoopRegions(const TransitionSystem& system, Env& env)
    : system_(system), env_(env), pool_(*system.pool), solver_(env.solvers.make(pool_, "region")) {
  solver_->set_time_per_check(kTimePerQuestion);
}

bool LoopRegions::possible(Expr condition) {
  if (pool_.is_const(condition)) return pool_.is_true(condition);
  smt::Scope scope(*solver_);
  solver_->require(condition);
  return solver_->check().answer != smt::Answer::Unsat;
}

LoopRegions::Round LoopRegions::composed(const std::vector<std::uint32_t>& loop,
                                         const Choice& choice) {
  Round result;
  for (const StateVariable& v : system_.variables) result.values.push_back(pool_.symbol(v.current));
  for (std::size_t p = 0; p < loop.size(); ++p) {
    result.states.push_back(result.values);
    const Transition& t = system_.transitions[loop[p]];
    Substitution now(pool_);
    for (std::uint32_t v = 0; v < system_.variables.size(); ++v)
      now.set(system_.variables[v].current, result.values[v]);
    Substitution chosen(pool_);
    for (std::uint32_t v = 0; v < system_.variables.size(); ++v)
      chosen.set(system_.variables[v].current, result.values[v]);
    const std::vector<Expr> unknowns = unknowns_of(system_, t);
    for (std::size_t u = 0; u < unknowns.size(); ++u)
      chosen.set(pool_.symbol_of(unknowns[u]), now(choice[p][u]));
    for (const Expr part : conjuncts(pool_, chosen(step_condition(pool_, t))))
      if (!pool_.is_true(part)) result.asked.push_back(part);
    std::vector<Expr> next = values_after(system_, t);
    for (Expr& value : next) value = chosen(value);
    result.values = std::move(next);
  }
  return result;
}

// What an input can sensibly be, over the state before the step.
std::vector<Expr> LoopRegions::candidates(const Transition& transition, Expr unknown,
                                          const std::vector<Expr>& unknowns) {
  std::vector<Expr> result;
  const auto offer = [&](Expr e) {
    for (const SymbolId s : symbols(pool_, e))
      if (std::find(unknowns.begin(), unknowns.end(), pool_.symbol(s)) != unknowns.end()) return;
    if (result.size() < kMaxCandidates &&
        std::find(result.begin(), result.end(), e) == result.end())
      result.push_back(e);
  };
  if (!is_number(pool_, unknown)) {
    if (pool_.type(unknown) == Type::boolean()) {
      offer(pool_.boolean(true));
      offer(pool_.boolean(false));
    } else {
      offer(pool_.constant(pool_.default_value(pool_.type(unknown)), pool_.type(unknown)));
    }
    return result;
  }
  const bool integer = pool_.type(unknown) == Type::integer();
  const auto number = [&](int n) {
    return integer ? pool_.integer(Integer(n)) : pool_.real(Rational(Integer(n)));
  };
  LinearIn linear(pool_, pool_.symbol_of(unknown));
  for_each_subterm(pool_, step_condition(pool_, transition), [&](Expr atom) {
    const Op op = pool_.op(atom);
    if ((op != Op::Lt && op != Op::Le && op != Op::Eq) ||
        pool_.type(pool_.child(atom, 0)) != pool_.type(unknown) || !linear.mentions(atom))
      return;
    const auto form = linear.form(pool_.sub(pool_.child(atom, 1), pool_.child(atom, 0)));
    if (!form || !pool_.is_const(form->factor)) return;
    const Rational factor = rational(pool_.value(form->factor));
    const Rational one(Integer(1));
    if (factor != one && factor != -one) return;
    // unknown + rest >= 0, or rest >= unknown
    const Expr bound = factor == one ? pool_.minus(form->rest) : form->rest;
    if (op == Op::Lt)
      offer(factor == one ? pool_.add(bound, number(1)) : pool_.sub(bound, number(1)));
    else
      offer(bound);
  });
  for (const std::uint32_t v : transition.open) {
    if (pool_.symbol(system_.variables[v].next) == unknown)
      offer(pool_.symbol(system_.variables[v].current));
  }
  for (const int n : {0, 1, -1}) offer(number(n));
  return result;
}

// Those under which two rounds are possible; what a model says comes first.
std::vector<LoopRegions::Choice> LoopRegions::choices(const std::vector<std::uint32_t>& loop,
                                                      Expr start) {
  Choice free;
  std::vector<Expr> all;
  for (const std::uint32_t t : loop) {
    auto& here = free.emplace_back();
    for (const Expr unknown : unknowns_of(system_, system_.transitions[t])) {
      here.push_back(pool_.symbol(pool_.declare("chosen", pool_.type(unknown))));
      all.push_back(here.back());
    }
  }
  const Round round = composed(loop, free);
  std::vector<Expr> asked = round.asked;
  asked.push_back(start);
  const Expr once = pool_.conj(asked);
  if (all.empty()) return possible(once) ? std::vector<Choice>{free} : std::vector<Choice>{};
  std::vector<Choice> result;
  {
    Substitution again(pool_);
    for (std::uint32_t v = 0; v < system_.variables.size(); ++v)
      again.set(system_.variables[v].current, round.values[v]);
    for (const Expr e : all)
      again.set(pool_.symbol_of(e), pool_.symbol(pool_.declare("before", pool_.type(e))));
    smt::Scope scope(*solver_);
    solver_->require(once);
    if (solver_->check().answer == smt::Answer::Unsat) return {};
    solver_->require(pool_.conj(round.asked));
    if (solver_->check().answer == smt::Answer::Sat) {
      try {
        Choice constants = free;
        for (auto& here : constants)
          for (Expr& e : here) e = pool_.constant(solver_->value(e), pool_.type(e));
        result.push_back(std::move(constants));
      } catch (const smt::NoValue&) {  // then without
      }
    }
  }
  std::vector<Choice> open = {{}};
  for (const std::uint32_t t : loop) {
    const Transition& transition = system_.transitions[t];
    const std::vector<Expr> unknowns = unknowns_of(system_, transition);
    std::vector<std::vector<Expr>> ways = {{}};
    for (const Expr unknown : unknowns) {
      std::vector<std::vector<Expr>> longer;
      for (const Expr candidate : candidates(transition, unknown, unknowns)) {
        for (const auto& way : ways) {
          if (longer.size() == kMaxChoices) break;
          longer.push_back(way);
          longer.back().push_back(candidate);
        }
      }
      ways = std::move(longer);
    }
    std::vector<Choice> longer;
    for (const auto& way : ways) {
      for (const Choice& before : open) {
        if (longer.size() == kMaxChoices) break;
        longer.push_back(before);
        longer.back().push_back(way);
      }
    }
    open = std::move(longer);
  }
  result.insert(result.begin(), open.begin(), open.end());
  return result;
}

// That the left side minus the right side of a comparison does not get smaller.
Expr LoopRegions::growth(Expr atom, Substitution& after) {
  const Op op = pool_.op(atom);
  if ((op != Op::Lt && op != Op::Le) || !is_number(pool_, pool_.child(atom, 0))) return {};
  const Expr now = pool_.sub(pool_.child(atom, 1), pool_.child(atom, 0));
  Expr change = pool_.sub(after(now), now);
  if (const auto form =
          linear_form(pool_, std::vector<Summand>{{Rational(Integer(1)), change}}, 500)) {
    const bool integer = pool_.type(change) == Type::integer();
    std::vector<Expr> parts;
    bool whole = form->constant.is_integer();
    for (const auto& [term, factor] : form->factors) whole = whole && factor.is_integer();
    if (whole || !integer) {
      const auto number = [&](const Rational& r) {
        return integer ? pool_.integer(r.numerator()) : pool_.real(r);
      };
      for (const auto& [term, factor] : form->factors)
        parts.push_back(pool_.mul(number(factor), integer ? term : pool_.to_real(term)));
      parts.push_back(number(form->constant));
      change = parts.size() == 1 ? parts[0] : pool_.make(Op::Add, parts);
    }
  }
  const bool integer = pool_.type(change) == Type::integer();
  return pool_.ge(change, integer ? pool_.integer(Integer(0)) : pool_.real(Rational()));
}

std::optional<Expr> LoopRegions::closed(std::vector<Expr> atoms, const Round& round,
                                        bool by_growth) {
  Substitution after(pool_);
  for (std::uint32_t v = 0; v < system_.variables.size(); ++v)
    after.set(system_.variables[v].current, round.values[v]);
  std::unordered_set<Expr> known(atoms.begin(), atoms.end());
  for (unsigned i = 0; i < kMaxRounds && !env_.stopped(); ++i) {
    const Expr all = pool_.conj(atoms);
    if (!possible(all)) return std::nullopt;
    std::vector<Expr> broken;
    {
      smt::Scope scope(*solver_);
      solver_->require(all);
      for (const Expr atom : atoms)
        if (possible(pool_.negate(after(atom)))) broken.push_back(atom);
    }
    if (broken.empty()) return all;
    for (const Expr atom : broken) {
      Expr more = by_growth ? growth(atom, after) : Expr();
      if (!more.valid()) more = after(atom);
      if (known.insert(more).second) atoms.push_back(more);
    }
    if (atoms.size() > kMaxAtoms) return std::nullopt;
  }
  return std::nullopt;
}

bool LoopRegions::meets_all(const std::vector<std::uint32_t>& loop, const Round& round,
                            Expr region) {
  for (const AcceptanceSet& set : *system_.acceptance) {
    bool met = std::any_of(loop.begin(), loop.end(), [&](std::uint32_t t) {
      return std::binary_search(set.transitions.begin(), set.transitions.end(), t);
    });
    for (std::size_t p = 0; p < loop.size() && !met && set.condition.valid(); ++p) {
      Substitution at(pool_);
      for (std::uint32_t v = 0; v < system_.variables.size(); ++v)
        at.set(system_.variables[v].current, round.states[p][v]);
      met = !possible(pool_.conj(region, pool_.negate(at(set.condition))));
    }
    if (!met) return false;
  }
  return true;
}

std::vector<FlatRegion> LoopRegions::of(const std::vector<std::uint32_t>& loop, Expr start,
                                        std::size_t most) {
  std::vector<FlatRegion> result;
  std::unordered_set<Expr> seen;
  for (const Choice& choice : choices(loop, start)) {
    if (env_.stopped() || result.size() >= most) break;
    const Round round = composed(loop, choice);
    // Where the system is, is a part of what is asked.
    std::vector<Expr> asked = round.asked;
    for (const Expr part : conjuncts(pool_, start)) asked.insert(asked.begin(), part);
    if (!seen.insert(pool_.conj(asked)).second || !possible(pool_.conj(asked))) continue;
    for (const std::vector<Expr>& one : absint::cases_of(pool_, asked, kMaxCases)) {
      for (const bool by_growth : {true, false}) {
        const auto region = closed(one, round, by_growth);
        if (!region || !meets_all(loop, round, *region)) continue;
        FlatRegion found{*region, {}};
        for (std::size_t p = 0; p < loop.size(); ++p) {
          const std::size_t inputs = system_.transitions[loop[p]].inputs.size();
          FlatRegion::Step step;
          step.inputs.assign(choice[p].begin(), choice[p].begin() + inputs);
          step.open.assign(choice[p].begin() + inputs, choice[p].end());
          found.steps.push_back(std::move(step));
        }
        result.push_back(std::move(found));
        if (result.size() >= most) return result;
        break;
      }
    }
  }
  return result;
}

}  // namespace whittle::live

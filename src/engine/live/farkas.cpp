// SPDX-License-Identifier: Apache-2.0
#include "engine/live/farkas.h"

#include <algorithm>
#include <set>

namespace whittle::live {

namespace {

constexpr std::chrono::milliseconds kTimePerRanking{4000};

void add_to(ExprPool& pool, Expr& sum, Expr part) {
  sum = sum.valid() ? pool.add(sum, part) : part;
}

}  // namespace

RankingSearch::RankingSearch(ExprPool& pool, std::size_t numbers, bool integers,
                             const std::vector<RankedStep>& steps, Env& env)
    : pool_(pool), numbers_(numbers), integers_(integers), steps_(steps), env_(env) {}

RankingSearch::Unknowns RankingSearch::unknowns() {
  Unknowns result;
  for (const RankedStep& step : steps_) {
    for (const std::uint32_t node : {step.from, step.to}) {
      const auto [entry, added] = result.try_emplace(node);
      if (!added) continue;
      for (std::size_t i = 0; i <= numbers_; ++i) entry->second.push_back(fresh("coefficient"));
    }
  }
  return result;
}

Expr RankingSearch::sum(const std::vector<Expr>& parts) {
  if (parts.empty()) return number(Rational());
  return parts.size() == 1 ? parts[0] : pool_.make(Op::Add, parts);
}

void RankingSearch::add_before(Target& target, const Unknown& function) {
  for (std::size_t i = 0; i < numbers_; ++i) {
    Expr& factor = target.factors.try_emplace(i).first->second;
    add_to(pool_, factor, function[i]);
  }
  add_to(pool_, target.constant, function[numbers_]);
}

// Minus the function's value after the step.
void RankingSearch::take_after(Target& target, const Unknown& function, const LinearStep& step) {
  for (std::size_t i = 0; i < numbers_; ++i) {
    const LinearForm& value = step.after[i];
    for (const auto& [dimension, factor] : value.factors) {
      Expr& entry = target.factors.try_emplace(dimension).first->second;
      add_to(pool_, entry, pool_.mul(number(-factor), function[i]));
    }
    if (value.constant.sign() != 0)
      add_to(pool_, target.constant, pool_.mul(number(-value.constant), function[i]));
  }
  add_to(pool_, target.constant, pool_.mul(number(Rational(Integer(-1))), function[numbers_]));
}

Expr RankingSearch::follows(const LinearStep& step, const Target& target) {
  std::vector<Expr> parts;
  std::map<std::size_t, std::vector<Expr>> sums;
  std::vector<Expr> constants;
  const auto use = [&](const LinearForm& form, bool equation) {
    const Expr factor = fresh("multiplier");
    if (!equation) parts.push_back(pool_.ge(factor, number(Rational())));
    for (const auto& [dimension, coefficient] : form.factors)
      sums[dimension].push_back(pool_.mul(number(coefficient), factor));
    if (form.constant.sign() != 0) constants.push_back(pool_.mul(number(form.constant), factor));
  };
  for (const LinearForm& form : step.not_negative) use(form, false);
  for (const LinearForm& form : step.zero) use(form, true);
  for (const auto& [dimension, wanted] : target.factors) sums.try_emplace(dimension);
  for (const auto& [dimension, sum_of] : sums) {
    const auto wanted = target.factors.find(dimension);
    parts.push_back(pool_.eq(sum(sum_of),
                             wanted == target.factors.end() ? number(Rational()) : wanted->second));
  }
  parts.push_back(pool_.le(sum(constants), target.constant));
  return pool_.conj(parts);
}

std::optional<LoweredSteps> RankingSearch::lexicographic() {
  const Unknowns functions = unknowns();
  const auto solver = env_.solvers.make(pool_, "ranking");
  solver->set_time_per_check(kTimePerRanking);
  std::map<std::uint32_t, Expr> lowered;  // by group: a Bool
  for (const RankedStep& ranked : steps_) {
    const auto [entry, added] = lowered.try_emplace(ranked.group);
    if (added) entry->second = pool_.symbol(pool_.declare("lowered", Type::boolean()));
    Target difference;
    add_before(difference, functions.at(ranked.from));
    take_after(difference, functions.at(ranked.to), *ranked.step);
    const Expr by = fresh("by");
    add_to(pool_, difference.constant, pool_.mul(number(Rational(Integer(-1))), by));
    solver->require(pool_.ge(by, number(Rational())));
    solver->require(follows(*ranked.step, difference));
    Target bound;
    add_before(bound, functions.at(ranked.from));
    const std::vector<Expr> strict = {pool_.ge(by, number(Rational(Integer(1)))),
                                      follows(*ranked.step, bound)};
    solver->require(pool_.implies(entry->second, pool_.conj(strict)));
  }
  // All of them; otherwise more and more.
  std::vector<Expr> all;
  for (const auto& [group, wanted] : lowered) all.push_back(wanted);
  std::set<std::uint32_t> found;
  const auto read_groups = [&] {
    for (const auto& [group, wanted] : lowered)
      if (solver->value(wanted).as_bool()) found.insert(group);
  };
  if (solver->check_assuming(all).answer == smt::Answer::Sat) {
    read_groups();
    for (Expr wanted : all) solver->require(wanted);
  } else {
    while (found.size() < lowered.size() && !env_.stopped()) {
      std::vector<Expr> others;
      for (const auto& [group, wanted] : lowered)
        if (!found.contains(group)) others.push_back(wanted);
      const Expr more = pool_.disj(others);
      if (solver->check_assuming({&more, 1}).answer != smt::Answer::Sat) break;
      read_groups();
      for (const std::uint32_t group : found) solver->require(lowered.at(group));
    }
  }
  if (found.empty()) return std::nullopt;
  simplify({&functions}, *solver);
  if (solver->check().answer != smt::Answer::Sat) return std::nullopt;
  return LoweredSteps{read(functions, *solver), {found.begin(), found.end()}};
}

std::optional<std::vector<Functions>> RankingSearch::nested(unsigned depth) {
  std::vector<Unknowns> functions;
  for (unsigned i = 0; i < depth; ++i) functions.push_back(unknowns());
  const auto solver = env_.solvers.make(pool_, "nested");
  solver->set_time_per_check(kTimePerRanking);
  for (const RankedStep& ranked : steps_) {
    for (unsigned i = 0; i < depth; ++i) {
      // f(i) - f(i)' + f(i-1) >= 1
      Target difference;
      add_before(difference, functions[i].at(ranked.from));
      take_after(difference, functions[i].at(ranked.to), *ranked.step);
      if (i > 0) add_before(difference, functions[i - 1].at(ranked.from));
      add_to(pool_, difference.constant, number(Rational(Integer(-1))));
      solver->require(follows(*ranked.step, difference));
    }
    Target bound;
    add_before(bound, functions.back().at(ranked.from));
    solver->require(follows(*ranked.step, bound));
  }
  if (solver->check().answer != smt::Answer::Sat) return std::nullopt;
  std::vector<const Unknowns*> all;
  for (const Unknowns& one : functions) all.push_back(&one);
  simplify(all, *solver);
  if (solver->check().answer != smt::Answer::Sat) return std::nullopt;
  std::vector<Functions> result;
  for (const Unknowns& one : functions) result.push_back(read(one, *solver));
  return result;
}

void RankingSearch::simplify(const std::vector<const Unknowns*>& unknowns, smt::Solver& solver) {
  constexpr std::size_t kMostNumbers = 40;
  for (const Unknowns* functions : unknowns) {
    for (std::size_t i = 0; i <= numbers_ && numbers_ < kMostNumbers && !env_.stopped(); ++i) {
      std::vector<Expr> none;
      for (const auto& [node, function] : *functions)
        none.push_back(pool_.eq(function[i], number(Rational())));
      const Expr without = pool_.conj(none);
      if (solver.check_assuming({&without, 1}).answer == smt::Answer::Sat) solver.require(without);
    }
  }
}

// Scaled so that all coefficients are integers, of functions of integers without a common divisor.
Functions RankingSearch::read(const Unknowns& unknowns, smt::Solver& solver) {
  Functions result;
  Integer denominators(1);
  for (const auto& [node, function] : unknowns) {
    LinearForm& form = result[node];
    for (std::size_t i = 0; i <= numbers_; ++i) {
      const Rational value = rational(solver.value(function[i]));
      const Integer& d = value.denominator();
      denominators = denominators * euclidean_div(d, gcd(denominators, d));
      if (i == numbers_) {
        form.constant = value;
      } else if (value.sign() != 0) {
        form.add(i, value);
      }
    }
  }
  Integer common(0);
  for (auto& [node, form] : result) {
    form.scale(Rational(denominators));
    common = gcd(common, form.constant.numerator());
    for (const auto& entry : form.factors) common = gcd(common, entry.second.numerator());
  }
  if (integers_ && common.sign() > 0) {
    for (auto& [node, form] : result) form.scale(Rational(Integer(1), common));
  }
  return result;
}

}  // namespace whittle::live

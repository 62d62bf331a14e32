// SPDX-License-Identifier: Apache-2.0
#include "engine/live/linear_steps.h"

#include <algorithm>
#include <unordered_set>

#include "absint/cases.h"
#include "expr/traverse.h"
#include "ir/transition_terms.h"

namespace whittle::live {

namespace {

constexpr std::size_t kMaxWays = 64;  // of taking one edge
constexpr std::size_t kMaxProducts = 12;
constexpr std::size_t kMaxNonlinear = 4;  // terms among the measures

// The first numeric choice whose condition has none inside; invalid: there is none.
Expr choice_among(const ExprPool& pool, const std::vector<Expr>& terms) {
  Expr found;
  for_each_subterm(pool, terms, [&](Expr e) {
    if (!found.valid() && pool.op(e) == Op::Ite && is_number(pool, e)) found = e;
  });
  return found;
}

// Integers without a common divisor, the constant rounded down: of `form >= 0` about integers.
void tighten_form(LinearForm& form) {
  if (form.factors.empty()) return;
  const bool negative = form.factors.begin()->second.sign() < 0;
  Rational by = form.make_primitive();
  if (negative) {  // the sign stays as it was
    for (auto& entry : form.factors) entry.second = -entry.second;
    by = -by;
  }
  form.constant = Rational((form.constant / by).floor());
}

}  // namespace

LinearSteps::LinearSteps(const TransitionSystem& system, const absint::ControlGraph& graph,
                         smt::Solver& solver)
    : system_(system), pool_(*system.pool), graph_(graph), solver_(solver) {
  find_measures();
}

void LinearSteps::find_measures() {
  std::unordered_set<SymbolId> numbers;
  for (const StateVariable& v : system_.variables) {
    const TypeKind kind = pool_.kind(v.type);
    if (kind != TypeKind::Int && kind != TypeKind::Real) continue;
    numbers.insert(v.current);
    measures_.push_back(pool_.symbol(v.current));
  }
  absint::Dimensions dimensions(pool_);
  for (const Expr number : measures_) (void)dimensions.form(number);
  std::vector<Expr> guards;
  for (const Transition& t : system_.transitions) guards.push_back(t.guard);
  const std::size_t most = measures_.size() + kMaxNonlinear;
  for_each_subterm(pool_, guards, [&](Expr e) {
    if (!is_number(pool_, e) || pool_.is_variable(e) || measures_.size() == most) return;
    if (pool_.op(e) != Op::Mul && pool_.op(e) != Op::Pow) return;
    const std::vector<SymbolId> used = symbols(pool_, e);
    if (!std::all_of(used.begin(), used.end(), [&](auto s) { return numbers.contains(s); })) return;
    const LinearForm& form = dimensions.form(e);
    // The next dimension, which it gets again in every step.
    const bool alone = form.factors.size() == 1 && form.constant.sign() == 0 &&
                       form.factors.begin()->first == measures_.size() &&
                       dimensions.size() == measures_.size() + 1;
    if (alone) measures_.push_back(e);
  });
}

bool LinearSteps::possible(Expr condition) {
  if (pool_.is_const(condition)) return pool_.is_true(condition);
  smt::Scope scope(solver_);
  solver_.require(condition);
  return solver_.check().answer != smt::Answer::Unsat;
}

Expr LinearSteps::taken(std::uint32_t edge, Expr condition) const {
  const absint::ControlEdge& e = graph_.edges()[edge];
  const Transition& transition = system_.transitions[e.transition];
  std::vector<Expr> parts = {condition, e.guard};
  if (transition.relation.valid()) parts.push_back(graph_.locations(e.from)(transition.relation));
  return pool_.conj(parts);
}

std::vector<LinearStep> LinearSteps::of(std::uint32_t edge, Expr condition) {
  const absint::ControlEdge& e = graph_.edges()[edge];
  const Transition& transition = system_.transitions[e.transition];
  const Expr whole = taken(edge, condition);
  if (!possible(whole)) return {};
  Substitution here = graph_.locations(e.from);
  Way way{{whole}, {}};
  Substitution after = state_after(system_, transition);
  for (const Expr measure : measures_) way.values.push_back(here(after(measure)));
  std::vector<Expr> terms = way.values;
  terms.push_back(whole);
  for (const Expr fact : division_facts(terms)) way.conditions.push_back(fact);
  std::vector<Way> ways;
  split_choices(std::move(way), ways);
  std::vector<LinearStep> result;
  for (const Way& one : ways) {
    const auto cases = absint::cases_of(pool_, one.conditions, kMaxWays);
    for (const std::vector<Expr>& parts : cases) {
      if ((cases.size() > 1 || ways.size() > 1) && !possible(pool_.conj(parts))) continue;
      absint::Dimensions dimensions(pool_);
      for (const Expr measure : measures_) (void)dimensions.form(measure);
      LinearStep step;
      step.edge = edge;
      for (Expr part : parts) add_condition(part, dimensions, step);
      for (Expr value : one.values) step.after.push_back(dimensions.form(value));
      add_nonlinear(dimensions, step);
      result.push_back(std::move(step));
    }
  }
  return result;
}

// What is known of quotients and remainders by something else than a constant.
std::vector<Expr> LinearSteps::division_facts(const std::vector<Expr>& terms) const {
  std::vector<Expr> result;
  const Expr zero = pool_.integer(Integer(0)), one = pool_.integer(Integer(1));
  for_each_subterm(pool_, terms, [&](Expr e) {
    const Op op = pool_.op(e);
    if ((op != Op::Mod && op != Op::IDiv) || pool_.is_const(pool_.child(e, 1))) return;
    const Expr a = pool_.child(e, 0), b = pool_.child(e, 1);
    if (op == Op::Mod) {
      result.push_back(
          pool_.implies(pool_.ge(b, one), pool_.conj(pool_.ge(e, zero), pool_.lt(e, b))));
      return;
    }
    result.push_back(pool_.implies(pool_.conj(pool_.ge(a, zero), pool_.ge(b, one)),
                                   pool_.conj(pool_.ge(e, zero), pool_.le(e, a))));
    result.push_back(pool_.implies(pool_.conj(pool_.ge(a, one), pool_.gt(b, one)), pool_.lt(e, a)));
  });
  return result;
}

// Choices between numbers become ways.
void LinearSteps::split_choices(Way way, std::vector<Way>& ways) const {
  std::vector<Way> open = {std::move(way)};
  while (!open.empty()) {
    Way now = std::move(open.back());
    open.pop_back();
    std::vector<Expr> terms = now.conditions;
    terms.insert(terms.end(), now.values.begin(), now.values.end());
    const Expr choice = choice_among(pool_, terms);
    if (!choice.valid() || open.size() + ways.size() >= kMaxWays) {
      ways.push_back(std::move(now));
      continue;
    }
    for (const bool truth : {false, true}) {
      const Expr chosen = pool_.child(choice, truth ? 1 : 2);
      Rewriter replaced(
          pool_, [&](Expr e, std::span<const Expr>) { return e == choice ? chosen : Expr(); });
      Way next;
      const Expr asked = pool_.child(choice, 0);
      next.conditions.push_back(truth ? asked : pool_.negate(asked));
      for (Expr e : now.conditions) next.conditions.push_back(replaced(e));
      for (Expr e : now.values) next.values.push_back(replaced(e));
      open.push_back(std::move(next));
    }
  }
}

void LinearSteps::add(LinearForm form, bool strict, const absint::Dimensions& dimensions,
                      std::vector<LinearForm>& to) const {
  const bool integers = std::all_of(form.factors.begin(), form.factors.end(),
                                    [&](const auto& f) { return dimensions.integer(f.first); });
  if (integers && !form.factors.empty()) {
    // Of integers without a common divisor, f > c is f >= floor(c) + 1.
    if (strict) {
      LinearForm whole = form;
      const Rational constant = whole.constant;
      whole.constant = Rational();
      Rational by = whole.make_primitive();
      if (by.sign() < 0) {
        whole.scale(Rational(Integer(-1)));
        by = -by;
      }
      const Rational scaled = constant / by;  // whole + scaled > 0
      whole.constant = Rational(-(-scaled).floor() - Integer(1));
      to.push_back(std::move(whole));
      return;
    }
    tighten_form(form);
  }
  to.push_back(std::move(form));
}

// Only comparisons of numbers say something here.
void LinearSteps::add_condition(Expr condition, absint::Dimensions& dimensions,
                                LinearStep& step) const {
  bool positive = true;
  if (pool_.op(condition) == Op::Not) {
    condition = pool_.child(condition, 0);
    positive = false;
  }
  const Op op = pool_.op(condition);
  if (op != Op::Lt && op != Op::Le && op != Op::Eq) return;
  if (!is_number(pool_, pool_.child(condition, 0))) return;
  if (op == Op::Eq && !positive) return;
  LinearForm difference = dimensions.form(pool_.child(condition, 1));
  difference.add(dimensions.form(pool_.child(condition, 0)), Rational(Integer(-1)));
  if (op == Op::Eq) {
    step.zero.push_back(std::move(difference));
    return;
  }
  // a < b, a <= b: difference > 0, >= 0; their contraries: difference <= 0, < 0
  if (!positive) difference.scale(Rational(Integer(-1)));
  add(std::move(difference), (op == Op::Lt) == positive, dimensions, step.not_negative);
}

Expr LinearSteps::term(const LinearForm& form) const {
  bool real = !form.constant.is_integer();
  for (const auto& [dimension, factor] : form.factors) {
    real = real || !factor.is_integer() || pool_.type(measures_[dimension]) == Type::real();
  }
  const auto number = [&](const Rational& r) {
    return real ? pool_.real(r) : pool_.integer(r.floor());
  };
  std::vector<Expr> parts;
  for (const auto& [dimension, factor] : form.factors) {
    const Expr measure = real ? pool_.to_real(measures_[dimension]) : measures_[dimension];
    parts.push_back(factor == Rational(Integer(1)) ? measure : pool_.mul(number(factor), measure));
  }
  if (form.constant.sign() != 0 || parts.empty()) parts.push_back(number(form.constant));
  return parts.size() == 1 ? parts[0] : pool_.make(Op::Add, parts);
}

// What quotients and products are known to be.
void LinearSteps::add_nonlinear(absint::Dimensions& dimensions, LinearStep& step) {
  for (const absint::QuotientDimension& quotient : dimensions.quotients()) {
    LinearForm rest = quotient.dividend;  // in [0, divisor)
    rest.add(quotient.dimension, -quotient.divisor);
    step.not_negative.push_back(rest);
    rest.scale(Rational(Integer(-1)));
    rest.constant = rest.constant + quotient.divisor;
    add(std::move(rest), true, dimensions, step.not_negative);
  }
  if (dimensions.products().empty() || dimensions.products().size() > kMaxProducts) return;
  smt::Scope scope(solver_);
  for (const LinearForm& form : step.not_negative)
    solver_.require(pool_.ge(over_reals(form), pool_.real(Rational())));
  for (const LinearForm& form : step.zero)
    solver_.require(pool_.eq(over_reals(form), pool_.real(Rational())));
  for (const absint::ProductDimension& product : dimensions.products()) add_corners(product, step);
}

// sign * form >= sign * bound, for the best bound of a few that are worth asking about.
std::optional<Rational> LinearSteps::bound(const LinearForm& form, int sign) {
  for (const int candidate : {1, 0, -1}) {
    const Rational limit{Integer(sign * candidate)};
    const Expr term = over_reals(form);
    const Expr beyond =
        sign > 0 ? pool_.lt(term, pool_.real(limit)) : pool_.gt(term, pool_.real(limit));
    if (!possible(beyond)) return limit;
  }
  return std::nullopt;
}

// (a - c)(b - d) >= 0 for bounds c, d on the same side, <= 0 for those on different sides
// (McCormick's envelopes).
void LinearSteps::add_corners(const absint::ProductDimension& product, LinearStep& step) {
  const Rational one(Integer(1));
  for (const int left : {1, -1}) {
    const auto c = bound(product.left, left);
    for (const int right : {1, -1}) {
      const auto d = c ? bound(product.right, right) : std::nullopt;
      if (!d) continue;
      LinearForm corner;  // ab - da - cb + cd
      corner.add(product.dimension, one);
      corner.add(product.left, -*d);
      corner.add(product.right, -*c);
      corner.constant = corner.constant + *c * *d;
      if (left != right) corner.scale(-one);
      step.not_negative.push_back(std::move(corner));
    }
  }
  const bool square = product.left.factors == product.right.factors &&
                      product.left.constant == product.right.constant;
  if (!square) return;
  LinearForm alone;
  alone.add(product.dimension, one);
  step.not_negative.push_back(std::move(alone));
}

// With a real symbol for each dimension.
Expr LinearSteps::over_reals(const LinearForm& form) {
  std::vector<Expr> parts = {pool_.real(form.constant)};
  for (const auto& [dimension, factor] : form.factors) {
    while (reals_.size() <= dimension)
      reals_.push_back(pool_.symbol(pool_.declare("dimension", Type::real())));
    parts.push_back(pool_.mul(pool_.real(factor), reals_[dimension]));
  }
  return parts.size() == 1 ? parts[0] : pool_.make(Op::Add, parts);
}

}  // namespace whittle::live

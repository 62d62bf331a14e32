// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/no_wrap.h"

#include <memory>
#include <utility>
#include <vector>

#include "expr/linear.h"
#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kMostSummands = 200;
constexpr unsigned kWidths[] = {8, 16, 32, 64};

// The same states.
class SameStates final : public FlatBackTranslation {
 public:
  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const override {
    return trace;
  }
  [[nodiscard]] Expr condition(Expr condition) const override { return condition; }
  [[nodiscard]] Expr forward(Expr condition) const override { return condition; }
};

class NoWrap {
 public:
  explicit NoWrap(const TransitionSystem& system)
      : system_(system),
        pool_(*system.pool),
        unwrapped_(pool_, [this](Expr e, auto arguments) { return replaced(e, arguments); }) {}

  std::optional<FlatTransformed> run() {
    if (system_.acceptance || system_.bound.max || system_.bound.min > 0) return std::nullopt;
    if (!find_goal()) return std::nullopt;
    FlatTransformed result{system_, nullptr, FlatPrecision::OverApproximates};
    result.system.transitions.clear();
    result.system.alike.clear();
    for (const Transition& transition : system_.transitions)
      add(transition, result.system.transitions);
    if (!changed_) return std::nullopt;
    result.back = std::make_shared<SameStates>();
    return result;
  }

 private:
  // A location at which the goal holds, whatever the rest of the state is.
  bool find_goal() {
    std::optional<std::uint32_t> only;
    for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
      if (!system_.variables[v].is_location) continue;
      if (only) return false;
      only = v;
    }
    if (!only) return false;
    const StateVariable& location = system_.variables[*only];
    if (pool_.kind(location.type) != TypeKind::Enum) return false;
    location_ = *only;
    // The goal names it.
    Expr found;
    for_each_subterm(pool_, system_.goal.condition, [&](Expr e) {
      if (found.valid() || !pool_.is_const(e) || pool_.type(e) != location.type) return;
      Substitution here(pool_);
      here.set(location.current, e);
      if (pool_.is_true(here(system_.goal.condition))) found = e;
    });
    goal_ = found;
    return found.valid();
  }

  void add(const Transition& original, std::vector<Transition>& result) {
    std::vector<Expr> same, other;  // conjuncts that are as they were, and that are not
    for (const Expr part : conjuncts(pool_, original.guard)) {
      const Expr now = unwrapped_(part);
      (now == part ? same : other).push_back(now == part ? part : now);
    }
    Transition calm = original;
    for (Update& update : calm.updates) update.value = unwrapped_(update.value);
    std::vector<Expr> in_guard = wrapping(original.guard);
    std::vector<Expr> in_updates;
    for (const Update& update : original.updates)
      for (const Expr condition : wrapping(update.value)) in_updates.push_back(condition);
    if (in_guard.empty() && in_updates.empty()) {
      result.push_back(original);
      return;
    }
    changed_ = true;
    const Expr guard = pool_.conj(other);
    const Expr wraps = pool_.disj(pool_.disj(in_guard), pool_.conj(guard, pool_.disj(in_updates)));
    Transition leaves;
    leaves.name = original.name + " wraps";
    leaves.inputs = original.inputs;
    std::vector<Expr> parts = same;
    parts.push_back(wraps);
    leaves.guard = pool_.conj(parts);
    leaves.updates.push_back({location_, goal_});
    leaves.relation = pool_.boolean(true);
    parts.back() = guard;
    for (const Expr condition : in_guard) parts.push_back(pool_.negate(condition));
    for (const Expr condition : in_updates) parts.push_back(pool_.negate(condition));
    calm.guard = pool_.conj(parts);
    result.push_back(std::move(calm));
    result.push_back(std::move(leaves));
  }

  // When what was replaced in the term would have been wrong.
  std::vector<Expr> wrapping(Expr term) {
    std::vector<Expr> result;
    for_each_subterm(pool_, term, [&](Expr e) {
      if (const Expr* condition = wraps_.find(e)) result.push_back(*condition);
    });
    return result;
  }

  Expr replaced(Expr e, std::span<const Expr> arguments) {
    if (pool_.op(e) == Op::Ite && pool_.type(e) == Type::integer())
      return without_case(e, arguments);
    if (pool_.op(e) == Op::Mod) return without_remainder(e, arguments);
    return {};
  }

  [[nodiscard]] static bool is_modulus(const Integer& value) {
    const Integer size = value.sign() < 0 ? -value : value;
    for (const unsigned width : kWidths)
      for (const int times : {1, 2})
        if (size == pow(Integer(2), width) * Integer(times)) return true;
    return false;
  }

  std::optional<LinearForm<Expr>> form(Expr term) {
    const Summand sum[] = {{Rational(Integer(1)), term}};
    return linear_form(pool_, sum, kMostSummands);
  }

  // ite(n > MAX, n - 2^w, n), and the like: of the two values the one with the smaller constant.
  Expr without_case(Expr e, std::span<const Expr> arguments) {
    const auto yes = form(arguments[1]);
    const auto no = form(arguments[2]);
    if (!yes || !no || yes->factors.empty() || yes->factors != no->factors) return {};
    const Rational difference = yes->constant - no->constant;
    if (difference.denominator() != Integer(1) || !is_modulus(difference.numerator())) return {};
    if (!compares(arguments[0], *yes)) return {};
    const auto size = [](const Rational& r) { return r.sign() < 0 ? Rational() - r : r; };
    const bool then = size(yes->constant) < size(no->constant);
    wraps_.insert(e, then ? pool_.negate(arguments[0]) : arguments[0]);
    return arguments[then ? 1 : 2];
  }

  // Is it a comparison of that sum with a constant?
  bool compares(Expr condition, const LinearForm<Expr>& sum) {
    if (pool_.op(condition) == Op::Not) condition = pool_.child(condition, 0);
    if (pool_.op(condition) != Op::Lt && pool_.op(condition) != Op::Le) return false;
    const auto left = form(pool_.child(condition, 0));
    const auto right = form(pool_.child(condition, 1));
    if (!left || !right) return false;
    return (left->factors.empty() && right->factors == sum.factors) ||
           (right->factors.empty() && left->factors == sum.factors);
  }

  // n mod 2^w. Programs compute remainders of their own by smaller numbers.
  Expr without_remainder(Expr e, std::span<const Expr> arguments) {
    if (!pool_.is_const(arguments[1])) return {};
    const Integer& modulus = pool_.value(arguments[1]).as_integer();
    if (modulus < pow(Integer(2), 32) || !is_modulus(modulus)) return {};
    wraps_.insert(e, pool_.disj(pool_.lt(arguments[0], pool_.integer(0)),
                                pool_.le(pool_.integer(modulus), arguments[0])));
    return arguments[0];
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  Rewriter unwrapped_;
  ExprMap<Expr> wraps_;  // by what was replaced
  std::uint32_t location_ = 0;
  Expr goal_;
  bool changed_ = false;
};

}  // namespace

std::optional<FlatTransformed> without_wrapping(const TransitionSystem& system) {
  return NoWrap(system).run();
}

}  // namespace whittle::simplify

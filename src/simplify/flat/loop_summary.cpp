// SPDX-License-Identifier: Apache-2.0
// Which transitions and cycles of transitions have a summary (after Frohn and Giesl, "Integrating
// Loop Acceleration into Bounded Model Checking", FM 2024). A cycle is first composed into one
// transition; a transition has a summary if it leaves its location and does
//
//   v' = v + c                 c constant                   n times:  v' = v + n c
//   v' = v + a i + b j + c     i, j inputs with bounds      n times:  v' = v + a I + b J + n c,
//                                                                     n times the bounds for I, J
//   v' = c                                                  n times:  v' = c
//
// I is the sum of the inputs; the steps in between take I / n each. The guard has to hold at each
// of the n steps. Its parts are linear inequalities and equations; along the way they change
// linearly with the number of the step, so they hold everywhere if they hold at the first and at
// the last step (where v' = c, from the second step on). A part that mixes inputs with variables
// that change is taken at the worst values of the inputs, which is stronger than needed: such a
// summary is not exact. Inexact summaries are used beside the transition, exact ones instead of it.
#include "simplify/flat/loop_summary.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "expr/linear.h"
#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kMaxSummands = 1000;  // of one side of a guard, or of an update

// Over inputs and variables.
using Linear = LinearForm<SymbolId>;

std::optional<Linear> linear(const ExprPool& pool, Expr e) {
  return variables_form(pool, e, kMaxSummands);
}

struct Bound {
  Rational value;
  bool strict = false;
};

// left >= 0, > 0 (Lt) or == 0
struct Condition {
  Linear left;
  Op op = Op::Le;
};

const Rational kOne(Integer(1));

// One transition on its way to a summary.
class Summary {
 public:
  Summary(const TransitionSystem& system, const Transition& transition)
      : system_(system), t_(transition), pool_(*system.pool) {}

  // Inputs: those that are not summed, then the number of times, then the sums.
  std::optional<LoopSummary> make() {
    if (!t_.open.empty()) return std::nullopt;
    if (t_.relation.valid() && !pool_.is_true(t_.relation)) return std::nullopt;
    if (!read_updates() || shifts_.empty()) return std::nullopt;
    times_ = pool_.declare("times", Type::integer());
    for (auto& [input, sum] : sums_) sum = pool_.declare("sum", pool_.info(input).type);
    if (!read_guard()) return std::nullopt;
    LoopSummary summary;
    Transition& result = summary.transition;
    result.name = t_.name + " ×n";
    for (SymbolId input : t_.inputs) {
      if (!sums_.contains(input)) result.inputs.push_back(input);
    }
    result.inputs.push_back(times_);
    for (std::uint32_t i = 0; i < t_.inputs.size(); ++i) {
      auto sum = sums_.find(t_.inputs[i]);
      if (sum == sums_.end()) continue;
      summary.summed.push_back(i);
      result.inputs.push_back(sum->second);
    }
    kept_.push_back(pool_.le(pool_.integer(exact_ ? 1 : 2), pool_.symbol(times_)));
    result.guard = pool_.conj(kept_);
    result.updates = updates_;
    for (std::uint32_t variable : shifts_) {
      Linear after;
      const SymbolId symbol = system_.variables[variable].current;
      after.factors[symbol] = kOne;
      advance(after, symbol, kOne, false);
      result.updates.push_back({variable, term(after, system_.variables[variable].type)});
    }
    summary.exact = exact_;
    return summary;
  }

 private:
  struct Shift {
    std::map<SymbolId, Rational> inputs;  // their factors
    Rational constant;
  };

  // Additive updates and resets; false: something else.
  bool read_updates() {
    for (const Update& u : t_.updates) {
      const StateVariable& v = system_.variables[u.variable];
      const Expr current = pool_.symbol(v.current);
      if (u.value == current || stays(v, u.value)) continue;
      if (pool_.is_const(u.value)) {
        resets_[v.current] = u.value;
        updates_.push_back(u);
        continue;
      }
      if (v.type != Type::integer() && v.type != Type::real()) return false;
      auto form = linear(pool_, u.value);
      if (!form || form->of(v.current) != kOne) return false;
      Shift shift;
      shift.constant = form->constant;
      for (const auto& [symbol, factor] : form->factors) {
        if (symbol == v.current) continue;
        const bool input = std::find(t_.inputs.begin(), t_.inputs.end(), symbol) != t_.inputs.end();
        if (!input || pool_.info(symbol).type != v.type) return false;
        sums_.try_emplace(symbol);
        shift.inputs[symbol] = factor;
      }
      if (shift.inputs.empty() && shift.constant.sign() == 0) continue;
      shifts_.push_back(u.variable);
      shift_of_[v.current] = shift;
    }
    return true;
  }

  // A location that is set to what the guard says it is.
  bool stays(const StateVariable& v, Expr value) {
    if (!pool_.is_const(value)) return false;
    const auto parts = conjuncts(pool_, t_.guard);
    return std::find(parts.begin(), parts.end(), pool_.eq(pool_.symbol(v.current), value)) !=
           parts.end();
  }

  bool changes(SymbolId s) const { return shift_of_.contains(s) || resets_.contains(s); }

  bool read_guard() {
    std::vector<Expr> mixed;
    for (Expr part : conjuncts(pool_, t_.guard)) {
      bool variable = false;
      bool input = false;
      for (SymbolId s : symbols(pool_, part)) {
        variable |= changes(s);
        input |= sums_.contains(s);
      }
      if (!variable && !input)
        kept_.push_back(part);
      else if (!variable) {
        if (!on_inputs(part)) return false;
      } else {
        mixed.push_back(part);
      }
    }
    for (Expr part : mixed)
      if (!along_the_way(part)) return false;
    return true;
  }

  std::optional<Condition> condition(Expr part) {
    const bool negated = pool_.op(part) == Op::Not;
    if (negated) part = pool_.child(part, 0);
    Op op = pool_.op(part);
    if (op != Op::Lt && op != Op::Le && (op != Op::Eq || negated)) return std::nullopt;
    const Type type = pool_.type(pool_.child(part, 0));
    if (type != Type::integer() && type != Type::real()) return std::nullopt;
    auto left = linear(pool_, pool_.child(part, 0));
    auto right = linear(pool_, pool_.child(part, 1));
    if (!left || !right) return std::nullopt;
    if (negated) {  // !(l < r): r <= l
      std::swap(left, right);
      op = op == Op::Lt ? Op::Le : Op::Lt;
    }
    right->add(*left, -kOne);
    return Condition{*right, op};
  }

  // A condition on inputs that are summed and on nothing else: n times that, for the sums.
  bool on_inputs(Expr part) {
    auto c = condition(part);
    if (!c) return false;
    Condition sum;
    sum.op = c->op;
    if (c->left.constant.sign() != 0) sum.left.factors[times_] = c->left.constant;
    for (const auto& [symbol, factor] : c->left.factors) {
      auto found = sums_.find(symbol);
      if (found == sums_.end()) return false;
      sum.left.factors[found->second] = factor;
    }
    kept_.push_back(compare(sum));
    if (c->left.factors.size() != 1) {
      exact_ = false;  // whole numbers cannot always be divided among the steps
      return true;
    }
    const auto& [input, factor] = *c->left.factors.begin();
    const Bound bound{-c->left.constant / factor, c->op == Op::Lt};
    if (!bound.value.is_integer() && pool_.info(input).type == Type::integer()) exact_ = false;
    if (c->op == Op::Eq || factor.sign() > 0) tighten(low_[input], bound, 1);
    if (c->op == Op::Eq || factor.sign() < 0) tighten(high_[input], bound, -1);
    return true;
  }

  static void tighten(std::optional<Bound>& known, const Bound& bound, int sign) {
    const int order = known ? (bound.value - known->value).sign() * sign : 1;
    if (order > 0 || (order == 0 && bound.strict)) known = bound;
  }

  // The condition at the first and at the last step.
  bool along_the_way(Expr part) {
    Substitution reset(pool_);
    bool resets = false;
    for (SymbolId s : symbols(pool_, part)) {
      // The steps could have different values of an input; the summary has one for all.
      if (std::find(t_.inputs.begin(), t_.inputs.end(), s) != t_.inputs.end()) exact_ = false;
      auto found = resets_.find(s);
      if (found == resets_.end()) continue;
      reset.set(s, found->second);
      resets = true;
    }
    if (!resets) {
      auto c = condition(part);
      return c && endpoint(*c, false, {}) && endpoint(*c, true, {});
    }
    // From the second step on the constants are there.
    const Expr later = reset(part);
    bool changing = false;
    for (SymbolId s : symbols(pool_, later)) changing |= changes(s) || sums_.contains(s);
    for (SymbolId s : symbols(pool_, part)) {
      if (sums_.contains(s)) return false;
    }
    kept_.push_back(part);
    const Expr several = pool_.le(pool_.integer(2), pool_.symbol(times_));
    if (!changing) {
      kept_.push_back(pool_.implies(several, later));
      return true;
    }
    auto c = condition(later);
    // At the first step it is stronger than needed.
    exact_ = false;
    return c && endpoint(*c, false, several) && endpoint(*c, true, several);
  }

  bool endpoint(Condition c, bool last, Expr provided) {
    if (last) {
      const Linear before = c.left;
      for (const auto& [symbol, factor] : before.factors)
        if (shift_of_.contains(symbol)) advance(c.left, symbol, factor, true);
    }
    for (const auto& [input, sum] : sums_) {
      if (c.left.of(sum).sign() != 0) exact_ = false;  // depends on how the sum is divided
      const Rational factor = c.left.of(input);
      if (factor.sign() == 0) continue;
      exact_ = false;
      const auto& worst = factor.sign() > 0 ? low_[input] : high_[input];
      if (c.op == Op::Eq || !worst) return false;
      c.left.factors.erase(input);
      c.left.constant = c.left.constant + factor * worst->value;
    }
    const Expr holds = compare(c);
    kept_.push_back(provided.valid() ? pool_.implies(provided, holds) : holds);
    return true;
  }

  // Adds to the sum what `factor * symbol` grows by in n steps, or in all but the last: that is one
  // with the inputs themselves, which are in the sums too often.
  void advance(Linear& sum, SymbolId symbol, const Rational& factor, bool but_one) {
    const Shift& shift = shift_of_.at(symbol);
    Linear more;
    for (const auto& [input, by] : shift.inputs) {
      more.factors[sums_.at(input)] = by;
      if (but_one) more.factors[input] = -by;
    }
    if (shift.constant.sign() != 0) {
      more.factors[times_] = shift.constant;
      if (but_one) more.constant = -shift.constant;
    }
    sum.add(more, factor);
  }

  Expr compare(const Condition& c) {
    bool real = false;
    for (const auto& [symbol, factor] : c.left.factors)
      real |= pool_.info(symbol).type == Type::real() || !factor.is_integer();
    real |= !c.left.constant.is_integer();
    const Type type = real ? Type::real() : Type::integer();
    const Expr zero = real ? pool_.real(Rational()) : pool_.integer(0);
    return pool_.make(c.op, {zero, term(c.left, type)});
  }

  Expr term(const Linear& form, Type type) {
    const bool real = type == Type::real();
    auto constant = [&](const Rational& r) {
      return real ? pool_.real(r) : pool_.integer(r.numerator());
    };
    std::vector<Expr> parts;
    for (const auto& [symbol, factor] : form.factors) {
      Expr x = pool_.symbol(symbol);
      if (real) x = pool_.to_real(x);
      parts.push_back(factor == kOne ? x : pool_.mul(constant(factor), x));
    }
    if (form.constant.sign() != 0 || parts.empty()) parts.push_back(constant(form.constant));
    return parts.size() == 1 ? parts[0] : pool_.make(Op::Add, parts);
  }

  const TransitionSystem& system_;
  const Transition& t_;
  ExprPool& pool_;
  std::vector<std::uint32_t> shifts_;  // state variables
  std::unordered_map<SymbolId, Shift> shift_of_;
  std::unordered_map<SymbolId, Expr> resets_;
  std::vector<Update> updates_;                          // the resets
  std::map<SymbolId, SymbolId> sums_;                    // by input that is summed
  SymbolId times_;                                       // n
  std::map<SymbolId, std::optional<Bound>> low_, high_;  // of inputs that are summed
  std::vector<Expr> kept_;
  bool exact_ = true;
};

}  // namespace

std::optional<LoopSummary> summary_of(const TransitionSystem& system, const Transition& loop) {
  return Summary(system, loop).make();
}

}  // namespace whittle::simplify

// SPDX-License-Identifier: Apache-2.0
// Which transitions have a summary (after Frohn and Giesl, "Integrating Loop Acceleration into
// Bounded Model Checking", FM 2024, for the simplest and most frequent case):
//
//   v' = v + c            c constant                    n times:  v' = v + n c
//   v' = v + s i + c      i an input, lo <= i <= hi     n times:  v' = v + s S + n c,
//                                                                 n lo <= S <= n hi
//   v' = c                                              n times:  v' = c
//   everything else unchanged, the location too
//
// S is the sum of the inputs; the steps in between take S / n each. The guard has to hold at each
// of the n steps. Its parts are linear inequalities and equations; along the way they change
// linearly with the number of the step, so they hold everywhere if they hold at the first and at
// the last step. A part that mixes i with variables is taken at the worst value of i, which is
// stronger than needed. Summaries are only used to find runs, and runs are replayed step by step,
// so being too strict costs completeness and nothing else.
#include "simplify/summary_steps.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/error.h"
#include "expr/traverse.h"

namespace whittle {

namespace {

constexpr unsigned kMaxDepth = 200;  // of guards and updates that are looked at

// A sum of symbols with factors, and a constant.
struct Linear {
  std::map<SymbolId, Rational> factors;
  Rational constant;

  void add(const Linear& other, const Rational& times) {
    for (const auto& [symbol, factor] : other.factors) {
      Rational& mine = factors[symbol];
      mine = mine + factor * times;
      if (mine.sign() == 0) factors.erase(symbol);
    }
    constant = constant + other.constant * times;
  }
  [[nodiscard]] Rational of(SymbolId s) const {
    auto it = factors.find(s);
    return it == factors.end() ? Rational() : it->second;
  }
};

Rational number(const Value& v) { return v.is_integer() ? Rational(v.as_integer()) : v.as_real(); }

std::optional<Linear> linear(const ExprPool& pool, Expr e, unsigned depth = 0) {
  if (depth > kMaxDepth) return std::nullopt;
  Linear result;
  if (pool.is_const(e)) {
    result.constant = number(pool.value(e));
    return result;
  }
  if (pool.is_variable(e)) {
    result.factors[pool.symbol_of(e)] = Rational(Integer(1));
    return result;
  }
  auto add = [&](Expr part, const Rational& times) {
    auto form = linear(pool, part, depth + 1);
    if (form) result.add(*form, times);
    return form.has_value();
  };
  const Rational one(Integer(1));
  switch (pool.op(e)) {
    case Op::Add:
      for (Expr part : pool.children(e))
        if (!add(part, one)) return std::nullopt;
      return result;
    case Op::Sub:
      if (!add(pool.child(e, 0), one) || !add(pool.child(e, 1), -one)) return std::nullopt;
      return result;
    case Op::Neg:
      if (!add(pool.child(e, 0), -one)) return std::nullopt;
      return result;
    case Op::ToReal:
      return linear(pool, pool.child(e, 0), depth + 1);
    case Op::Mul: {
      Rational factor = one;
      Expr rest;
      for (Expr part : pool.children(e)) {
        if (pool.is_const(part))
          factor = factor * number(pool.value(part));
        else if (rest.valid())
          return std::nullopt;
        else
          rest = part;
      }
      if (!rest.valid()) {
        result.constant = factor;
        return result;
      }
      if (!add(rest, factor)) return std::nullopt;
      return result;
    }
    default:
      return std::nullopt;
  }
}

struct Bound {
  Rational value;
  bool strict = false;
};

// One transition on its way to a summary.
class Summary {
 public:
  Summary(const TransitionSystem& system, const Transition& transition)
      : system_(system), t_(transition), pool_(*system.pool) {}

  std::optional<Transition> make(AcceleratedSystem::Origin& origin) {
    if (!t_.open.empty()) return std::nullopt;
    if (t_.relation.valid() && !pool_.is_true(t_.relation)) return std::nullopt;
    if (!read_updates() || shifts_.empty()) return std::nullopt;
    times_ = pool_.declare("times", Type::integer());
    if (summed_.valid()) sum_ = pool_.declare("sum", pool_.info(summed_).type);
    if (!read_guard()) return std::nullopt;
    Transition result;
    result.name = t_.name + " ×n";
    for (std::uint32_t i = 0; i < t_.inputs.size(); ++i) {
      if (t_.inputs[i] == summed_)
        origin.summed_input = i;
      else
        result.inputs.push_back(t_.inputs[i]);
    }
    result.inputs.push_back(times_);
    if (sum_.valid()) result.inputs.push_back(sum_);
    result.guard = pool_.conj(conditions());
    result.updates = updates_;
    for (const auto& [variable, shift] : shifts_) {
      Linear after;
      const SymbolId symbol = system_.variables[variable].current;
      after.factors[symbol] = Rational(Integer(1));
      advance(after, symbol, Rational(Integer(1)), 0);
      result.updates.push_back({variable, term(after, system_.variables[variable].type)});
    }
    origin.summary = true;
    return result;
  }

 private:
  struct Shift {
    Rational input;  // factor of the summed input
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
      if (!form || form->of(v.current) != Rational(Integer(1))) return false;
      Shift shift;
      shift.constant = form->constant;
      for (const auto& [symbol, factor] : form->factors) {
        if (symbol == v.current) continue;
        const bool input = std::find(t_.inputs.begin(), t_.inputs.end(), symbol) != t_.inputs.end();
        if (!input || (summed_.valid() && summed_ != symbol)) return false;
        if (pool_.info(symbol).type != v.type) return false;
        summed_ = symbol;
        shift.input = factor;
      }
      shifts_[u.variable] = shift;
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
        input |= s == summed_;
      }
      if (!variable && !input)
        kept_.push_back(part);
      else if (!variable) {
        if (!bound_on_input(part)) return false;
      } else {
        mixed.push_back(part);
      }
    }
    for (Expr part : mixed)
      if (!along_the_way(part)) return false;
    return true;
  }

  // left >= 0, > 0 or == 0
  struct Condition {
    Linear left;
    Op op = Op::Le;
  };
  std::optional<Condition> condition(Expr part) {
    const Op op = pool_.op(part);
    if (op != Op::Lt && op != Op::Le && op != Op::Eq) return std::nullopt;
    if (pool_.type(pool_.child(part, 0)) != Type::integer() &&
        pool_.type(pool_.child(part, 0)) != Type::real())
      return std::nullopt;
    auto left = linear(pool_, pool_.child(part, 0));
    auto right = linear(pool_, pool_.child(part, 1));
    if (!left || !right) return std::nullopt;
    right->add(*left, Rational(Integer(-1)));
    return Condition{*right, op};
  }

  // factor * i + constant >= 0 and nothing else in it.
  bool bound_on_input(Expr part) {
    auto c = condition(part);
    if (!c || c->op == Op::Eq || c->left.factors.size() != 1) return false;
    const Rational factor = c->left.of(summed_);
    Bound bound{-c->left.constant / factor, c->op == Op::Lt};
    if (factor.sign() > 0) {
      if (!low_ || low_->value < bound.value || (low_->value == bound.value && bound.strict))
        low_ = bound;
    } else if (!high_ || bound.value < high_->value ||
               (high_->value == bound.value && bound.strict)) {
      high_ = bound;
    }
    return true;
  }

  // The condition at the first and at the last step.
  bool along_the_way(Expr part) {
    auto c = condition(part);
    if (!c) return false;
    for (const auto& [symbol, factor] : c->left.factors)
      if (resets_.contains(symbol)) return false;
    return endpoint(*c, false) && endpoint(*c, true);
  }

  bool endpoint(Condition c, bool last) {
    if (last) {
      const Linear before = c.left;
      for (const auto& [symbol, factor] : before.factors)
        if (shift_of_.contains(symbol)) advance(c.left, symbol, factor, -1);
    }
    if (summed_.valid()) {
      const Rational factor = c.left.of(summed_);
      if (factor.sign() != 0) {
        const auto& worst = factor.sign() > 0 ? low_ : high_;
        if (c.op == Op::Eq || !worst) return false;
        c.left.factors.erase(summed_);
        c.left.constant = c.left.constant + factor * worst->value;
      }
    }
    kept_.push_back(compare(c));
    return true;
  }

  // Adds to the sum what `factor * symbol` grows by in n + offset steps. A missing step is one with
  // the input itself, which is in the sum too often.
  void advance(Linear& sum, SymbolId symbol, const Rational& factor, int offset) {
    const Shift& shift = shift_of_.at(symbol);
    if (shift.input.sign() != 0) {
      Linear more;
      more.factors[sum_] = shift.input;
      if (offset != 0) more.factors[summed_] = shift.input * Rational(Integer(offset));
      sum.add(more, factor);
    }
    if (shift.constant.sign() != 0) {
      Linear more;
      more.factors[times_] = shift.constant;
      more.constant = shift.constant * Rational(Integer(offset));
      sum.add(more, factor);
    }
  }

  std::vector<Expr> conditions() {
    std::vector<Expr> parts = kept_;
    parts.push_back(pool_.le(pool_.integer(2), pool_.symbol(times_)));
    auto bound = [&](const std::optional<Bound>& b, int sign) {
      if (!b) return;
      Condition c;  // sign * (S - n b) >= 0
      c.left.factors[sum_] = Rational(Integer(sign));
      Linear limit;
      if (b->value.sign() != 0) limit.factors[times_] = b->value;
      c.left.add(limit, Rational(Integer(-sign)));
      c.op = b->strict ? Op::Lt : Op::Le;
      parts.push_back(compare(c));
    };
    if (sum_.valid()) {
      bound(low_, 1);
      bound(high_, -1);
    }
    return parts;
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
      parts.push_back(factor == Rational(Integer(1)) ? x : pool_.mul(constant(factor), x));
    }
    if (form.constant.sign() != 0 || parts.empty()) parts.push_back(constant(form.constant));
    return parts.size() == 1 ? parts[0] : pool_.make(Op::Add, parts);
  }

  const TransitionSystem& system_;
  const Transition& t_;
  ExprPool& pool_;
  std::map<std::uint32_t, Shift> shifts_;  // by state variable
  std::unordered_map<SymbolId, Shift> shift_of_;
  std::unordered_map<SymbolId, Expr> resets_;
  std::vector<Update> updates_;      // the resets
  SymbolId summed_;                  // the input that is added, if one is
  SymbolId times_;                   // n
  SymbolId sum_;                     // S
  std::optional<Bound> low_, high_;  // of the summed input
  std::vector<Expr> kept_;
};

}  // namespace

AcceleratedSystem accelerated(const TransitionSystem& original) {
  AcceleratedSystem result;
  result.system = original;
  ExprPool& pool = *original.pool;
  TransitionSystem& system = result.system;
  for (std::uint32_t t = 0; t < original.transitions.size(); ++t)
    result.origins.push_back({t, false, std::nullopt});
  for (std::uint32_t t = 0; t < original.transitions.size(); ++t) {
    AcceleratedSystem::Origin origin{t, false, std::nullopt};
    if (auto summary = Summary(original, original.transitions[t]).make(origin)) {
      system.transitions.push_back(std::move(*summary));
      result.origins.push_back(origin);
      ++result.summaries;
    }
  }
  StateVariable steps;
  steps.name = "steps";
  steps.type = Type::integer();
  steps.current = pool.declare("steps", Type::integer());
  steps.next = pool.declare("steps'", Type::integer());
  result.steps = static_cast<std::uint32_t>(system.variables.size());
  system.variables.push_back(steps);
  const Expr count = pool.symbol(steps.current);
  system.init = pool.conj(system.init, pool.eq(count, pool.integer(0)));
  for (std::size_t t = 0; t < system.transitions.size(); ++t) {
    Transition& transition = system.transitions[t];
    Expr more = pool.integer(1);
    if (result.origins[t].summary) {
      const std::size_t place = transition.inputs.size() - (result.origins[t].summed_input ? 2 : 1);
      more = pool.symbol(transition.inputs[place]);
    }
    transition.updates.push_back({result.steps, pool.add(count, more)});
  }
  std::vector<Expr> goal{system.goal.condition};
  auto limit = [&](std::uint64_t n) {
    return pool.integer(Integer(static_cast<unsigned long>(n)));
  };
  if (original.bound.max) goal.push_back(pool.le(count, limit(*original.bound.max)));
  if (original.bound.min > 0) goal.push_back(pool.le(limit(original.bound.min), count));
  system.goal.condition = pool.conj(goal);
  system.bound = {};
  return result;
}

FlatTrace expanded(const AcceleratedSystem& accelerated, const FlatTrace& trace) {
  FlatTrace result;
  result.initial = trace.initial;
  result.initial.pop_back();  // the count of steps
  result.goal_inputs = trace.goal_inputs;
  for (const FlatStep& step : trace.steps) {
    const AcceleratedSystem::Origin& origin = accelerated.origins[step.transition];
    FlatStep back = step;
    back.transition = origin.transition;
    if (!origin.summary) {
      result.steps.push_back(std::move(back));
      continue;
    }
    std::optional<Value> sum;
    if (origin.summed_input) {
      sum = back.inputs.back();
      back.inputs.pop_back();
    }
    const Integer times = back.inputs.back().as_integer();
    back.inputs.pop_back();
    const auto count = times.to_int64();
    if (!count) throw ResourceError("a run with more steps than can be counted");
    auto push = [&](std::int64_t repetitions, const std::optional<Value>& input) {
      if (repetitions <= 0) return;
      FlatStep part = back;
      if (input) part.inputs.insert(part.inputs.begin() + *origin.summed_input, *input);
      part.times = static_cast<std::uint64_t>(repetitions) * step.times;
      result.steps.push_back(std::move(part));
    };
    if (!sum) {
      push(*count, std::nullopt);
    } else if (sum->is_real()) {
      push(*count, Value(sum->as_real() / Rational(times)));
    } else {
      const Integer each = euclidean_div(sum->as_integer(), times);
      const std::int64_t rest = *euclidean_mod(sum->as_integer(), times).to_int64();
      push(rest, Value(each + Integer(1)));
      push(*count - rest, Value(each));
    }
  }
  return result;
}

}  // namespace whittle

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
#include "simplify/summary_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "expr/traverse.h"

namespace whittle {

namespace {

constexpr unsigned kMaxDepth = 200;               // of guards and updates that are looked at
constexpr std::size_t kMaxTerm = 20'000;          // subterms of a composed transition
constexpr std::uint64_t kMaxWritten = 1'000'000;  // steps of a cycle that are written one by one

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
  std::optional<Transition> make(AcceleratedSystem::Origin& origin) {
    if (!t_.open.empty()) return std::nullopt;
    if (t_.relation.valid() && !pool_.is_true(t_.relation)) return std::nullopt;
    if (!read_updates() || shifts_.empty()) return std::nullopt;
    times_ = pool_.declare("times", Type::integer());
    for (auto& [input, sum] : sums_) sum = pool_.declare("sum", pool_.info(input).type);
    if (!read_guard()) return std::nullopt;
    Transition result;
    result.name = t_.name + " ×n";
    for (SymbolId input : t_.inputs) {
      if (!sums_.contains(input)) result.inputs.push_back(input);
    }
    result.inputs.push_back(times_);
    for (std::uint32_t i = 0; i < t_.inputs.size(); ++i) {
      auto sum = sums_.find(t_.inputs[i]);
      if (sum == sums_.end()) continue;
      origin.summed.push_back(i);
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
    origin.summary = true;
    origin.exact = exact_;
    return result;
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

// The transitions of a path as one: guards and updates in terms of the state before it.
class Composition {
 public:
  explicit Composition(const TransitionSystem& system) : system_(system), pool_(*system.pool) {}

  std::optional<Transition> of(std::span<const std::uint32_t> path) {
    for (std::uint32_t t : path) {
      if (!append(system_.transitions[t])) return std::nullopt;
    }
    result_.guard = pool_.conj(guards_);
    for (const auto& [variable, value] : now_) result_.updates.push_back({variable, value});
    std::size_t size = 0;
    for_each_subterm(pool_, result_.guard, [&](Expr) { ++size; });
    if (size > kMaxTerm || pool_.is_false(result_.guard)) return std::nullopt;
    return std::move(result_);
  }

 private:
  bool append(const Transition& t) {
    if (!t.open.empty() || (t.relation.valid() && !pool_.is_true(t.relation))) return false;
    Substitution at(pool_);
    for (const auto& [variable, value] : now_) at.set(system_.variables[variable].current, value);
    for (SymbolId input : t.inputs) {
      const SymbolInfo info = pool_.info(input);
      const SymbolId own = pool_.declare(info.name, info.type);
      at.set(input, pool_.symbol(own));
      result_.inputs.push_back(own);
    }
    for (Expr part : conjuncts(pool_, at(t.guard))) guards_.push_back(part);
    std::vector<std::pair<std::uint32_t, Expr>> next;
    for (const Update& u : t.updates) next.emplace_back(u.variable, at(u.value));
    for (auto& [variable, value] : next) now_[variable] = value;
    result_.name += (result_.name.empty() ? "" : ", ") + t.name;
    return true;
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  std::map<std::uint32_t, Expr> now_;  // state variables that were written
  std::vector<Expr> guards_;
  Transition result_;
};

// Which constant a transition demands of a location, and which it sets; invalid: none.
struct Ends {
  Expr from, to;
};

Ends ends_of(const TransitionSystem& system, const Transition& t, std::uint32_t location) {
  const ExprPool& pool = *system.pool;
  const Expr symbol = system.pool->symbol(system.variables[location].current);
  Ends result;
  for (Expr part : conjuncts(pool, t.guard)) {
    if (pool.op(part) != Op::Eq) continue;
    for (std::uint32_t side : {0U, 1U}) {
      if (pool.child(part, side) == symbol && pool.is_const(pool.child(part, 1 - side)))
        result.from = pool.child(part, 1 - side);
    }
  }
  result.to = result.from;
  for (const Update& u : t.updates) {
    if (u.variable == location) result.to = pool.is_const(u.value) ? u.value : Expr();
  }
  return result;
}

}  // namespace

Accelerator::Accelerator(const TransitionSystem& original) : original_(original) {
  for (std::uint32_t t = 0; t < original.transitions.size(); ++t) add_cycle({&t, 1});
}

bool Accelerator::add_cycle(std::span<const std::uint32_t> path) {
  std::vector<std::uint32_t> cycle(path.begin(), path.end());
  if (!seen_.insert(cycle).second || seen_.size() > kMaxCycles) return false;
  Transition whole;
  if (cycle.size() == 1) {
    whole = original_.transitions[cycle[0]];
  } else {
    auto composed = Composition(original_).of(cycle);
    if (!composed) return false;
    whole = std::move(*composed);
  }
  AcceleratedSystem::Origin origin;
  origin.path = cycle;
  auto summary = Summary(original_, whole).make(origin);
  if (!summary) return false;
  origin.inputs = whole.inputs.size();
  summaries_.emplace_back(std::move(*summary), std::move(origin));
  return true;
}

// Cycles of two and three transitions through the values of one location variable.
void Accelerator::add_short_cycles() {
  for (std::uint32_t v = 0; v < original_.variables.size(); ++v) {
    if (!original_.variables[v].is_location) continue;
    std::map<Expr, std::vector<std::pair<std::uint32_t, Expr>>> leaving;
    for (std::uint32_t t = 0; t < original_.transitions.size(); ++t) {
      const Ends ends = ends_of(original_, original_.transitions[t], v);
      if (ends.from.valid() && ends.to.valid() && ends.from != ends.to)
        leaving[ends.from].emplace_back(t, ends.to);
    }
    for (const auto& [from, first] : leaving) {
      for (const auto& [a, middle] : first) {
        for (const auto& [b, next] : leaving[middle]) {
          if (seen_.size() > kMaxCycles) return;
          if (next == from)
            add_cycle(std::vector{a, b});
          else
            for (const auto& [c, last] : leaving[next])
              if (last == from) add_cycle(std::vector{a, b, c});
        }
      }
    }
  }
}

// Parts of the run that end where they began, but for numbers.
bool Accelerator::add_cycles_of(const AcceleratedSystem& fast, const FlatTrace& run) {
  std::vector<FlatState> states{run.initial};
  std::vector<std::vector<std::uint32_t>> paths;  // by step
  FlatRun runner(fast.system);
  for (const FlatStep& step : run.steps) {
    const AcceleratedSystem::Origin& origin = fast.origins[step.transition];
    std::uint64_t times = 1;
    if (origin.summary) {
      const auto n = step.inputs[origin.inputs - origin.summed.size()].as_integer().to_int64();
      if (n && static_cast<std::uint64_t>(*n) * origin.path.size() < kLongestCycle)
        times = static_cast<std::uint64_t>(*n);
    }
    std::vector<std::uint32_t> path;
    for (std::uint64_t i = 0; i < times; ++i)
      path.insert(path.end(), origin.path.begin(), origin.path.end());
    FlatStep once = step;
    once.times = 1;
    for (std::uint64_t i = 0; i < step.times; ++i) {
      FlatState next = states.back();
      if (runner.advance(next, once)) return false;
      states.push_back(std::move(next));
      paths.push_back(path);
    }
  }
  auto same_place = [&](const FlatState& a, const FlatState& b) {
    for (std::size_t v = 0; v < original_.variables.size(); ++v) {
      const Type type = original_.variables[v].type;
      if (type == Type::integer() || type == Type::real()) continue;
      if (!(a[v] == b[v])) return false;
    }
    return true;
  };
  bool added = false;
  for (std::size_t end = 1; end < states.size(); ++end) {
    std::vector<std::uint32_t> cycle;
    for (std::size_t begin = end; begin-- > 0;) {
      cycle.insert(cycle.begin(), paths[begin].begin(), paths[begin].end());
      if (cycle.size() > kLongestCycle || seen_.size() > kMaxCycles) break;
      if (same_place(states[begin], states[end])) added |= add_cycle(cycle);
    }
  }
  return added;
}

AcceleratedSystem Accelerator::system() const {
  AcceleratedSystem result;
  result.system = original_;
  ExprPool& pool = *original_.pool;
  TransitionSystem& system = result.system;
  system.transitions.clear();
  auto variable = [&](const char* name) {
    StateVariable v;
    v.name = name;
    v.type = Type::integer();
    v.current = pool.declare(name, Type::integer());
    v.next = pool.declare(std::string(name) + "'", Type::integer());
    system.variables.push_back(v);
    return static_cast<std::uint32_t>(system.variables.size() - 1);
  };
  result.steps = variable("steps");
  const std::uint32_t last = variable("last");  // the exact summary that was taken last, or 0
  const Expr steps = pool.symbol(system.variables[result.steps].current);
  const Expr last_taken = pool.symbol(system.variables[last].current);
  system.init = pool.conj(system.init, pool.conj(pool.eq(steps, pool.integer(0)),
                                                 pool.eq(last_taken, pool.integer(0))));
  auto add = [&](Transition t, AcceleratedSystem::Origin origin, Expr more, long mark) {
    t.updates.push_back({result.steps, pool.add(steps, more)});
    t.updates.push_back({last, pool.integer(mark)});
    // Twice in a row is once, with more repetitions.
    if (mark != 0) {
      t.guard = pool.conj(t.guard, pool.negate(pool.eq(last_taken, pool.integer(mark))));
    }
    system.transitions.push_back(std::move(t));
    result.origins.push_back(std::move(origin));
  };
  std::unordered_set<std::uint32_t> replaced;
  for (const auto& [summary, origin] : summaries_) {
    if (origin.exact && origin.path.size() == 1) replaced.insert(origin.path[0]);
  }
  for (std::uint32_t t = 0; t < original_.transitions.size(); ++t) {
    if (replaced.contains(t)) continue;
    add(original_.transitions[t], {{t}, original_.transitions[t].inputs.size(), false, false, {}},
        pool.integer(1), 0);
  }
  long mark = 0;
  for (const auto& [summary, origin] : summaries_) {
    const std::size_t place = origin.inputs - origin.summed.size();
    const Expr times = pool.symbol(summary.inputs[place]);
    const Expr more = pool.mul(pool.integer(static_cast<long>(origin.path.size())), times);
    add(summary, origin, origin.path.size() == 1 ? times : more, origin.exact ? ++mark : 0);
    ++result.summaries;
  }
  std::vector<Expr> goal{system.goal.condition};
  auto limit = [&](std::uint64_t n) {
    return pool.integer(Integer(static_cast<unsigned long>(n)));
  };
  if (original_.bound.max) {
    goal.push_back(pool.le(steps, limit(*original_.bound.max)));
    // Longer runs are of no interest; that can be what makes the rest finite.
    for (Transition& t : system.transitions)
      t.guard = pool.conj(t.guard, pool.lt(steps, limit(*original_.bound.max)));
  }
  if (original_.bound.min > 0) goal.push_back(pool.le(limit(original_.bound.min), steps));
  system.goal.condition = pool.conj(goal);
  system.bound = {};
  return result;
}

namespace {

// One repetition of a cycle so many times, with these inputs of the composed transition.
void write_steps(const AcceleratedSystem::Origin& origin, const TransitionSystem& original,
                 const std::vector<Value>& inputs, std::uint64_t times, FlatTrace& into) {
  std::vector<FlatStep> once;
  std::size_t next = 0;
  for (std::uint32_t t : origin.path) {
    FlatStep step;
    step.transition = t;
    const std::size_t count = original.transitions[t].inputs.size();
    step.inputs.assign(inputs.begin() + static_cast<std::ptrdiff_t>(next),
                       inputs.begin() + static_cast<std::ptrdiff_t>(next + count));
    next += count;
    once.push_back(std::move(step));
  }
  if (once.size() == 1) {
    once[0].times = times;
    into.steps.push_back(std::move(once[0]));
    return;
  }
  if (times > kMaxWritten / once.size()) {
    throw ResourceError(fmt::format("a cycle of {} transitions taken {} times is too long to write",
                                    once.size(), times));
  }
  for (std::uint64_t i = 0; i < times; ++i)
    into.steps.insert(into.steps.end(), once.begin(), once.end());
}

// A summary as repetitions: sums of whole numbers that cannot be divided evenly make the first
// ones larger by one.
void write_summary(const AcceleratedSystem::Origin& origin, const TransitionSystem& original,
                   const FlatStep& step, FlatTrace& into) {
  const std::size_t plain = origin.inputs - origin.summed.size();
  const Integer times = step.inputs[plain].as_integer();
  const auto count = times.to_int64();
  if (!count) throw ResourceError("a run with more steps than can be counted");
  std::vector<std::int64_t> rests{0, *count};
  std::vector<Value> each;
  std::vector<std::int64_t> larger;  // by sum: how many repetitions have one more
  for (std::size_t i = 0; i < origin.summed.size(); ++i) {
    const Value& sum = step.inputs[plain + 1 + i];
    if (sum.is_real()) {
      each.emplace_back(sum.as_real() / Rational(times));
      larger.push_back(0);
      continue;
    }
    each.emplace_back(euclidean_div(sum.as_integer(), times));
    larger.push_back(*euclidean_mod(sum.as_integer(), times).to_int64());
    rests.push_back(larger.back());
  }
  std::sort(rests.begin(), rests.end());
  rests.erase(std::unique(rests.begin(), rests.end()), rests.end());
  for (std::size_t part = 0; part + 1 < rests.size(); ++part) {
    std::vector<Value> inputs(step.inputs.begin(),
                              step.inputs.begin() + static_cast<std::ptrdiff_t>(plain));
    for (std::size_t i = 0; i < origin.summed.size(); ++i) {
      Value value = each[i];
      if (rests[part] < larger[i]) value = Value(value.as_integer() + Integer(1));
      inputs.insert(inputs.begin() + origin.summed[i], std::move(value));
    }
    write_steps(origin, original, inputs,
                static_cast<std::uint64_t>(rests[part + 1] - rests[part]) * step.times, into);
  }
}

}  // namespace

FlatTrace expanded(const AcceleratedSystem& accelerated, const TransitionSystem& original,
                   const FlatTrace& trace) {
  FlatTrace result;
  result.initial.assign(
      trace.initial.begin(),
      trace.initial.begin() + static_cast<std::ptrdiff_t>(original.variables.size()));
  result.goal_inputs = trace.goal_inputs;
  for (const FlatStep& step : trace.steps) {
    const AcceleratedSystem::Origin& origin = accelerated.origins[step.transition];
    if (origin.summary) {
      write_summary(origin, original, step, result);
    } else {
      FlatStep back = step;
      back.transition = origin.path[0];
      result.steps.push_back(std::move(back));
    }
  }
  return result;
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Cycles of transitions, composed into one transition each, their summaries (loop_summary.cpp), the
// system with summaries, and the way back from its runs.
#include "simplify/flat/summary_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "expr/traverse.h"
#include "simplify/flat/loop_summary.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kMaxTerm = 20'000;          // subterms of a composed transition
constexpr std::uint64_t kMaxWritten = 1'000'000;  // steps of a cycle that are written one by one

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

// The way back from runs with summaries.
class SummariesBack final : public FlatBackTranslation {
 public:
  SummariesBack(const TransitionSystem& original,
                std::shared_ptr<const std::vector<StepOrigin>> origins, std::vector<SymbolId> added)
      : pool_(original.pool),
        variables_(original.variables.size()),
        origins_(std::move(origins)),
        added_(std::move(added)) {
    for (const Transition& t : original.transitions) inputs_.push_back(t.inputs.size());
  }

  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const override {
    FlatTrace result;
    result.initial.assign(trace.initial.begin(),
                          trace.initial.begin() + static_cast<std::ptrdiff_t>(variables_));
    result.goal_inputs = trace.goal_inputs;
    try {
      for (const FlatStep& step : trace.steps) {
        const StepOrigin& origin = (*origins_)[step.transition];
        if (origin.summary) {
          write_summary(origin, step, result);
        } else {
          FlatStep back = step;
          back.transition = origin.path[0];
          result.steps.push_back(std::move(back));
        }
      }
    } catch (const ResourceError& problem) {
      return Unexpected{problem.reason()};
    }
    return result;
  }

  // Where it does not speak of what was added, the values of that can be chosen so that every
  // transition is possible that is so in the original: it is inductive there, too.
  [[nodiscard]] Expr condition(Expr condition) const override {
    for (const SymbolId used : symbols(*pool_, condition)) {
      if (std::find(added_.begin(), added_.end(), used) != added_.end()) return {};
    }
    return condition;
  }

  [[nodiscard]] Expr forward(Expr condition) const override { return condition; }

 private:
  // One repetition of a cycle so many times, with these inputs of the composed transition.
  void write_steps(const StepOrigin& origin, const std::vector<Value>& inputs, std::uint64_t times,
                   FlatTrace& into) const {
    std::vector<FlatStep> once;
    std::size_t next = 0;
    for (std::uint32_t t : origin.path) {
      FlatStep step;
      step.transition = t;
      const std::size_t count = inputs_[t];
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
      throw ResourceError(fmt::format(
          "a cycle of {} transitions taken {} times is too long to write", once.size(), times));
    }
    for (std::uint64_t i = 0; i < times; ++i)
      into.steps.insert(into.steps.end(), once.begin(), once.end());
  }

  // A summary as repetitions: sums of whole numbers that cannot be divided evenly make the first
  // ones larger by one.
  void write_summary(const StepOrigin& origin, const FlatStep& step, FlatTrace& into) const {
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
      write_steps(origin, inputs,
                  static_cast<std::uint64_t>(rests[part + 1] - rests[part]) * step.times, into);
    }
  }

  std::shared_ptr<ExprPool> pool_;
  std::size_t variables_;                                   // of the original
  std::vector<std::size_t> inputs_;                         // by transition of the original
  std::shared_ptr<const std::vector<StepOrigin>> origins_;  // by transition with summaries
  std::vector<SymbolId> added_;                             // what counts
};

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
  StepOrigin origin;
  origin.path = cycle;
  auto summary = summary_of(original_, whole);
  if (!summary) return false;
  origin.inputs = whole.inputs.size();
  origin.summary = true;
  origin.exact = summary->exact;
  origin.summed = summary->summed;
  summaries_.emplace_back(std::move(summary->transition), std::move(origin));
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
    const StepOrigin& origin = (*fast.origins)[step.transition];
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
  system.alike.clear();  // only the cycles that were found have summaries
  auto variable = [&](const char* name) {
    StateVariable v;
    v.name = name;
    v.type = Type::integer();
    v.current = pool.declare(name, Type::integer());
    v.next = pool.declare(std::string(name) + "'", Type::integer());
    system.variables.push_back(v);
    return static_cast<std::uint32_t>(system.variables.size() - 1);
  };
  result.step_count = variable("steps");
  result.steps = FlatSteps::OneToMany;
  std::vector<StepOrigin> origins;
  const std::uint32_t last = variable("last");  // the exact summary that was taken last, or 0
  const Expr steps = pool.symbol(system.variables[result.step_count].current);
  const Expr last_taken = pool.symbol(system.variables[last].current);
  system.init = pool.conj(system.init, pool.conj(pool.eq(steps, pool.integer(0)),
                                                 pool.eq(last_taken, pool.integer(0))));
  auto add = [&](Transition t, StepOrigin origin, Expr more, long mark) {
    t.updates.push_back({result.step_count, pool.add(steps, more)});
    t.updates.push_back({last, pool.integer(mark)});
    // Twice in a row is once, with more repetitions.
    if (mark != 0) {
      t.guard = pool.conj(t.guard, pool.negate(pool.eq(last_taken, pool.integer(mark))));
    }
    system.transitions.push_back(std::move(t));
    origins.push_back(std::move(origin));
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
  result.origins = std::make_shared<const std::vector<StepOrigin>>(std::move(origins));
  result.back = std::make_shared<SummariesBack>(
      original_, result.origins,
      std::vector{system.variables[result.step_count].current, system.variables[last].current});
  return result;
}

std::optional<FlatTransformed> accelerated(const TransitionSystem& system) {
  Accelerator accelerator(system);
  accelerator.add_short_cycles();
  if (!accelerator.has_summaries()) return std::nullopt;
  return accelerator.system();
}

}  // namespace whittle::simplify

// SPDX-License-Identifier: Apache-2.0
// Bounded model checking for infinite runs (Biere, Heljanko, Junttila, Latvala, Schuppan: "Linear
// Encodings of Bounded LTL Model Checking", LMCS 2006): is there a lasso of k states, that is a run
// of k steps whose last state is one that it had before, and which meets every acceptance set since
// then?
//
//   init(s@0)  and  T(s@0, s@1)  and ... and  T(s@k-1, s@k)
//   loop@i  ->  s@i == loop state                         the loop begins at i
//   in@i+1  ==  in@i or loop@i,   loop@i -> not in@i      once at most
//   seen(a)@i+1  ==  seen(a)@i or (in@i+1 and a is met by the step i)
//   closed@k  ->  in@k  and  s@k == loop state  and  seen(a)@k for every a
//
// That is linear in k, and all but closed@k stays for greater k, so one solver keeps it. The depths
// are 1, 2, 3, 4, 6, 9, ...: whether a lasso closes at one of the depths since the last is one
// question, and if so the least of them is looked for. A path that closes early goes on: round the
// loop again.
//
// That there is none of up to k states means nothing for more: `x := x + 1` goes on for ever
// without any. Answers Reached or Unknown.
#include "engine/lasso.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/path/symbolic_path.h"
#include "ir/run/flat_run.h"

namespace whittle::engine::lasso {

namespace {

class Lasso {
 public:
  Lasso(const TransitionSystem& system, Env& env)
      : system_(system),
        env_(env),
        pool_(*system.pool),
        // The state of the loop has no range that is known, so numbers stay numbers.
        path_(system, env.solvers, {StepEncoding::Updates, false, false}),
        depth_(env.statistics.counter("lasso.depth")),
        last_(system.bound.max.value_or(*env.options.get<LassoOptions>().max_depth)) {
    for (const StateVariable& variable : system.variables) {
      loop_state_.push_back(pool_.symbol(pool_.declare("loop " + variable.name, variable.type)));
    }
    seen_.assign(system.acceptance->size(), pool_.boolean(false));
    in_ = pool_.boolean(false);
  }

  EngineResult run() {
    path_.require_init();
    std::uint64_t before = 0;
    for (std::uint64_t depth = 1; before < last_;) {
      if (auto stop = env_.stopped()) return unknown(at_depth(*stop, before));
      env_.report_depth("lasso", depth);
      while (closed_.size() < depth) extend();
      const smt::CheckResult found = ask(before, depth);
      switch (found.answer) {
        case smt::Answer::Sat:
          return shortest(before, depth);
        case smt::Answer::Unsat:
          break;
        case smt::Answer::Unknown:
          return unknown(at_depth(found.reason, depth));
      }
      depth_.raise_to(depth);
      const std::uint64_t step = std::max<std::uint64_t>(depth / 2, 1);
      before = depth;
      depth = std::min(last_, depth + step);
    }
    return unknown({Reason::Kind::Bound, fmt::format("no violating lasso of up to {} state{}",
                                                     last_, last_ == 1 ? "" : "s")});
  }

 private:
  static EngineResult unknown(Reason reason) {
    return EngineResult{Unknown{std::move(reason), {}}};
  }

  [[nodiscard]] std::vector<Expr>& pending() { return path_.pending(); }
  [[nodiscard]] Expr fresh(std::string_view name, std::uint64_t k) {
    return path_.unroller().fresh(name, Type::boolean(), k);
  }
  // A Bool symbol for the condition, so that formulas stay linear.
  [[nodiscard]] Expr named(std::string_view name, std::uint64_t k, Expr condition) {
    if (pool_.is_const(condition)) return condition;
    const Expr symbol = fresh(name, k);
    pending().push_back(pool_.eq(symbol, condition));
    return symbol;
  }
  [[nodiscard]] Expr is_loop_state(std::uint64_t k) {
    std::vector<Expr> parts;
    for (std::uint32_t v = 0; v < system_.variables.size(); ++v)
      parts.push_back(pool_.eq(path_.unroller().variable(v, k), loop_state_[v]));
    return pool_.conj(parts);
  }
  [[nodiscard]] Expr met(const AcceptanceSet& set, std::uint64_t k) {
    std::vector<Expr> cases;
    if (set.condition.valid()) cases.push_back(path_.unroller().at_time(set.condition, k));
    for (const std::uint32_t t : set.transitions) {
      const Expr selector = path_.steps().selector(k, t);
      if (selector.valid()) cases.push_back(selector);
    }
    return pool_.disj(cases);
  }

  // One step more, and what closes a lasso after it.
  void extend() {
    const std::uint64_t k = path_.depth();
    const Expr begins = fresh("loop", k);
    pending().push_back(pool_.implies(begins, pool_.conj(is_loop_state(k), pool_.negate(in_))));
    in_ = named("in", k, pool_.disj(in_, begins));
    path_.extend();
    std::vector<Expr> all = {in_};
    for (std::size_t a = 0; a < seen_.size(); ++a) {
      const Expr now = pool_.conj(in_, met((*system_.acceptance)[a], k));
      seen_[a] = named(fmt::format("seen {}", a), k, pool_.disj(seen_[a], now));
      all.push_back(seen_[a]);
    }
    all.push_back(is_loop_state(k + 1));
    const Expr closed = fresh("closed", k + 1);
    pending().push_back(pool_.implies(closed, pool_.conj(all)));
    closed_.push_back(closed);
  }

  // Is there a lasso of more than `from` and at most `to` states?
  smt::CheckResult ask(std::uint64_t from, std::uint64_t to) {
    Expr asked = closed_[to - 1];
    if (from + 1 < to) {
      std::vector<Expr> some(closed_.begin() + static_cast<std::ptrdiff_t>(from),
                             closed_.begin() + static_cast<std::ptrdiff_t>(to));
      asked = fresh("closes before", to);
      pending().push_back(pool_.implies(asked, pool_.disj(some)));
    }
    return path_.check_assuming({&asked, 1});
  }

  // requires: there is a lasso of more than `before` and at most `depth` states
  EngineResult shortest(std::uint64_t before, std::uint64_t depth) {
    bool certain = true;
    for (std::uint64_t k = before + 1; k <= depth; ++k) {
      const smt::CheckResult found = ask(k - 1, k);
      switch (found.answer) {
        case smt::Answer::Sat:
          return reached(k, certain);
        case smt::Answer::Unsat:
          break;
        case smt::Answer::Unknown:
          certain = false;
          break;
      }
      if (env_.stopped()) break;
    }
    return unknown(env_.stopped().value_or(
        Reason{Reason::Kind::Incomplete, "the solver gave up on the length of a lasso"}));
  }

  // The lasso of k states in the model of the last check.
  EngineResult reached(std::uint64_t k, bool shortest) {
    FlatTrace path;
    try {
      path = path_.trace();
    } catch (const smt::NoValue& none) {
      return unknown({Reason::Kind::Incomplete,
                      fmt::format("there is a lasso, but of values that cannot be written down: {}",
                                  none.what())});
    }
    if (auto trace = closed_lasso(path, k))
      return EngineResult{Reached{std::move(*trace), shortest}};
    return unknown({Reason::Kind::Incomplete, "the lasso of the solver does not close"});
  }

  // The first k steps of the path, and where they come back to. None: nowhere.
  [[nodiscard]] std::optional<FlatTrace> closed_lasso(const FlatTrace& path,
                                                      std::uint64_t k) const {
    FlatTrace result;
    result.initial = path.initial;
    for (const FlatStep& step : path.steps) {
      for (std::uint64_t i = 0; i < step.times && result.steps.size() < k; ++i) {
        result.steps.push_back(step);
        result.steps.back().times = 1;
      }
    }
    FlatRun run(system_);
    std::vector<FlatState> states = {result.initial};
    for (const FlatStep& step : result.steps) {
      FlatState next = states.back();
      if (run.advance(next, step)) return std::nullopt;
      states.push_back(std::move(next));
    }
    for (std::size_t i = result.steps.size(); i-- > 0;) {
      if (states[i] != states.back() || !meets_all(result, states, i, run)) continue;
      result.loop = i;
      return result;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool meets_all(const FlatTrace& trace, const std::vector<FlatState>& states,
                               std::size_t from, FlatRun& run) const {
    return std::all_of(system_.acceptance->begin(), system_.acceptance->end(),
                       [&](const AcceptanceSet& set) {
                         for (std::size_t i = from; i < trace.steps.size(); ++i) {
                           if (std::binary_search(set.transitions.begin(), set.transitions.end(),
                                                  trace.steps[i].transition) ||
                               (set.condition.valid() && run.holds(set.condition, states[i])))
                             return true;
                         }
                         return false;
                       });
  }

  const TransitionSystem& system_;
  Env& env_;
  ExprPool& pool_;
  SymbolicPath path_;
  Counter& depth_;
  std::uint64_t last_;            // states of a lasso
  std::vector<Expr> loop_state_;  // by variable
  std::vector<Expr> closed_;      // by depth - 1
  std::vector<Expr> seen_;        // by acceptance set: since the loop began, up to the last depth
  Expr in_;                       // the loop has begun
};

void declare(OptionSet& options) { options.add<LassoOptions>(); }

EngineResult run(const TransitionSystem& system, Env& env) { return Lasso(system, env).run(); }

std::vector<RaceSlot> race(const QuestionProfile& question) {
  return {RaceSlot{question.bounded ? 1 : 11}};
}

}  // namespace

}  // namespace whittle::engine::lasso

namespace whittle {

const EngineInfo kLassoInfo = {
    "lasso",
    "Bounded search for runs that come back to a state, shortest first.",
    "that there is such a run, also on unbounded numbers; unknown where none of up to "
    "--lasso-max-depth states exists",
    engine::lasso::declare,
    engine::lasso::run,
    std::nullopt,
    {.bounded = true, .traces = true, .shortest = true, .live = true, .live_only = true},
    {nullptr, engine::lasso::race},
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// k-induction (Sheeran, Singh, Stalmarck: "Checking Safety Properties Using Induction and a
// SAT-Solver", FMCAD 2000):
//
//   base  init(s@0), T(s@0, s@1), ..., goal(s@i)                  has no solution for i < k
//   step  T(s@0, s@1), ..., T(s@k-1, s@k), no goal before, goal(s@k)   has no solution
//
// Every state of the step satisfies what rsc has found about reachable states
// (state_constraints.h), which excludes most of the states that make induction fail. The base is
// asked at every k and gives shortest traces. The step, which is harder, is asked less and less
// often.
//
// Answers Unreached with a k-inductive invariant, Reached, or Unknown at a limit, and where the
// goal is about inputs that cannot be eliminated from it.
#include "engine/kinduction.h"

#include <fmt/format.h>

#include "engine/invariants/state_constraints.h"
#include "engine/path/path_trace.h"
#include "engine/path/step_encoding.h"
#include "engine/path/unroller.h"
#include "smt/elimination/quantifier_elimination.h"

namespace whittle::engine::kinduction {

namespace {

constexpr std::chrono::milliseconds kEliminationTime{2000};

// One path that grows, with the goal asked at its end.
class Path {
 public:
  Path(const TransitionSystem& system, Env& env, std::string_view purpose)
      : pool_(*system.pool),
        unroller_(system),
        steps_(system, unroller_, StepEncoding::Updates, nullptr),
        solver_(env.solvers.make(pool_, purpose)) {}

  [[nodiscard]] std::uint64_t length() const { return length_; }
  [[nodiscard]] smt::Solver& solver() { return *solver_; }
  void require_at_end(Expr condition) { solver_->require(unroller_.at_time(condition, length_)); }
  smt::CheckResult ask_at_end(Expr condition) {
    const Expr asked = unroller_.fresh("asked", Type::boolean(), length_);
    solver_->require(pool_.implies(asked, unroller_.at_time(condition, length_)));
    return solver_->check_assuming({&asked, 1});
  }
  void extend() { steps_.encode(length_++, *solver_); }
  // After Sat; empty: the model does not say.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> transitions() {
    std::vector<std::uint32_t> result;
    try {
      for (std::uint64_t k = 0; k < length_; ++k) {
        const std::optional<std::uint32_t> taken =
            steps_.taken(k, [&](Expr term) { return solver_->value(term); });
        if (!taken) return std::nullopt;
        result.push_back(*taken);
      }
    } catch (const smt::NoValue&) {
      return std::nullopt;
    }
    return result;
  }

 private:
  ExprPool& pool_;
  Unroller unroller_;
  StepEncoder steps_;
  std::unique_ptr<smt::Solver> solver_;
  std::uint64_t length_ = 0;
};

class KInduction {
 public:
  KInduction(const TransitionSystem& system, Env& env)
      : system_(system),
        env_(env),
        options_(env.options.get<KInductionOptions>()),
        pool_(*system.pool),
        lemma_(pool_.boolean(true)) {}

  EngineResult run() {
    EngineResult result = decide();
    if (Unknown* unknown = result.unknown()) unknown->clear_to = clear_to_;
    return result;
  }

 private:
  EngineResult decide() {
    if (!*options_.plain) {
      StateConstraints constraints(system_, env_);
      if (!constraints.deduce()) return unknown(env_.stopped().value_or(Reason{}));
      bool excluded = constraints.open_nodes().empty();
      if (!excluded) {
        constraints.guess();
        excluded = constraints.open_nodes().empty();
        if (excluded) constraints.reduce();
      }
      lemma_ = constraints.invariant();
      if (excluded) return proved(lemma_, 1);
    }
    if (!find_bad()) return gave_up("the inputs of the goal cannot be eliminated");
    return induct();
  }

  // The goal as a condition on states alone.
  bool find_bad() {
    bad_ = system_.goal.condition;
    if (system_.goal.inputs.empty()) return true;
    smt::Limits limits = env_.solvers.settings().limits;
    limits.deadline = limits.deadline.earlier(Deadline::after(kEliminationTime));
    const auto found = smt::eliminated(pool_, bad_, system_.goal.inputs, limits);
    if (found) bad_ = *found;
    return found.has_value();
  }

  EngineResult induct() {
    Path base(system_, env_, "base");
    base.require_at_end(system_.init);
    Path step(system_, env_, "step");
    step.require_at_end(lemma_);
    std::uint64_t next_step = 1;
    for (std::uint64_t k = 1; k <= *options_.max_depth; ++k) {
      if (auto stop = env_.stopped()) return unknown(*stop);
      env_.report_depth("kinduction", k);
      if (auto result = ask_base(base)) return *result;
      step.require_at_end(pool_.negate(bad_));
      step.extend();
      step.require_at_end(lemma_);
      if (k == next_step) {
        next_step = k < 4 ? k + 1 : k + k / 4;
        if (step.ask_at_end(bad_).answer == smt::Answer::Unsat) {
          return proved(pool_.conj(lemma_, pool_.negate(bad_)), k);
        }
      }
      base.extend();
    }
    return gave_up(fmt::format("not inductive over {} steps", *options_.max_depth));
  }

  // The goal after as many steps as the base has; empty: not there.
  std::optional<EngineResult> ask_base(Path& base) {
    const std::uint64_t steps = base.length();
    if (system_.bound.max && steps > *system_.bound.max)
      return EngineResult{Unreachable{UpToBound{}}};
    const smt::CheckResult answer = base.ask_at_end(system_.goal.condition);
    switch (answer.answer) {
      case smt::Answer::Sat: {
        if (steps < system_.bound.min) {
          return gave_up(fmt::format("it is reachable in {} steps, which are too few", steps));
        }
        const auto path = base.transitions();
        if (!path) return gave_up("the run that was found cannot be told from the model");
        auto trace = trace_along(system_, *path, env_);
        if (!trace) return gave_up("the run that was found could not be completed with values");
        return EngineResult{Reached{std::move(*trace), true}};
      }
      case smt::Answer::Unsat: {
        clear_to_ = steps;
        if (!base.solver().unsat_core().empty()) return std::nullopt;
        return EngineResult{Unreachable{AllRunsShort{steps > 0 ? steps - 1 : 0}}};
      }
      case smt::Answer::Unknown:
        return unknown(at_depth(answer.reason, steps));
    }
    return std::nullopt;
  }

  static EngineResult proved(Expr invariant, std::uint64_t k) {
    return EngineResult{Unreachable{Inductive{invariant, k}}};
  }

  static EngineResult unknown(Reason reason) { return EngineResult{Unknown{std::move(reason)}}; }
  static EngineResult gave_up(std::string why) {
    return unknown({Reason::Kind::Incomplete, std::move(why)});
  }

  const TransitionSystem& system_;
  Env& env_;
  const KInductionOptions& options_;
  ExprPool& pool_;
  Expr lemma_;
  Expr bad_;
  std::optional<std::uint64_t> clear_to_;
};

void declare(OptionSet& options) { options.add<KInductionOptions>(); }

EngineResult run(const TransitionSystem& system, Env& env) { return KInduction(system, env).run(); }

// An invariant says more than that all states were seen. What holds at each node is found in one
// pass, which costs as much as unrolling one step.
std::optional<PresolveSlot> presolve(const QuestionProfile& question) {
  if (question.bounded) return std::nullopt;
  if (!question.large()) return PresolveSlot{4, 0.8};
  return PresolveSlot{4, 0.4 * static_cast<double>(question.transitions) / kTransitionsPerShare};
}

std::vector<RaceSlot> race(const QuestionProfile& question) {
  if (question.bounded) return {};
  return {RaceSlot{40}};
}

}  // namespace

}  // namespace whittle::engine::kinduction

namespace whittle {

const EngineInfo kKInductionInfo = {
    "kinduction",
    "k-induction, strengthened with what rsc finds.",
    "invariants for any number of steps, and shortest traces; unknown if no k suffices",
    engine::kinduction::declare,
    engine::kinduction::run,
    std::nullopt,
    {.unbounded = true, .traces = true, .shortest = true, .proofs = true},
    {engine::kinduction::presolve, engine::kinduction::race},
};

}  // namespace whittle

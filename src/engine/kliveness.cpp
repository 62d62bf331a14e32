// SPDX-License-Identifier: Apache-2.0
// k-liveness (Claessen, Sörensson: "A Liveness Checking Algorithm That Counts", FMCAD 2012): if the
// acceptance sets are met, in turn, at most k times on every run, then no run meets them infinitely
// often. For k = 0, 1, 2, 4, 8, ... that is a question about reachability: a counter is added, and
// the engine `pdr` is asked whether it can come to k rounds and one set more.
//
// The invariant that pdr finds speaks of the counter; the answer is what it says for each of its
// values, so that it speaks of the system alone.
//
// Answers Unreached or Unknown, never Reached: that some k is exceeded means nothing.
#include "engine/kliveness.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/pdr.h"
#include "expr/traverse.h"

namespace whittle::engine::kliveness {

namespace {

class KLivenessEngine {
 public:
  KLivenessEngine(const TransitionSystem& system, Env& env)
      : system_(system),
        env_(env),
        pool_(*system.pool),
        sets_(*system.acceptance),
        options_(env.options.get<KLivenessOptions>()),
        stage_{"stage", Type::integer(), pool_.declare("stage", Type::integer()),
               pool_.declare("next stage", Type::integer())} {}

  EngineResult run() {
    if (sets_.empty()) return unknown({Reason::Kind::Incomplete, "there is nothing to count"});
    for (std::uint64_t k = 0; k <= *options_.max && !env_.stopped(); k = k == 0 ? 1 : 2 * k) {
      env_.report_depth("kliveness", k);
      const std::uint64_t stages = k * sets_.size() + 1;
      const TransitionSystem counting = counted(stages);
      EngineResult found = run_engine(kPdrInfo, counting, env_);
      if (const auto* proof = found.unreachable_by<Inductive>(); proof != nullptr && proof->k == 1)
        return EngineResult{Unreachable{by_stage(proof->invariant, stages, k)}};
      if (found.reached() == nullptr) break;  // another k will not be easier
    }
    if (auto stop = env_.stopped()) return unknown(*stop);
    return unknown({Reason::Kind::Incomplete, "no bound on the rounds was found"});
  }

 private:
  [[nodiscard]] Expr stage() const { return pool_.symbol(stage_.current); }
  [[nodiscard]] Expr number(std::uint64_t n) const {
    return pool_.integer(Integer(static_cast<long long>(n)));
  }

  // The step meets the set that the stage waits for.
  [[nodiscard]] Expr met(std::uint32_t transition) const {
    std::vector<Expr> cases;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      const auto& in = sets_[i].transitions;
      const bool always = std::binary_search(in.begin(), in.end(), transition);
      const Expr here = always                       ? pool_.boolean(true)
                        : sets_[i].condition.valid() ? sets_[i].condition
                                                     : pool_.boolean(false);
      if (sets_.size() == 1) return here;
      const Expr turn = pool_.eq(pool_.make(Op::Mod, {stage(), number(sets_.size())}), number(i));
      cases.push_back(pool_.conj(turn, here));
    }
    return pool_.disj(cases);
  }

  // With a counter; the goal: it comes to `stages`.
  [[nodiscard]] TransitionSystem counted(std::uint64_t stages) const {
    TransitionSystem result = system_;
    result.acceptance.reset();
    result.alike.clear();
    result.bound = {};
    const auto variable = static_cast<std::uint32_t>(result.variables.size());
    result.variables.push_back(stage_);
    result.init = pool_.conj(system_.init, pool_.eq(stage(), number(0)));
    result.transitions.clear();
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      const Expr condition = met(t);
      for (const bool counts : {true, false}) {
        const Expr asked = counts ? condition : pool_.negate(condition);
        if (pool_.is_false(asked)) continue;
        Transition step = system_.transitions[t];
        step.guard = pool_.conj(step.guard, asked);
        if (counts) step.updates.push_back({variable, pool_.add(stage(), number(1))});
        result.transitions.push_back(std::move(step));
      }
    }
    result.goal = {pool_.ge(stage(), number(stages)), {}};
    return result;
  }

  [[nodiscard]] KLiveness by_stage(Expr invariant, std::uint64_t stages, std::uint64_t k) const {
    KLiveness result;
    result.k = k;
    for (std::uint64_t i = 0; i < stages; ++i) {
      Substitution here(pool_);
      here.set(stage_.current, number(i));
      result.stages.push_back(here(invariant));
    }
    return result;
  }

  static EngineResult unknown(Reason reason) { return EngineResult{Unknown{std::move(reason)}}; }

  const TransitionSystem& system_;
  Env& env_;
  ExprPool& pool_;
  const std::vector<AcceptanceSet>& sets_;
  const KLivenessOptions& options_;
  StateVariable stage_;
};

void declare(OptionSet& options) { options.add<KLivenessOptions>(); }

EngineResult run(const TransitionSystem& system, Env& env) {
  if (!system.acceptance)
    return EngineResult{Unknown{{Reason::Kind::Incomplete, "no question about infinite runs"}}};
  return KLivenessEngine(system, env).run();
}

std::vector<RaceSlot> race(const QuestionProfile&) { return {RaceSlot{12}}; }

}  // namespace

}  // namespace whittle::engine::kliveness

namespace whittle {

const EngineInfo kKLivenessInfo = {
    "kliveness",
    "k-liveness: acceptance happens at most k times, each k asked of pdr.",
    "that no infinite run meets the demands; unknown where no bound is found",
    engine::kliveness::declare,
    engine::kliveness::run,
    smt::SolverId::Z3,
    {.unbounded = true, .live = true, .live_only = true},
    {nullptr, engine::kliveness::race},
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "driver/stuck.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "base/error.h"
#include "driver/continuations.h"
#include "driver/inner_questions.h"
#include "engine/engines.h"
#include "slice/kept.h"
#include "slice/slice.h"
#include "smt/elimination/quantifier_elimination.h"
#include "witness/stuck_check.h"

namespace whittle {

namespace {

class StuckSearch {
 public:
  StuckSearch(const std::shared_ptr<Network>& network, PropertyId property, DecideContext& context)
      : network_(network), property_(property), questions_(*network, property, context) {}

  // `result`: of the question whether an instance can be without a step for a moment.
  void run(PropertyResult& result) {
    decide(result);
    result.verdict.solver_calls += questions_.solvers().counts().checks;
  }

 private:
  void decide(PropertyResult& result) {
    const Property question = network_->property(property_);
    std::size_t ways = 0;
    const std::vector<InstanceId> instances =
        network_->instances_of(question.universe, network_->machine_of(question));
    for (InstanceId instance : instances) {
      if (!never_stuck(instance, ways, result)) return;
    }
    Verdict& verdict = result.verdict;
    clear(result);
    verdict.found = NoTrace{AlwaysGoesOn{ways}};
    verdict.witness = check_;
  }

  // Forgets the answer to the simpler question.
  static void clear(PropertyResult& result) {
    result.replay.reset();
    result.verdict.found = Undecided{};
    result.verdict.witness = {};
  }
  static bool unknown(PropertyResult& result, const Reason& reason) {
    clear(result);
    result.verdict.found = Undecided{reason};
    return false;
  }

  // All instances are judged together: unchecked if one is.
  void note(const WitnessCheck& check) {
    if (!noted_ || (check_.checked && !check.checked)) check_ = check;
    noted_ = true;
  }

  // False: the result is decided otherwise.
  bool never_stuck(InstanceId instance, std::size_t& ways, PropertyResult& result) {
    LowerOptions lowering;
    lowering.eliminate = smt::elimination(network_->pool(), questions_.solvers().settings().limits);
    const Moving moving(*network_, property_, instance, lowering);
    std::vector<Continuation> continuations;
    for (;;) {
      const TransitionSystem waiting = moving.waiting(continuations);
      std::optional<WitnessCheck> check;
      const EngineResult found = questions_.ask(
          waiting,
          [&](const EngineResult& candidate) -> std::optional<std::string> {
            if (candidate.reached() != nullptr)
              return flat_trace_problem(waiting, candidate.reached()->trace);
            if (!has_proof(candidate)) return std::nullopt;
            auto checked = check_never_stuck(*network_, property_,
                                             {instance, continuations, proof_of(candidate)},
                                             questions_.second_solver(candidate));
            if (!checked) return checked.error().reason;
            check = *checked;
            return std::nullopt;
          },
          result.verdict);
      if (found.unknown() != nullptr) return unknown(result, found.unknown()->reason);
      if (found.unreachable() != nullptr) {
        note(has_proof(found) && check ? *check : questions_.confirmed(waiting, found));
        ways += continuations.size();
        return true;
      }
      auto more = goes_on(moving, instance, found.reached()->trace, result);
      if (!more) return false;
      for (Continuation& continuation : *more) continuations.push_back(std::move(continuation));
    }
  }

  // How it goes on from the end of the trace; empty: the result is decided.
  std::optional<std::vector<Continuation>> goes_on(const Moving& moving, InstanceId instance,
                                                   const FlatTrace& there, PropertyResult& result) {
    FlatState state = there.initial;
    FlatRun run(moving.system());
    for (const FlatStep& step : there.steps) {
      if (auto problem = run.advance_all(state, step))
        throw InternalError("a flat trace that is no run: " + *problem);
    }
    const TransitionSystem from = moving.moves_from(state);
    const Trace trace = moving.back().trace(there);
    std::optional<CheckedTrace> stuck;
    const EngineResult found = questions_.ask(
        from,
        [&](const EngineResult& candidate) -> std::optional<std::string> {
          if (candidate.reached() != nullptr)
            return flat_trace_problem(from, candidate.reached()->trace);
          if (!has_proof(candidate)) return std::nullopt;
          auto checked = check_stuck(*network_, property_, {instance, trace, proof_of(candidate)},
                                     questions_.second_solver(candidate));
          if (!checked) return checked.error().reason;
          stuck = std::move(*checked);
          return std::nullopt;
        },
        result.verdict);
    if (found.unknown() != nullptr) {
      unknown(result, found.unknown()->reason);
      return std::nullopt;
    }
    if (found.unreachable() != nullptr) {
      is_stuck(moving, instance, trace, found, std::move(stuck), from, result);
      return std::nullopt;
    }
    auto ways = continuations_like(moving, found.reached()->trace);
    if (!ways) {
      unknown(result, {Reason::Kind::Incomplete, "the way on is too long to be described"});
      return std::nullopt;
    }
    return ways;
  }

  void is_stuck(const Moving& moving, InstanceId instance, const Trace& trace,
                const EngineResult& found, std::optional<CheckedTrace> stuck,
                const TransitionSystem& from, PropertyResult& result) {
    clear(result);
    Verdict& verdict = result.verdict;
    TraceFound there{trace};
    there.stuck = StuckForever{instance};
    if (stuck) {
      verdict.witness = stuck->check;
      result.replay = std::move(stuck->replay);
    } else {
      auto replayed = replay(*network_, trace);
      if (!replayed) throw InternalError("a trace of a lowered system cannot be replayed");
      result.replay = std::move(*replayed);
      verdict.witness = questions_.confirmed(from, found);
      verdict.witness.by.insert(verdict.witness.by.begin(), "replay");
    }
    const auto* proof = found.unreachable_by<Inductive>();
    if (proof != nullptr && proof->k == 1)
      there.stuck->always = moving.back().condition(proof->invariant);
    verdict.found = std::move(there);
  }

  std::shared_ptr<Network> network_;
  PropertyId property_;
  InnerQuestions questions_;
  WitnessCheck check_;
  bool noted_ = false;
};

}  // namespace

namespace {

void give_up(PropertyResult& result, Reason reason) {
  Verdict verdict;
  verdict.asked = result.verdict.asked;
  verdict.found = Undecided{std::move(reason)};
  result.verdict = std::move(verdict);
  result.replay.reset();
}

}  // namespace

bool asks_for_stuck_instances(const Network& network, PropertyId id) {
  const Property& property = network.property(id);
  return std::holds_alternative<SinkholeGoal>(property.goal) &&
         network.universe(property.universe).instances.size() > 1;
}

PropertyResult decide_stuck(const std::string& file, const std::shared_ptr<Network>& network,
                            PropertyId property, DecideContext& context) {
  const Clock::time_point begun = Clock::now();
  const DecideOptions& options = context.options.get<DecideOptions>();
  DecideContext limited = context;
  if (*options.timeout > 0) {
    limited.deadline = context.deadline.earlier(Deadline::after(
        std::chrono::milliseconds(static_cast<std::int64_t>(*options.timeout * 1000))));
  }
  // An instance that always has a step is not stuck; most are decided here, on a slice.
  PropertyResult result = decide(file, network, property, limited);
  if (result.verdict.trace_found() != nullptr) {
    // What the model leaves out might move it.
    const std::string incomplete = network->property(property).incomplete;
    const EngineInfo& engine =
        context.engine != nullptr ? *context.engine : *find_engine(*options.engine);
    result.verdict.engine = engine.id;
    result.verdict.slice = slice::whole_statistics(*network);
    result.verdict.slice.mode = slice::to_string(slice::Granularity::Off);
    try {
      StuckSearch(network, property, limited).run(result);
      if (result.verdict.trace_found() != nullptr && !incomplete.empty())
        give_up(result, {Reason::Kind::Incomplete, incomplete});
    } catch (const ResourceError& error) {
      give_up(result, error.reason());
    } catch (const std::bad_alloc&) {
      give_up(result, {Reason::Kind::Memory});
    }
  }
  result.verdict.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  return result;
}

}  // namespace whittle

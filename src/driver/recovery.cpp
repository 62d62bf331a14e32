// SPDX-License-Identifier: Apache-2.0
#include "driver/recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <set>

#include "base/error.h"
#include "driver/continuations.h"
#include "driver/inner_questions.h"
#include "driver/recovery_measures.h"
#include "engine/concrete/return_states.h"
#include "engine/explicit.h"
#include "engine/pdr.h"
#include "ir/property_kinds.h"
#include "report/shown.h"
#include "slice/kept.h"
#include "slice/slice.h"
#include "smt/elimination/quantifier_elimination.h"
#include "witness/recovery_check.h"

namespace whittle {

namespace {

// Searched before anything else; then, if nothing else helps, without a limit.
constexpr std::uint64_t kFewStates = 200'000;
constexpr double kWaysShare = 0.6;  // of the time, for systems that may be infinite
constexpr std::size_t kRoundsPerMeasure = 8;
constexpr std::size_t kMostWaysPerRun = 12;
constexpr std::size_t kLongestWay = 16;       // steps, where a measure falls before the end
constexpr std::size_t kLongestMeasure = 300;  // bytes; longer ones are left out
constexpr std::chrono::milliseconds kInvariantTime{1'000};

struct Decided {};  // the result is complete
// Or why it is not.
using Outcome = std::variant<Reason, Decided>;

class RecoverySearch {
 public:
  RecoverySearch(const std::shared_ptr<Network>& network, PropertyId property,
                 DecideContext& context, PropertyResult& result)
      : network_(network),
        property_(property),
        context_(context),
        questions_(*network, property, context),
        recovery_(lowered()),
        result_(result) {}

  void run() {
    const Outcome outcome = decide();
    if (const auto* reason = std::get_if<Reason>(&outcome))
      result_.verdict.found = Undecided{*reason};
    result_.verdict.solver_calls += questions_.solvers().counts().checks;
  }

 private:
  Recovery lowered() {
    LowerOptions options;
    options.eliminate = smt::elimination(network_->pool(), questions_.solvers().settings().limits);
    return {*network_, property_, options};
  }

  Outcome decide() {
    const std::string_view engine = questions_.engine().id;
    if (engine == "explicit") return by_states(UINT64_MAX);
    if (engine != "auto") return by_ways(context_.deadline);
    Outcome outcome = by_states(kFewStates);
    if (is_decided(outcome)) return outcome;
    const bool finite = std::get<Reason>(outcome).kind != Reason::Kind::Unsupported;
    outcome = by_ways(finite ? part_of_the_time(kWaysShare) : context_.deadline);
    if (is_decided(outcome) || !finite || context_.deadline.passed()) return outcome;
    const Reason why = std::get<Reason>(outcome);
    outcome = by_states(UINT64_MAX);
    return is_decided(outcome) ? outcome : Outcome{why};
  }
  static bool is_decided(const Outcome& outcome) {
    return std::holds_alternative<Decided>(outcome);
  }
  [[nodiscard]] Deadline part_of_the_time(double share) const {
    const auto left = context_.deadline.remaining();
    if (!left) return context_.deadline;
    const std::chrono::duration<double, std::milli> all = *left;
    return Deadline::after(std::chrono::duration_cast<std::chrono::milliseconds>(all * share));
  }

  // ----- by search

  Outcome by_states(std::uint64_t most) {
    Env env = questions_.env(questions_.solvers());
    const ReturnStates found = states_that_return(recovery_.system(), most, env);
    if (const auto* reason = std::get_if<Reason>(&found)) return *reason;
    result_.verdict.engine = kExplicitInfo.id;
    if (const auto* all = std::get_if<AllReturn>(&found)) {
      auto checked = check_all_return(*network_, property_, all->states,
                                      questions_.second_solver(EngineResult{}));
      if (!checked) throw_rejected(checked.error().reason);
      result_.verdict.found = NoTrace{AllStates{all->states, {}}};
      result_.verdict.witness = *checked;
      return Decided{};
    }
    return lost_after(std::get<FlatTrace>(found), true);
  }

  [[noreturn]] void throw_rejected(const std::string& why) const {
    throw InternalError(fmt::format("the answer to '{}' was rejected: {}",
                                    network_->property(property_).name, why));
  }

  // ----- a state without a way back

  // From the last state of the run nothing good is reached, somebody says.
  Outcome lost_after(const FlatTrace& there, bool shortest) {
    const TransitionSystem from = recovery_.from(last_state(there));
    const Trace trace = recovery_.back().trace(there);
    std::optional<CheckedTrace> checked;
    // People learn more from an invariant than from a number of states.
    if (questions_.engine().id == "auto") {
      const Deadline soon = Deadline::after(kInvariantTime).earlier(context_.deadline);
      const EngineResult found =
          questions_.ask(kPdrInfo, soon, from, judge_of(from, trace, checked), result_.verdict);
      if (found.reached() != nullptr) throw_rejected("there is a way back");
      if (found.unreachable() != nullptr) return no_return(from, trace, found, checked, shortest);
    }
    const EngineResult found =
        questions_.ask(from, judge_of(from, trace, checked), result_.verdict);
    if (found.unknown() != nullptr) return found.unknown()->reason;
    if (found.reached() != nullptr) throw_rejected("there is a way back");
    return no_return(from, trace, found, checked, shortest);
  }

  InnerQuestions::Judge judge_of(const TransitionSystem& from, const Trace& trace,
                                 std::optional<CheckedTrace>& checked) {
    return [this, &from, &trace,
            &checked](const EngineResult& candidate) -> std::optional<std::string> {
      if (candidate.reached() != nullptr)
        return flat_trace_problem(from, candidate.reached()->trace);
      if (!has_proof(candidate)) return std::nullopt;
      auto judged = check_no_return(*network_, property_, {trace, proof_of(candidate)},
                                    questions_.second_solver(candidate));
      if (!judged) return judged.error().reason;
      checked = std::move(*judged);
      return std::nullopt;
    };
  }

  Outcome no_return(const TransitionSystem& from, const Trace& trace, const EngineResult& found,
                    std::optional<CheckedTrace>& checked, bool shortest) {
    Verdict& verdict = result_.verdict;
    TraceFound there{trace, shortest};
    there.stuck = StuckForever{InstanceId(), {}};
    if (checked) {
      verdict.witness = checked->check;
      result_.replay = std::move(checked->replay);
    } else {
      auto replayed = replay(*network_, trace);
      if (!replayed) throw InternalError("a trace of a lowered system cannot be replayed");
      result_.replay = std::move(*replayed);
      verdict.witness = questions_.confirmed(from, found);
      verdict.witness.by.insert(verdict.witness.by.begin(), "replay");
    }
    const auto* proof = found.unreachable_by<Inductive>();
    if (proof != nullptr && proof->k == 1)
      there.stuck->always = recovery_.back().condition(proof->invariant);
    verdict.found = std::move(there);
    return Decided{};
  }

  [[nodiscard]] FlatState last_state(const FlatTrace& trace) const {
    FlatState state = trace.initial;
    FlatRun run(recovery_.system());
    for (const FlatStep& step : trace.steps) {
      if (auto problem = run.advance_all(state, step))
        throw InternalError("a flat trace that is no run: " + *problem);
    }
    return state;
  }

  // ----- by ways

  Outcome by_ways(Deadline deadline) {
    std::vector<Measure> untried = measures_towards(recovery_.system(), recovery_.good());
    std::reverse(untried.begin(), untried.end());
    for (std::size_t round = 1;; ++round) {
      if (round % kRoundsPerMeasure == 0 && !next_measure(untried)) {
        return Reason{Reason::Kind::Incomplete,
                      "ways back get longer and longer, and no measure of them was found"};
      }
      const TransitionSystem lost = recovery_.lost(ways_, measure_);
      std::optional<WitnessCheck> checked;
      const EngineResult found = questions_.ask(
          questions_.engine(), deadline, lost,
          [&](const EngineResult& candidate) -> std::optional<std::string> {
            if (candidate.reached() != nullptr)
              return flat_trace_problem(lost, candidate.reached()->trace);
            if (!has_proof(candidate)) return std::nullopt;
            auto judged =
                check_ways_back(*network_, property_, {ways_, measure_, proof_of(candidate)},
                                questions_.second_solver(candidate));
            if (!judged) return judged.error().reason;
            checked = *judged;
            return std::nullopt;
          },
          result_.verdict);
      if (found.unknown() != nullptr) return found.unknown()->reason;
      if (found.unreachable() != nullptr) return always_returns(lost, found, checked);
      if (const auto outcome = goes_back(found.reached()->trace, deadline)) return *outcome;
    }
  }

  // From the last state of the run. None: there is a way more.
  std::optional<Outcome> goes_back(const FlatTrace& there, Deadline deadline) {
    const TransitionSystem from = recovery_.from(last_state(there));
    const Trace trace = recovery_.back().trace(there);
    std::optional<CheckedTrace> checked;
    const EngineResult found = questions_.ask(questions_.engine(), deadline, from,
                                              judge_of(from, trace, checked), result_.verdict);
    if (found.unknown() != nullptr) return found.unknown()->reason;
    if (found.unreachable() != nullptr) return no_return(from, trace, found, checked, false);
    if (!steps_of(recovery_.system(), found.reached()->trace))
      return Reason{Reason::Kind::Incomplete, "a way back is too long to be described"};
    runs_.push_back(found.reached()->trace);
    add_ways(runs_.back());
    return std::nullopt;
  }

  // From the states of the run on, each as short as it may be.
  void add_ways(const FlatTrace& run) {
    const TransitionSystem& system = recovery_.system();
    const Continuation steps = *steps_of(system, run);
    FlatState state = run.initial;
    FlatRun walk(system);
    const ComesFarEnough leads_on = [&](const Continuation& way) {
      return recovery_.leads_on(way, measure_);
    };
    std::size_t at = 0;
    for (const FlatStep& step : run.steps) {
      for (std::uint64_t time = 0; time < step.times; ++time, ++at) {
        if (at == kMostWaysPerRun) return;
        for (Continuation& way : generalised(system, state, way_from(steps, at, state), leads_on)) {
          if (known_.insert(leads_on(way)).second) ways_.push_back(std::move(way));
        }
        FlatStep once = step;
        once.times = 1;
        if (auto problem = walk.advance(state, once))
          throw InternalError("a flat trace that is no run: " + *problem);
      }
    }
  }

  // Steps from `at` on that lead on from the state.
  [[nodiscard]] Continuation way_from(const Continuation& steps, std::size_t at,
                                      const FlatState& state) const {
    FlatRun run(recovery_.system());
    Continuation all(steps.begin() + static_cast<std::ptrdiff_t>(at), steps.end());
    if (measure_.empty()) return all;
    Continuation way;
    for (const ContinuationStep& step : all) {
      way.push_back(step);
      if (way.size() > kLongestWay) break;
      if (run.holds(recovery_.leads_on(way, measure_), state)) return way;
    }
    return all;
  }

  // One that falls, before it comes to a good state, on the longest run that was seen.
  bool next_measure(std::vector<Measure>& untried) {
    const auto longest =
        std::max_element(runs_.begin(), runs_.end(), [&](const FlatTrace& a, const FlatTrace& b) {
          return steps_of(recovery_.system(), a)->size() < steps_of(recovery_.system(), b)->size();
        });
    while (!untried.empty()) {
      measure_ = std::move(untried.back());
      untried.pop_back();
      const Continuation steps = *steps_of(recovery_.system(), *longest);
      if (way_from(steps, 0, longest->initial).size() >= steps.size()) continue;
      ways_.clear();
      known_.clear();
      for (const FlatTrace& run : runs_) add_ways(run);
      return true;
    }
    return false;
  }

  Outcome always_returns(const TransitionSystem& lost, const EngineResult& found,
                         const std::optional<WitnessCheck>& checked) {
    Verdict& verdict = result_.verdict;
    verdict.found = NoTrace{argument()};
    verdict.witness = checked ? *checked : questions_.confirmed(lost, found);
    return Decided{};
  }

  // In terms of the network; empty: there is no measure, or it cannot be said.
  [[nodiscard]] std::string shown_measure() const {
    ExprPool& pool = network_->pool();
    const ModelShown model(*network_, network_->property(property_).universe);
    std::string result;
    for (const Expr part : measure_) {
      const Expr name = pool.symbol(pool.declare("measure", pool.type(part)));
      const Expr said = recovery_.back().condition(pool.lt(part, name));
      if (!said.valid() || pool.op(said) != Op::Lt || pool.child(said, 1) != name) return {};
      result += (result.empty() ? "" : ", ") + model.condition(pool.child(said, 0));
    }
    if (measure_.size() > 1) result = "(" + result + ")";
    return result.size() > kLongestMeasure ? "" : result;
  }
  [[nodiscard]] LiveProof argument() const {
    LiveProof result{"ways back"};
    result.text = shown_measure();
    result.answer = ways_.size() == 1 ? "one way leads" : fmt::format("{} ways lead", ways_.size());
    result.answer += " back from everywhere";
    if (!measure_.empty())
      result.answer += result.text.empty() ? ", or lower a measure" : ", or lower " + result.text;
    return result;
  }

  const std::shared_ptr<Network>& network_;
  PropertyId property_;
  DecideContext& context_;
  InnerQuestions questions_;
  Recovery recovery_;
  PropertyResult& result_;
  Measure measure_;  // none: ways end in a good state
  std::vector<Continuation> ways_;
  std::set<Expr> known_;         // where the ways lead on
  std::vector<FlatTrace> runs_;  // from bad states to good ones
};

void no_answer(PropertyResult& result, Reason reason) {
  result.verdict.found = Undecided{std::move(reason)};
  result.verdict.witness = {};
  result.replay.reset();
}

// Where the file says that the model leaves something out, a state may have a way back that the
// model has not, and the other way round.
void say_what_is_left_out(const Property& property, PropertyResult& result) {
  if (property.incomplete.empty() || !result.verdict.known()) return;
  no_answer(result, {Reason::Kind::Incomplete, property.incomplete});
}

// No number of steps helps, which is what is advised otherwise.
std::vector<std::string> what_to_try(Reason::Kind reason, const DecideOptions& options) {
  if (reason == Reason::Kind::Timeout)
    return {fmt::format("try a larger limit (--timeout, now {:g} s)", *options.timeout)};
  if (reason == Reason::Kind::Memory) return {"try more memory (--explicit-memory for states)"};
  if (*options.engine != "auto") return {"try another engine (--engine auto)"};
  return {};
}

}  // namespace

bool asks_for_recovery(const Network& network, PropertyId property) {
  return goal_of(network.property(property).kind) == GoalKind::NeverAgain;
}

PropertyResult decide_recovery(const std::string& file, const std::shared_ptr<Network>& network,
                               PropertyId property, DecideContext& context) {
  const Clock::time_point begun = Clock::now();
  const DecideOptions& options = context.options.get<DecideOptions>();
  DecideContext limited = context;
  if (*options.timeout > 0) {
    limited.deadline = context.deadline.earlier(Deadline::after(
        std::chrono::milliseconds(static_cast<std::int64_t>(*options.timeout * 1000))));
  }
  PropertyResult result;
  result.file = file;
  result.network = network;
  result.property = property;
  const Property& question = network->property(property);
  result.verdict.asked = question.kind;
  result.verdict.engine =
      context.engine != nullptr ? context.engine->id : std::string_view(*options.engine);
  result.verdict.slice = slice::whole_statistics(*network);
  result.verdict.slice.mode = slice::to_string(slice::Granularity::Off);
  try {
    if (question.bound.max) {
      result.verdict.found = Undecided{{Reason::Kind::Unsupported,
                                        "whether there is always a way back is no question about "
                                        "runs of some length; leave the bound out"}};
    } else {
      RecoverySearch(network, property, limited, result).run();
      say_what_is_left_out(network->property(property), result);
    }
  } catch (const ResourceError& error) {
    no_answer(result, error.reason());
  } catch (const std::bad_alloc&) {
    no_answer(result, {Reason::Kind::Memory});
  }
  if (const auto* undecided = std::get_if<Undecided>(&result.verdict.found); undecided != nullptr) {
    const Reason reason = undecided->reason;
    result.verdict.found = Undecided{reason, {}, what_to_try(reason.kind, options)};
  }
  result.verdict.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  return result;
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "driver/decide.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "base/error.h"
#include "driver/advice.h"
#include "driver/confirm.h"
#include "driver/judge.h"
#include "driver/prepare.h"
#include "driver/record.h"
#include "driver/stands_alone.h"
#include "engine/engines.h"
#include "ir/notation.h"
#include "ir/property_kinds.h"

namespace whittle {

namespace {

// Of --timeout, what is kept for checking the answer, at most: --check-timeout.
constexpr double kCheckShare = 0.1;
constexpr double kAdviceSeconds = 0.3;
// A bounded answer is confirmed within a time that is in proportion to finding it, unless
// --check-timeout says otherwise.
constexpr double kConfirmSeconds = 2;  // at least
constexpr double kConfirmShare = 4;

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

Deadline limited(double seconds, Deadline outer) {
  if (seconds <= 0) return outer;
  const std::chrono::milliseconds time(static_cast<std::int64_t>(seconds * 1000));
  return Deadline::after(time).earlier(outer);
}

class Decision {
 public:
  Decision(const std::string& file, const std::shared_ptr<Network>& network, PropertyId property,
           DecideContext& context)
      : context_(context),
        options_(context.options.get<DecideOptions>()),
        engine_(context.engine != nullptr ? *context.engine : *find_engine(*options_.engine)),
        network_(network),
        property_(property),
        record_(options_.record.value().empty()
                    ? ""
                    : record_folder(*options_.record, file, network->property(property).name)),
        deadline_(limited(*options_.timeout, context.deadline)),
        engine_deadline_(limited(engine_seconds(), context.deadline)),
        solvers_(settings()) {}

  void run(PropertyResult& result);

 private:
  [[nodiscard]] double engine_seconds() const;
  [[nodiscard]] smt::SolverFactory::Settings settings() const;
  [[nodiscard]] Env env(const smt::SolverFactory& solvers, Deadline deadline);
  // Otherwise: with how much less of the pipeline to try again.
  [[nodiscard]] std::optional<Pipeline> attempt(PropertyResult& result, Pipeline pipeline);
  [[nodiscard]] EngineResult asked(const Prepared& prepared, std::optional<Judgement>& judged);
  [[nodiscard]] Judgement judged(const EngineResult& found, const Prepared& prepared);
  void confirm(const EngineResult& found, const Prepared& prepared, Verdict& verdict);
  [[nodiscard]] Verdict undecided(const EngineResult& found, const Prepared& prepared) const;
  void note_limit(Verdict& verdict, const Reason& reason) const {
    verdict.found =
        Undecided{reason, {}, advice_on_limit(reason.kind, *network_, question(), options_)};
  }
  // The encoding has too little capacity to say that something is impossible.
  [[nodiscard]] bool incomplete(const EngineResult& found) const {
    return found.unreachable() != nullptr && !question().incomplete.empty();
  }
  [[nodiscard]] const Property& question() const { return network_->property(property_); }
  [[nodiscard]] smt::SolverFactory checker(std::optional<smt::SolverId> found_by,
                                           double seconds) const;
  [[nodiscard]] smt::SolverFactory advisor() const;
  [[nodiscard]] PrepareContext prepare_context() {
    return {context_.options, context_.log,   solvers_,
            statistics_,      context_.hints, !engine_.can.live_only};
  }

  DecideContext& context_;
  const DecideOptions& options_;
  const EngineInfo& engine_;
  std::shared_ptr<Network> network_;
  PropertyId property_;
  std::string record_;  // folder; empty: none
  Clock::time_point begun_ = Clock::now();
  Deadline deadline_;         // of the question
  Deadline engine_deadline_;  // somewhat earlier, so that there is time to check
  smt::SolverFactory solvers_;
  Statistics statistics_;
};

double Decision::engine_seconds() const {
  const double all = *options_.timeout;
  const double check = *options_.check_timeout > 0 ? *options_.check_timeout : all;
  return all - std::min(all * kCheckShare, check);
}

smt::SolverFactory::Settings Decision::settings() const {
  smt::SolverFactory::Settings settings;
  settings.id = *options_.solver;
  settings.limits.deadline = engine_deadline_;
  settings.limits.cancel = context_.cancel;
  if (*options_.memory > 0) settings.limits.memory_mb = *options_.memory;
  settings.record = record_;
  return settings;
}

Env Decision::env(const smt::SolverFactory& solvers, Deadline deadline) {
  Env result{context_.options, solvers,      deadline,          context_.cancel,
             statistics_,      context_.log, context_.progress, question().name};
  result.jobs = context_.jobs;
  return result;
}

// A solver that did not find what it checks: any, where none found it.
smt::SolverFactory Decision::checker(std::optional<smt::SolverId> found_by, double seconds) const {
  smt::Limits limits = solvers_.settings().limits;
  limits.deadline = limited(seconds, deadline_);
  return solvers_.with(found_by ? smt::other(*found_by) : *options_.solver).with(limits);
}

// Whoever waits for an answer and gets none waits a moment longer for advice, within the limit.
smt::SolverFactory Decision::advisor() const {
  smt::Limits limits = solvers_.settings().limits;
  limits.deadline = limited(kAdviceSeconds, deadline_);
  return solvers_.with(limits);
}

void Decision::run(PropertyResult& result) {
  Verdict& verdict = result.verdict;
  verdict.asked = question().kind;
  verdict.engine = engine_.id;
  WHITTLE_REQUIRE(goal_of(question().kind) != GoalKind::NeverAgain,
                  "a question for decide_recovery");
  try {
    for (std::optional<Pipeline> use = Pipeline::All; use;) use = attempt(result, *use);
    if (question().kind == PropertyKind::Constraint) {
      verdict.alone =
          stands_alone(*network_, property_, verdict,
                       checker(smt::solver_named(verdict.solver), *options_.check_timeout));
    }
  } catch (const ResourceError& error) {
    note_limit(verdict, error.reason());
  } catch (const std::bad_alloc&) {
    note_limit(verdict, {Reason::Kind::Memory});
  } catch (const std::exception&) {
    throw;
  } catch (...) {
    // Z3 throws exceptions of its own through its C interface where memory runs out.
    note_limit(verdict, {Reason::Kind::Memory, "or another limit of the solver"});
  }
  verdict.solver_calls = solvers_.counts().checks;
  for (const auto& [name, value] : statistics_.values()) {
    verdict.statistics[name] =
        std::visit([](auto figure) { return static_cast<double>(figure); }, value);
  }
}

std::optional<Pipeline> Decision::attempt(PropertyResult& result, Pipeline pipeline) {
  const Prepared prepared(network_, property_, pipeline, prepare_context());
  result.verdict.slice = prepared.slice();
  if (!record_.empty() && context_.sources != nullptr)
    record_slice(record_, prepared.transformed().network(), *context_.sources);
  std::optional<Judgement> of_candidate;
  const EngineResult found = asked(prepared, of_candidate);
  if (found.unknown() != nullptr || incomplete(found)) {
    result.verdict = undecided(found, prepared);
    return std::nullopt;
  }
  Judgement judgement = of_candidate ? std::move(*of_candidate) : judged(found, prepared);
  if (const auto* rejected = std::get_if<Rejected>(&judgement)) {
    throw InternalError(fmt::format("the answer to '{}' by {} was rejected: {}", question().name,
                                    found.engine, rejected->reason));
  }
  if (const auto* not_lifted = std::get_if<NotLifted>(&judgement)) {
    context_.log.info("{}: {}; trying again without", question().name, not_lifted->reason);
    return not_lifted->next;
  }
  if (const auto* not_shown = std::get_if<NotShown>(&judgement)) {
    EngineResult nothing = found;
    nothing.outcome = Unknown{{Reason::Kind::Incomplete, not_shown->reason}, {}};
    result.verdict = undecided(nothing, prepared);
    return std::nullopt;
  }
  auto& accepted = std::get<Accepted>(judgement);
  result.verdict = std::move(accepted.verdict);
  result.replay = std::move(accepted.replay);
  if (result.verdict.witness.missing()) {
    try {
      confirm(found, prepared, result.verdict);
    } catch (const ResourceError& error) {  // what was found stays found
      result.verdict.witness = WitnessCheck::unchecked({"", "", error.reason()});
    }
  }
  return std::nullopt;
}

// Engines that try several ways go on where a candidate is rejected; what they return was judged
// last.
EngineResult Decision::asked(const Prepared& prepared, std::optional<Judgement>& judged_last) {
  Env environment = env(solvers_, engine_deadline_);
  std::optional<Prepared> as_parsed;
  if (traits_of(*network_).one_relation && !question().bound.max) {
    as_parsed.emplace(network_, property_, Pipeline::AsParsed, prepare_context());
    environment.as_parsed = &as_parsed->system();
  }
  environment.accept = [&](const EngineResult& candidate) -> std::optional<std::string> {
    if (incomplete(candidate)) return std::nullopt;
    judged_last = judged(candidate, candidate.as_parsed ? *as_parsed : prepared);
    const auto* rejected = std::get_if<Rejected>(&*judged_last);
    const auto* not_shown = std::get_if<NotShown>(&*judged_last);
    if (rejected == nullptr && not_shown == nullptr) return std::nullopt;
    const std::string reason = rejected != nullptr ? rejected->reason : not_shown->reason;
    judged_last.reset();
    return reason;
  };
  return run_engine(engine_, prepared.system(), environment);
}

Judgement Decision::judged(const EngineResult& found, const Prepared& prepared) {
  return judge(found, prepared, checker(found.solver, *options_.check_timeout), context_.sources);
}

void Decision::confirm(const EngineResult& found, const Prepared& prepared, Verdict& verdict) {
  if (verdict.bound() && *options_.check_bounded == CheckBounded::Off) {
    verdict.witness.by_option = true;
    return;
  }
  double seconds = *options_.check_timeout;
  if (!options_.check_timeout.given() && seconds > 0)
    seconds = std::min(seconds, std::max(kConfirmSeconds, kConfirmShare * seconds_since(begun_)));
  const smt::SolverFactory solvers = checker(found.solver, seconds);
  Env environment = env(solvers, solvers.settings().limits.deadline);
  environment.confirms = true;
  verdict.witness = second_opinion(found, prepared, environment);
}

Verdict Decision::undecided(const EngineResult& found, const Prepared& prepared) const {
  Verdict verdict;
  verdict.asked = question().kind;
  verdict.engine = found.engine;
  verdict.slice = prepared.slice();
  Undecided why{{Reason::Kind::Incomplete, question().incomplete}};
  if (!incomplete(found)) {
    why.reason = found.unknown()->reason;
    why.clear_to = found.unknown()->clear_to;
  }
  why.next = advice(found, prepared, options_, advisor());
  verdict.found = std::move(why);
  return verdict;
}

}  // namespace

PropertyResult decide(const std::string& file, const std::shared_ptr<Network>& network,
                      PropertyId property, DecideContext& context) {
  PropertyResult result;
  result.file = file;
  result.network = network;
  result.property = property;
  const Clock::time_point begun = Clock::now();
  Decision(file, network, property, context).run(result);
  result.verdict.seconds = seconds_since(begun);
  return result;
}

}  // namespace whittle

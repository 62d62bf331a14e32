// SPDX-License-Identifier: Apache-2.0
#include "driver/decide.h"

#include <fmt/format.h>

#include <new>

#include "base/error.h"
#include "driver/constraint_note.h"
#include "driver/hints.h"
#include "driver/pipelines.h"
#include "driver/record.h"
#include "driver/verdict_of.h"
#include "engine/engines.h"
#include "ir/lower.h"
#include "simplify/control_locations.h"
#include "slice/build.h"
#include "smt/simplify.h"
#include "witness/invariant_check.h"
#include "witness/states_check.h"
#include "witness/trace_check.h"

namespace whittle {

namespace {

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

Deadline limited(double seconds, Deadline outer) {
  return seconds > 0 ? Deadline::after(milliseconds(seconds)).earlier(outer) : outer;
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
        solvers_(settings()) {}

  void run(PropertyResult& result);

 private:
  [[nodiscard]] smt::SolverFactory::Settings settings() const;
  [[nodiscard]] Env env(const smt::SolverFactory& solvers);
  // How much of the pipeline to use.
  enum class Use : std::uint8_t { All, ExactOnly, Nothing };
  // Otherwise: with how much less to try again, because the witness does not lift.
  [[nodiscard]] std::optional<Use> attempt(PropertyResult& result, Use use);
  // A question on its way through the pipeline, and what comes out at its end.
  struct Asked {
    const TransformedQuestion& transformed;
    const Lowered& lowered;
    const TransitionSystem& system;  // what the engine was asked
    Use use;
    bool changed;  // by the pipeline
  };
  // Of a witness, on the network as parsed.
  struct Judgement {
    std::optional<std::string> rejected;  // why
    std::optional<Use> again;             // it does not lift, which is nobody's fault
  };
  [[nodiscard]] Judgement judge(const EngineResult& found, const Asked& asked,
                                PropertyResult& result);
  [[nodiscard]] Judgement judge_trace(const EngineResult& found, const Asked& asked,
                                      PropertyResult& result);
  [[nodiscard]] Judgement judge_unreached(const EngineResult& found, const Asked& asked,
                                          PropertyResult& result);
  void confirm(const TransitionSystem& system, PropertyResult& result);
  [[nodiscard]] Verdict undecided(const Verdict& verdict) const;
  [[nodiscard]] const Property& question() const { return network_->property(property_); }
  [[nodiscard]] smt::SolverFactory second_solver() const;

  DecideContext& context_;
  const DecideOptions& options_;
  const EngineInfo& engine_;
  std::shared_ptr<Network> network_;
  PropertyId property_;
  std::string record_;  // folder; empty: none
  Deadline deadline_;
  smt::SolverFactory solvers_;
  Statistics statistics_;
};

smt::SolverFactory::Settings Decision::settings() const {
  smt::SolverFactory::Settings settings;
  settings.id = *options_.solver;
  settings.limits.deadline = deadline_;
  settings.limits.cancel = context_.cancel;
  if (*options_.memory > 0) settings.limits.memory_mb = *options_.memory;
  settings.record = record_;
  return settings;
}

Env Decision::env(const smt::SolverFactory& solvers) {
  Env result{context_.options, solvers,      deadline_,         context_.cancel,
             statistics_,      context_.log, context_.progress, question().name};
  result.jobs = context_.jobs;
  return result;
}

smt::SolverFactory Decision::second_solver() const {
  smt::Limits limits = solvers_.settings().limits;
  limits.deadline = limited(*options_.check_timeout, context_.deadline);
  return solvers_.with(smt::other(*options_.solver)).with(limits);
}

void Decision::run(PropertyResult& result) {
  Verdict& verdict = result.verdict;
  verdict.engine = engine_.id;
  verdict.solver = smt::info(*options_.solver).name;
  try {
    for (std::optional<Use> use = Use::All; use;) use = attempt(result, *use);
    if (question().kind == PropertyKind::Constraint) {
      const std::string note = constraint_note(*network_, property_, verdict, second_solver());
      const bool both = !note.empty() && !verdict.reason.empty();
      verdict.reason = note + (both ? "; " : "") + verdict.reason;
    }
  } catch (const ResourceError& error) {
    verdict.kind = VerdictKind::Unknown;
    verdict.reason = error.what();
  } catch (const std::bad_alloc&) {
    verdict.kind = VerdictKind::Unknown;
    verdict.reason = "memory";
  } catch (const std::exception&) {
    throw;
  } catch (...) {
    // Z3 throws exceptions of its own through its C interface where memory runs out.
    verdict.kind = VerdictKind::Unknown;
    verdict.reason = "memory, or another limit of the solver";
  }
  for (const auto& [name, value] : statistics_.values()) {
    verdict.statistics[name] =
        std::visit([](auto figure) { return static_cast<double>(figure); }, value);
  }
}

std::optional<Decision::Use> Decision::attempt(PropertyResult& result, Use use) {
  Verdict& verdict = result.verdict;
  verdict.slice = slice::whole_statistics(*network_);
  verdict.slice.mode = slice::to_string(slice::Granularity::Off);
  StageContext stages{context_.options,    context_.log, verdict.slice, use != Use::All,
                      use == Use::Nothing, &solvers_,    &statistics_};
  const TransformedQuestion transformed(network_, property_, stages);
  const bool changed = &transformed.network() != network_.get();
  if (!record_.empty() && context_.sources != nullptr)
    record_slice(record_, transformed.network(), *context_.sources);
  LowerOptions lowering;
  lowering.eliminate = smt::elimination(transformed.network().pool(), solvers_.settings().limits);
  Lowered lowered = lower(transformed.network(), transformed.property(), lowering);
  lowered.system.hints =
      hints_for(*network_, question().universe, context_.hints, transformed.network(),
                transformed.network().property(transformed.property()).universe, *lowered.back);
  context_.log.debug("{}: {} flat variables, {} flat transitions", question().name,
                     lowered.system.variables.size(), lowered.system.transitions.size());
  const ControlLocations locations(lowered.system);
  const Asked asked{transformed, lowered, locations.system(), use, changed};
  const auto original = [&](EngineResult of_locations) {
    of_locations.invariant = locations.invariant(of_locations.invariant);
    if (of_locations.trace) of_locations.trace = locations.trace(std::move(*of_locations.trace));
    return of_locations;
  };
  std::optional<Judgement> judged;  // of the result that the engine returns
  Env environment = env(solvers_);
  environment.accept = [&](const EngineResult& candidate) {
    judged = judge(original(candidate), asked, result);
    return judged->rejected;
  };
  const EngineResult found = original(engine_.run(locations.system(), environment));
  verdict.solver_calls += found.solver_calls;
  if (found.outcome == Outcome::Unknown) {
    verdict = undecided(verdict);
    if (!found.engine.empty()) verdict.engine = found.engine;
    verdict.reason = found.reason;
    if (found.clear_to && *found.clear_to >= question().bound.min) {
      verdict.reason +=
          "; " + strongest_known(question().kind, question().bound.min, *found.clear_to);
    }
    return std::nullopt;
  }
  if (!judged || judged->rejected) judged = judge(found, asked, result);
  if (judged->rejected) {
    throw InternalError(fmt::format("the answer to '{}' by {} was rejected: {}", question().name,
                                    verdict.engine, *judged->rejected));
  }
  return judged->again;
}

// What a rejected candidate may have left behind is gone.
Verdict Decision::undecided(const Verdict& verdict) const {
  Verdict result;
  result.engine = engine_.id;
  result.solver = verdict.solver;
  result.slice = verdict.slice;
  result.solver_calls = verdict.solver_calls;
  return result;
}

Decision::Judgement Decision::judge(const EngineResult& found, const Asked& asked,
                                    PropertyResult& result) {
  result.verdict = undecided(result.verdict);
  result.replay.reset();
  if (!found.engine.empty()) result.verdict.engine = found.engine;
  result.verdict.kind = verdict_of(question().kind, found.outcome);
  return found.outcome == Outcome::Reached ? judge_trace(found, asked, result)
                                           : judge_unreached(found, asked, result);
}

Decision::Judgement Decision::judge_trace(const EngineResult& found, const Asked& asked,
                                          PropertyResult& result) {
  auto lifted = asked.transformed.trace(asked.lowered.back->trace(*found.trace));
  if (!lifted) {
    context_.log.info("{}: {}; trying again without", question().name, lifted.error());
    if (asked.use != Use::All) return {"a trace of an exact transformation does not lift", {}};
    return {{}, Use::ExactOnly};
  }
  auto checked = check_trace(*network_, property_, *lifted, second_solver());
  if (!checked) return {checked.error().reason, {}};
  result.verdict.trace = std::move(*lifted);
  result.verdict.witness = checked->check;
  result.replay = std::move(checked->replay);
  return {};
}

Decision::Judgement Decision::judge_unreached(const EngineResult& found, const Asked& asked,
                                              PropertyResult& result) {
  Verdict& verdict = result.verdict;
  if (!question().incomplete.empty()) {
    verdict.kind = VerdictKind::Unknown;
    verdict.reason = question().incomplete;
    return {};
  }
  verdict.induction = found.induction;
  if (found.invariant.valid()) {
    verdict.invariant = asked.transformed.invariant(asked.lowered.back->condition(found.invariant));
    if (!verdict.invariant.valid() && !question().bound.max) {
      context_.log.info(
          "{}: the invariant of the slice cannot be said of the model; trying again without "
          "slicing",
          question().name);
      return {{}, Use::Nothing};
    }
  }
  if (verdict.invariant.valid()) {
    auto checked = check_invariant(*network_, property_, {verdict.invariant, verdict.induction},
                                   second_solver());
    if (checked) {
      verdict.witness = *checked;
      return {};
    }
    verdict.invariant = Expr();
    if (!asked.changed || verdict.induction == 1) return {checked.error().reason, {}};
    // Steps that slicing took away come between the k states.
    context_.log.info("{}: {}; trying again without slicing", question().name,
                      checked.error().reason);
    return {{}, Use::Nothing};
  }
  verdict.bound = question().bound.max;
  if (!verdict.bound && found.longest_run) {
    verdict.reason = fmt::format("no run has more than {} steps", *found.longest_run);
  } else if (!verdict.bound && found.states) {
    verdict.reason = *found.states == 1
                         ? "there is one state"
                         : fmt::format("there are {} states, and all were seen", *found.states);
  } else if (!verdict.bound) {
    verdict.reason = found.reason;
  }
  if (found.states && (*options_.double_check || !verdict.bound)) {
    auto checked = check_states(asked.system, *found.states, second_solver());
    if (!checked) return {checked.error().reason, {}};
    verdict.witness = *checked;
    return {};
  }
  if (*options_.double_check || !verdict.bound) confirm(asked.system, result);
  return {};
}

// The same question to the same engine with the other solver.
void Decision::confirm(const TransitionSystem& system, PropertyResult& result) {
  Env environment = env(second_solver());
  environment.confirms = true;
  const EngineInfo* who = find_engine(result.verdict.engine);
  const EngineResult second = (who != nullptr ? *who : engine_).run(system, environment);
  result.verdict.solver_calls += second.solver_calls;
  const std::string name(smt::info(environment.solvers.settings().id).name);
  switch (second.outcome) {
    case Outcome::Unreached:
      result.verdict.witness = {true, name};
      return;
    case Outcome::Reached:
      throw InternalError(fmt::format("the solvers disagree on '{}'", question().name));
    case Outcome::Unknown:
      result.verdict.witness = {
          false, fmt::format("unchecked by the second solver ({}: {})", name, second.reason)};
      return;
  }
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
  result.verdict.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  return result;
}

}  // namespace whittle

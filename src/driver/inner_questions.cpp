// SPDX-License-Identifier: Apache-2.0
#include "driver/inner_questions.h"

#include <fmt/format.h>

#include "base/error.h"
#include "driver/decide_options.h"
#include "engine/engines.h"

namespace whittle {

bool has_proof(const EngineResult& found) {
  return found.unreachable_by<Inductive>() != nullptr ||
         found.unreachable_by<AllStates>() != nullptr;
}

FlatProof proof_of(const EngineResult& found) {
  if (const auto* proof = found.unreachable_by<Inductive>())
    return {proof->invariant, proof->k, std::nullopt, {}};
  const auto& states = *found.unreachable_by<AllStates>();
  return {Expr(), 1, states.count, states.reduction};
}

InnerQuestions::InnerQuestions(const Network& network, PropertyId property, DecideContext& context)
    : network_(network),
      property_(property),
      context_(context),
      engine_(context.engine != nullptr
                  ? *context.engine
                  : *find_engine(*context.options.get<DecideOptions>().engine)),
      solvers_(settings()) {}

smt::SolverFactory::Settings InnerQuestions::settings() const {
  const DecideOptions& options = context_.options.get<DecideOptions>();
  smt::SolverFactory::Settings result;
  result.id = *options.solver;
  result.limits.deadline = context_.deadline;
  result.limits.cancel = context_.cancel;
  if (*options.memory > 0) result.limits.memory_mb = *options.memory;
  return result;
}

smt::SolverFactory InnerQuestions::second_solver(const EngineResult& found) const {
  const DecideOptions& options = context_.options.get<DecideOptions>();
  smt::Limits limits = solvers_.settings().limits;
  if (*options.check_timeout > 0) {
    const auto time =
        std::chrono::milliseconds(static_cast<std::int64_t>(*options.check_timeout * 1000));
    limits.deadline = Deadline::after(time);
  }
  return solvers_.with(found.solver ? smt::other(*found.solver) : *options.solver).with(limits);
}

Env InnerQuestions::env(const smt::SolverFactory& solvers) {
  Env result{context_.options,  solvers,     solvers.settings().limits.deadline,
             context_.cancel,   statistics_, context_.log,
             context_.progress, name()};
  result.jobs = context_.jobs;
  return result;
}

EngineResult InnerQuestions::ask(const TransitionSystem& system, const Judge& judge,
                                 Verdict& verdict) {
  return ask(engine_, context_.deadline, system, judge, verdict);
}

EngineResult InnerQuestions::ask(const EngineInfo& engine, Deadline deadline,
                                 const TransitionSystem& system, const Judge& judge,
                                 Verdict& verdict) {
  smt::Limits limits = solvers_.settings().limits;
  limits.deadline = deadline.earlier(limits.deadline);
  Env environment = env(solvers_.with(limits));
  bool accepted = false;
  environment.accept = [&](const EngineResult& candidate) {
    auto rejected = judge(candidate);
    accepted = !rejected;
    return rejected;
  };
  EngineResult found = run_engine(engine, system, environment);
  if (found.unknown() != nullptr) return found;
  verdict.engine = found.engine;
  verdict.solver = found.solver ? smt::info(*found.solver).name : "";
  if (accepted) return found;
  if (auto rejected = judge(found)) {
    throw InternalError(
        fmt::format("the answer to '{}' by {} was rejected: {}", name(), found.engine, *rejected));
  }
  return found;
}

WitnessCheck InnerQuestions::confirmed(const TransitionSystem& system, const EngineResult& found) {
  Env environment = env(second_solver(found));
  environment.confirms = true;
  const EngineInfo* who = find_engine(found.engine);
  const EngineResult second = run_engine(who != nullptr ? *who : engine_, system, environment);
  const std::string by(smt::info(environment.solvers.settings().id).name);
  if (second.reached() != nullptr)
    throw InternalError(fmt::format("the solvers disagree on '{}'", name()));
  if (second.unreachable() != nullptr) return WitnessCheck::by_whom(by);
  return WitnessCheck::unchecked({by, "", second.unknown()->reason});
}

}  // namespace whittle

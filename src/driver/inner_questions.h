// SPDX-License-Identifier: Apache-2.0
// Questions about reachability that come up on the way to another answer. Each goes to the engine
// that would decide any other question, and its witness is checked in the same way.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "driver/decide.h"
#include "engine/engine.h"
#include "witness/stuck_check.h"

namespace whittle {

class InnerQuestions {
 public:
  // `property`: whose answer is looked for.
  InnerQuestions(const Network& network, PropertyId property, DecideContext& context);

  // Why a witness is wrong; empty: it is right.
  using Judge = std::function<std::optional<std::string>(const EngineResult&)>;
  // A rejected witness is an InternalError. `verdict` learns who answered.
  [[nodiscard]] EngineResult ask(const TransitionSystem& system, const Judge& judge,
                                 Verdict& verdict);
  // The same of another engine.
  [[nodiscard]] EngineResult ask(const EngineInfo& engine, Deadline deadline,
                                 const TransitionSystem& system, const Judge& judge,
                                 Verdict& verdict);
  // Where there is neither an invariant nor a number of states, the other solver has to find the
  // same.
  [[nodiscard]] WitnessCheck confirmed(const TransitionSystem& system, const EngineResult& found);
  // A solver that did not find what it checks: any, where none found it.
  [[nodiscard]] smt::SolverFactory second_solver(const EngineResult& found) const;

  [[nodiscard]] const EngineInfo& engine() const { return engine_; }
  [[nodiscard]] const smt::SolverFactory& solvers() const { return solvers_; }
  [[nodiscard]] Env env(const smt::SolverFactory& solvers);

 private:
  [[nodiscard]] smt::SolverFactory::Settings settings() const;
  [[nodiscard]] const std::string& name() const { return network_.property(property_).name; }

  const Network& network_;
  PropertyId property_;
  DecideContext& context_;
  const EngineInfo& engine_;
  smt::SolverFactory solvers_;
  Statistics statistics_;
};

// Does the answer say why the goal is not reached, so that it can be checked?
[[nodiscard]] bool has_proof(const EngineResult& found);
// requires: has_proof
[[nodiscard]] FlatProof proof_of(const EngineResult& found);

}  // namespace whittle

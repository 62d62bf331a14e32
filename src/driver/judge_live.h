// SPDX-License-Identifier: Apache-2.0
// Answers to properties of temporal logic, judged on the network (a part of judge.cpp). A run is
// followed, and the formula is evaluated on its word. That there is none is shown in parts: the
// automaton accepts every word of the formula, and its product with the system, which is made
// again, has no accepting run.
#pragma once

#include "driver/judgement.h"
#include "engine/engine.h"
#include "smt/solvers.h"
#include "witness/trace_check.h"

namespace whittle {

// The verdict is without its slice, engine and solver.
[[nodiscard]] Judgement judge_run(const EngineResult& found, const Prepared& prepared,
                                  const smt::SolverFactory& checker);
[[nodiscard]] Judgement judge_no_run(const EngineResult& found, const Prepared& prepared,
                                     const smt::SolverFactory& checker);

[[nodiscard]] LiveFacts live_facts(const Prepared& prepared);

}  // namespace whittle

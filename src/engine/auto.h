// SPDX-License-Identifier: Apache-2.0
// The schedules that the engine `auto` makes of the list of engines.
#pragma once

#include <vector>

#include "engine/engine.h"
#include "engine/portfolio/race.h"

namespace whittle {

// An engine that works alone for this share of --auto-presolve.
struct Presolver {
  const EngineInfo* engine = nullptr;
  double share = 0;
};

// In order.
[[nodiscard]] std::vector<Presolver> presolve_schedule(const QuestionProfile& question);
[[nodiscard]] std::vector<Racer> race_schedule(const QuestionProfile& question,
                                               smt::SolverId solver);

extern const EngineInfo kAutoInfo;

}  // namespace whittle

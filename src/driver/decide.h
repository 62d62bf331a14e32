// SPDX-License-Identifier: Apache-2.0
// One question about one model, from the network as parsed to a verdict whose witness was checked
// on that network: prepare (prepare.h), run an engine, lift and check (judge.h), ask for a second
// opinion where there is no witness to check (confirm.h).
#pragma once

#include <string>

#include "base/deadline.h"
#include "base/log.h"
#include "base/option_set.h"
#include "base/progress.h"
#include "base/source.h"
#include "base/watchdog.h"
#include "driver/decide_options.h"
#include "engine/engine.h"
#include "engine/portfolio/jobs.h"
#include "ir/property_result.h"

namespace whittle {

struct DecideContext {
  const OptionSet& options;  // DecideOptions and those of engines and stages
  Deadline deadline;         // of the whole run
  CancelToken cancel;
  Logger& log;
  ProgressListener& progress;
  Jobs* jobs = nullptr;                // shared by all questions of a run; null: this one only
  const EngineInfo* engine = nullptr;  // instead of the one that the options name
  const Sources* sources = nullptr;    // for records and the text of traces; null: none
  std::vector<Expr> hints = {};        // what is believed about the model besides its constraints
  Watchdog* watchdog = nullptr;        // who sees to it that limits hold; null: nobody
  Deadline first_deadline = Deadline::never();  // of the first question: loading counts
};

// Limits end in Unknown; a rejected witness is an InternalError.
[[nodiscard]] PropertyResult decide(const std::string& file,
                                    const std::shared_ptr<Network>& network, PropertyId property,
                                    DecideContext& context);

}  // namespace whittle

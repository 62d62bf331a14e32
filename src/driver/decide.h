// SPDX-License-Identifier: Apache-2.0
// One question about one model, from the network as parsed to a verdict whose witness was checked
// on that network: transform, lower, run an engine, translate back, check.
#pragma once

#include <string>

#include "base/deadline.h"
#include "base/log.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/source.h"
#include "engine/engine.h"
#include "engine/jobs.h"
#include "report/report.h"
#include "smt/solvers.h"

namespace whittle {

struct DecideOptions : OptionGroup {
  DecideOptions() : OptionGroup("Deciding") {}
  Option<std::string> engine{*this, "engine", "auto", "ID",
                             "who decides ('whittle engines' lists them)"};
  Option<smt::SolverId> solver{*this,
                               "solver",
                               smt::SolverId::Z3,
                               {{"z3", smt::SolverId::Z3}, {"cvc5", smt::SolverId::Cvc5}},
                               "which solver the engine uses; the other one checks"};
  Option<std::string> bound{*this, "bound", "", "N",
                            "ask only about runs of at most N steps, whatever the model says"};
  Option<double> timeout{*this, "timeout", 60, {0, 1e9}, "time per property; 0: no limit"};
  Option<double> check_timeout{*this,
                               "check-timeout",
                               10,
                               {0, 1e9},
                               "time for the second solver to check an invariant; 0: no limit"};
  Option<unsigned> memory{
      *this, "memory", 0, {0, 1U << 30U}, "memory limit in megabytes; 0: no limit"};
  Option<bool> double_check{*this, "double-check",
                            "let the other solver confirm bounded answers, too"};
  Option<std::string> record{*this, "record", "", "FOLDER",
                             "keep the command, versions, log, slices and every solver query here"};
};

struct DecideContext {
  const OptionSet& options;  // DecideOptions and those of engines and stages
  Deadline deadline;         // of the whole run
  CancelToken cancel;
  Logger& log;
  ProgressListener& progress;
  Jobs* jobs = nullptr;                // shared by all questions of a run; null: this one only
  const EngineInfo* engine = nullptr;  // instead of the one that the options name
  const Sources* sources = nullptr;    // to print slices for records; null: they are left out
  std::vector<Expr> hints = {};        // what is believed about the model besides its constraints
};

// Limits end in Unknown; a rejected witness is an InternalError.
[[nodiscard]] PropertyResult decide(const std::string& file,
                                    const std::shared_ptr<Network>& network, PropertyId property,
                                    DecideContext& context);

}  // namespace whittle

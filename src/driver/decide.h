// SPDX-License-Identifier: Apache-2.0
// One question about one model, from the network as parsed to a verdict whose witness was checked
// on that network: prepare (prepare.h), run an engine, lift and check (judge.h), ask for a second
// opinion where there is no witness to check (confirm.h).
#pragma once

#include <string>

#include "base/deadline.h"
#include "base/log.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/source.h"
#include "base/watchdog.h"
#include "engine/engine.h"
#include "engine/portfolio/jobs.h"
#include "ir/property_result.h"
#include "smt/solvers.h"

namespace whittle {

enum class CheckBounded : std::uint8_t { On, Off };

struct DecideOptions : OptionGroup {
  DecideOptions() : OptionGroup("Deciding") {}
  Option<std::string> engine{*this, "engine", "auto", "ID",
                             "engine to use ('whittle engines' lists them)"};
  Option<smt::SolverId> solver{*this,
                               "solver",
                               smt::SolverId::Z3,
                               {{"z3", smt::SolverId::Z3}, {"cvc5", smt::SolverId::Cvc5}},
                               "which solver engines use first; one that did not find an answer "
                               "checks it"};
  Option<std::string> bound{*this, "bound", "", "N",
                            "ask only about runs of at most N steps, whatever the model says"};
  Option<double> timeout{*this, "timeout", 60, {0, 1e9}, "seconds per property; 0: no limit"};
  Option<double> check_timeout{*this,
                               "check-timeout",
                               10,
                               {0, 1e9},
                               "seconds to check an answer, within --timeout; 0: as many as "
                               "that leaves"};
  Option<unsigned> memory{
      *this, "memory", 0, {0, 1U << 30U}, "memory limit in megabytes; 0: no limit"};
  Option<CheckBounded> check_bounded{*this,
                                     "check-bounded",
                                     CheckBounded::On,
                                     {{"on", CheckBounded::On}, {"off", CheckBounded::Off}},
                                     "whether another solver confirms answers up to a bound, too"};
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

// SPDX-License-Identifier: Apache-2.0
// How questions are decided: the engine, the solver, limits, second opinions.
#pragma once

#include <string>

#include "base/options.h"
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

}  // namespace whittle

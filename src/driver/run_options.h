// SPDX-License-Identifier: Apache-2.0
// What the command line says about the runs that properties of temporal logic are about.
#pragma once

#include <cstdint>

#include "base/options.h"
#include "ir/network.h"

namespace whittle {

enum class RunsAsked : std::uint8_t { All, Terminating };
enum class FairnessAsked : std::uint8_t { AsDeclared, Weak, Strong };

struct RunsGroup : OptionGroup {
  RunsGroup() : OptionGroup("Runs") {}
  Option<RunsAsked> runs{*this,
                         "runs",
                         RunsAsked::All,
                         {{"all", RunsAsked::All}, {"terminating", RunsAsked::Terminating}},
                         "which runs the properties of temporal logic are about"};
  Option<FairnessAsked> fairness{*this,
                                 "fairness",
                                 FairnessAsked::AsDeclared,
                                 {{"declared", FairnessAsked::AsDeclared},
                                  {"weak", FairnessAsked::Weak},
                                  {"strong", FairnessAsked::Strong}},
                                 "makes every process, or every transition, fair for which the "
                                 "model declares nothing"};
};

// Says it in the network, where a property is about runs.
void apply(const RunsGroup& options, Network& network);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// `whittle tests`: runs of a model that cover what can be covered, as few as a greedy choice
// leaves, and a proof for each part that no run gets to.
//
// For each goal that no test covers yet the engines are asked for a run to it. The run is taken on
// to its end and followed by the interpreter on the network as parsed, which notes all goals that
// it covers; nothing else counts as coverage.
#pragma once

#include <string>

#include "driver/decide.h"
#include "driver/load.h"
#include "driver/tests/goals.h"
#include "report/test_suite.h"

namespace whittle {

struct SuiteOptions {
  tests::Cover cover = tests::Cover::Branches;
  unsigned turns = 1;      // Paths: of each loop, at most
  bool borders = false;    // also tests on and beside the borders of conditions
  std::string words = {};  // what was asked for
};

// `universe`: invalid: the model's first one. Limits end in goals that are not known.
[[nodiscard]] TestSuite test_suite(const Model& model, UniverseId universe,
                                   const SuiteOptions& options, DecideContext& context);

}  // namespace whittle

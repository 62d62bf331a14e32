// SPDX-License-Identifier: Apache-2.0
// A counterexample as `check --json` writes it, or a walk as `simulate --json` does, read for the
// simulator.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/expected.h"

namespace whittle {

struct TraceFile {
  using Values = std::map<std::string, std::string>;  // in the words of reports
  struct Step {
    std::string instance, event;
    Values arguments, changes;
    std::uint64_t times = 1;
  };
  std::string property;
  Values initial;
  std::vector<Step> steps;
};

// The first trace in the text, or the one of the property of this name; an error says what is
// wrong with the text.
[[nodiscard]] Expected<TraceFile, std::string> read_trace_file(const std::string& text,
                                                               const std::string& property);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// The options of `bench`, which two programs have: whittle-bench, which measures, and whittle,
// which says where that is.
#pragma once

#include <string>
#include <vector>

#include "base/options.h"

namespace whittle::bench {

struct BenchGroup : OptionGroup {
  BenchGroup() : OptionGroup("Benchmarks") {}
  Option<unsigned> repetitions{*this, "repetitions", 3, {1, 1000}, "measurements of each cell"};
  Option<double> timeout{*this, "timeout", 20, {0.001, 1e9}, "time for one measurement"};
  Option<std::vector<std::string>> only{*this, "only", "ALTERNATIVE",
                                        "measure only these alternatives"};
  Option<unsigned> largest{*this,
                           "largest",
                           0,
                           {0, 1U << 30U},
                           "leave out sizes above this one; 0: all that the benchmark has"};
};

struct BenchOutput : OptionGroup {
  BenchOutput() : OptionGroup("Output") {}
  Option<bool> json{*this, "json", "every measurement as one JSON document, instead of the table"};
};

inline constexpr std::string_view kBenchSummary =
    "measure a family of models, alternatives side by side";
inline constexpr std::string_view kBenchHelp =
    "Runs a benchmark: a family of generated models of growing size, each decided in several "
    "ways.\n"
    "Repetitions are interleaved, and medians are shown. Without a name: the list of benchmarks.\n"
    "Benchmarks are a program of their own, whittle-bench; `./whittle bench` builds it when it is\n"
    "needed.\n"
    "\n"
    "  ./whittle bench deep-search --largest 50\n"
    "  ./whittle bench expr --repetitions 5 --json\n";

}  // namespace whittle::bench

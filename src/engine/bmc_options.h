// SPDX-License-Identifier: Apache-2.0
// Options of bounded model checking, for the engine and for what chooses its reductions.
#pragma once

#include <cstdint>

#include "base/options.h"

namespace whittle {

enum class BmcEncoding : std::uint8_t { Deltas, Updates, Disjuncts, Monolithic };
enum class BmcRanges : std::uint8_t { On, Off };
enum class BmcNumbers : std::uint8_t { Auto, Integers, Bits };
enum class BmcProjection : std::uint8_t { Off, Dependency, Liveness };
enum class BmcBackward : std::uint8_t { On, Off };
enum class BmcPor : std::uint8_t { On, Off };
enum class BmcSymmetry : std::uint8_t { On, Off };

struct BmcOptions : OptionGroup {
  BmcOptions() : OptionGroup("Bounded model checking (bmc)") {}
  Option<std::uint64_t> max_depth{*this,
                                  "bmc-max-depth",
                                  100,
                                  {0, 1'000'000'000},
                                  "depth at which a question without a bound is given up"};
  Option<BmcEncoding> encoding{*this,
                               "bmc-encoding",
                               BmcEncoding::Deltas,
                               {{"deltas", BmcEncoding::Deltas},
                                {"updates", BmcEncoding::Updates},
                                {"disjuncts", BmcEncoding::Disjuncts},
                                {"monolithic", BmcEncoding::Monolithic}},
                               "how a step becomes a formula; monolithic: all steps in one formula "
                               "and one solver call, the trace need not be a shortest one"};
  Option<BmcRanges> ranges{*this,
                           "bmc-ranges",
                           BmcRanges::On,
                           {{"on", BmcRanges::On}, {"off", BmcRanges::Off}},
                           "bound the values at each depth first, to leave out what is impossible"};
  Option<BmcNumbers> numbers{
      *this,
      "bmc-numbers",
      BmcNumbers::Auto,
      {{"auto", BmcNumbers::Auto}, {"integers", BmcNumbers::Integers}, {"bits", BmcNumbers::Bits}},
      "integer encoding; bits: bit-blast integers whose ranges are known; auto: bits in concurrent "
      "models (two or more processes)"};
  Option<BmcProjection> projection{
      *this,
      "bmc-projection",
      BmcProjection::Liveness,
      {{"off", BmcProjection::Off},
       {"dependency", BmcProjection::Dependency},
       {"liveness", BmcProjection::Liveness}},
      "only projected runs, on which every step contributes to the goal; dependency: by comparing "
      "all pairs of steps, to measure against"};
  Option<BmcBackward> backward{*this,
                               "bmc-backward",
                               BmcBackward::On,
                               {{"on", BmcBackward::On}, {"off", BmcBackward::Off}},
                               "in concurrent models (two or more processes), backward "
                               "reachability by projected steps before "
                               "unrolling; with --bmc-projection=liveness"};
  Option<BmcPor> por{*this,
                     "bmc-por",
                     BmcPor::On,
                     {{"on", BmcPor::On}, {"off", BmcPor::Off}},
                     "partial-order reduction: of neighbouring independent steps, one order "
                     "only"};
  Option<BmcSymmetry> symmetry{*this,
                               "bmc-symmetry",
                               BmcSymmetry::On,
                               {{"on", BmcSymmetry::On}, {"off", BmcSymmetry::Off}},
                               "symmetry reduction: symmetric instances take their first steps in "
                               "one order only; in place of --bmc-por"};
};

}  // namespace whittle

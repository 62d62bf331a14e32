// SPDX-License-Identifier: Apache-2.0
// Deep search (Eilers 2018, section 6.1.1): one entity with n numbers that are set to m by the
// first event and lowered one at a time; is a state reachable in which the first is negative? It
// takes m + 2 steps. How much slower do the other numbers make it?
#include <fmt/format.h>

#include "bench/deciding.h"
#include "bench/models/rebel.h"
#include "driver/slice_stage.h"
#include "engine/bmc.h"

namespace whittle::bench {

namespace {

void configure(OptionSet& options, BmcEncoding encoding, smt::SolverId solver,
               slice::Granularity granularity) {
  options.add<BmcOptions>().encoding.set(encoding);
  options.add<DecideOptions>().solver.set(solver);
  options.add<SlicingOptions>().granularity.set(granularity);
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (unsigned count : {1U, 2U, 4U, 8U}) {
    for (unsigned depth :
         {10U, 15U, 20U, 25U, 50U, 100U, 200U, 500U, 1'000U, 2'000U, 5'000U, 10'000U}) {
      using enum slice::Granularity;
      Case one{fmt::format("n={} depth={}", count, depth), depth, 1, {}};
      auto network = [count, depth] { return loaded(rebel::deep_search(count, depth - 2)); };
      auto add = [&](const std::string& name, BmcEncoding encoding, smt::SolverId solver,
                     slice::Granularity granularity) {
        one.alternatives.push_back(deciding(name, network, [=](OptionSet& options) {
          configure(options, encoding, solver, granularity);
        }));
      };
      // What `check` does when runs are long: summary steps on the slice.
      one.alternatives.push_back(deciding("accelerated", network, [](OptionSet& options) {
        configure(options, BmcEncoding::Deltas, smt::SolverId::Z3, Fine);
        options.add<DecideOptions>().engine.set("accelerate");
      }));
      add("fine", BmcEncoding::Deltas, smt::SolverId::Z3, Fine);
      add("amorphous", BmcEncoding::Deltas, smt::SolverId::Z3, Amorphous);
      add("coi", BmcEncoding::Deltas, smt::SolverId::Z3, Coi);
      add("coarse", BmcEncoding::Deltas, smt::SolverId::Z3, Coarse);
      add("machine", BmcEncoding::Deltas, smt::SolverId::Z3, Machine);
      add("off", BmcEncoding::Deltas, smt::SolverId::Z3, Off);
      add("cvc5", BmcEncoding::Deltas, smt::SolverId::Cvc5, Off);
      add("monolithic z3", BmcEncoding::Monolithic, smt::SolverId::Z3, Off);
      add("monolithic cvc5", BmcEncoding::Monolithic, smt::SolverId::Cvc5, Off);
      result.push_back(std::move(one));
    }
  }
  return result;
}

}  // namespace

extern const Benchmark kDeepSearch;
const Benchmark kDeepSearch = {
    "deep-search", "n numbers counted down, with every granularity, incremental and monolithic", "",
    cases};

}  // namespace whittle::bench

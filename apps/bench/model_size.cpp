// SPDX-License-Identifier: Apache-2.0
// Model size (Eilers 2018, section 6.1.2): the bank account of the seed with more and more copies
// of its fields, events and states; can the balance of the original become negative? Only that part
// matters, and the question is how much the rest costs.
#include <fmt/format.h>

#include "bench/deciding.h"
#include "bench/models/rebel.h"
#include "driver/slice_stage.h"
#include "engine/bmc.h"

namespace whittle::bench {

namespace {

constexpr std::uint32_t kLargestUnsliced = 1024;  // factors
constexpr std::uint32_t kLargestMonolithic = 64;

std::vector<Case> cases() {
  std::vector<Case> result;
  for (std::uint32_t factor = 1; factor <= 65'536; factor *= factor < 64 ? 2 : 4) {
    using enum slice::Granularity;
    Case one{fmt::format("factor {}", factor), factor, static_cast<double>(factor), {}};
    auto files = [factor] { return rebel::model_size(factor - 1); };
    auto network = [files] { return loaded(files()); };
    one.alternatives.push_back({"load", [files](Deadline) {
                                  const std::vector<PrintedFile> texts = files();
                                  return timed([&] { (void)loaded(texts); });
                                }});
    auto add = [&](const std::string& name, std::uint32_t largest, BmcEncoding encoding,
                   smt::SolverId solver, slice::Granularity granularity) {
      if (factor > largest) {
        one.alternatives.push_back({name, [](Deadline) { return Measurement{}; }});
        return;
      }
      one.alternatives.push_back(deciding(name, network, [=](OptionSet& options) {
        options.add<BmcOptions>().encoding.set(encoding);
        options.add<DecideOptions>().solver.set(solver);
        options.add<SlicingOptions>().granularity.set(granularity);
      }));
    };
    one.alternatives.push_back({"slice", [network](Deadline) {
                                  const std::shared_ptr<Network> model = network();
                                  return timed(
                                      [&] { (void)slice::slice(model, PropertyId(0), {Fine}); });
                                }});
    add("fine", UINT32_MAX, BmcEncoding::Deltas, smt::SolverId::Z3, Fine);
    add("amorphous", UINT32_MAX, BmcEncoding::Deltas, smt::SolverId::Z3, Amorphous);
    add("coi", UINT32_MAX, BmcEncoding::Deltas, smt::SolverId::Z3, Coi);
    add("coarse", UINT32_MAX, BmcEncoding::Deltas, smt::SolverId::Z3, Coarse);
    add("machine", kLargestUnsliced, BmcEncoding::Deltas, smt::SolverId::Z3, Machine);
    add("off", kLargestUnsliced, BmcEncoding::Deltas, smt::SolverId::Z3, Off);
    add("cvc5", kLargestUnsliced, BmcEncoding::Deltas, smt::SolverId::Cvc5, Off);
    add("monolithic z3", kLargestMonolithic, BmcEncoding::Monolithic, smt::SolverId::Z3, Off);
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace

extern const Benchmark kModelSize;
const Benchmark kModelSize = {"model-size",
                              "an account with copies of everything: loading, slicing and checking",
                              "copy", cases};

}  // namespace whittle::bench

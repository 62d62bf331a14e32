// SPDX-License-Identifier: Apache-2.0
// Calls of the solver by the configurations of `lazy` (seed 004, table 2; its programs are lost,
// these are made after its description): every error of each program, one after the other, without
// slicing of the program and step by step. All configurations ask through the same folding and the
// same memory; a chain of interpolants counts as one call, beside those that prove it. The
// predicate abstractions are plain: two questions per predicate and edge.
#include <fmt/format.h>

#include <array>

#include "bench/bench.h"
#include "bench/deciding.h"
#include "bench/slice_programs.h"
#include "driver/refine_stage.h"
#include "driver/slice_stage.h"
#include "engine/blocks_options.h"
#include "engine/lazy.h"

namespace whittle::bench {

namespace {

struct Configuration {
  const char* name;
  LazyConfig config;
  LazyPost post = LazyPost::Cartesian;
};

constexpr std::array kConfigurations = {
    Configuration{"slicing", LazyConfig::Slicing},
    Configuration{"abstraction", LazyConfig::Abstraction},
    Configuration{"minimum", LazyConfig::Minimum},
    Configuration{"craig", LazyConfig::Craig},
    Configuration{"craig, chains only", LazyConfig::Craig, LazyPost::None},
};

// What the paper says of Blade, BLAST and Craig: calls, and calls weighted by predicates.
std::string published(const std::string& program) {
  if (program == "exp1") return "paper 3 : 23 : 23 calls, weighted 3 : 51 : 51";
  if (program == "exp2") return "paper 160 : 206 : 199 calls, weighted 594 : 1701 : 998";
  if (program == "exp3") return "paper 2 : 46 : 50 calls, weighted 3 : 90 : 102";
  if (program == "exp4") return "paper 2 : 123 : 123 calls, weighted 4 : 1092 : 992";
  if (program == "tut") return "paper 7 : 23 : 23 calls, weighted 17 : 55 : 55";
  return "";
}

Measurement decided(const SliceProgram& program, const Configuration& configuration,
                    Deadline deadline) {
  OptionSet options;
  options.add<DecideOptions>().engine.set("lazy");
  options.add<SlicingOptions>().granularity.set(slice::Granularity::Off);
  options.add<BlocksOptions>().blocks.set(simplify::Blocks::Single);
  auto& lazy = options.add<LazyOptions>();
  lazy.config.set(configuration.config);
  lazy.post.set(configuration.post);
  options.add<RefineOptions>().refine.set("off");
  Logger log;
  IgnoreProgress progress;
  DecideContext context{options, deadline, CancelToken(), log, progress};
  const std::shared_ptr<Network> network = loaded({{program.name + ".cfa", program.text}});
  Measurement measured;
  std::size_t holds = 0, open = 0;
  const double begun = processor_seconds();
  for (std::uint32_t p = 0; p < network->properties().size(); ++p) {
    const PropertyResult result = decide("benchmark", network, PropertyId(p), context);
    const auto figure = [&](const char* name) {
      const auto found = result.verdict.statistics.find(name);
      return found == result.verdict.statistics.end() ? 0.0 : found->second;
    };
    measured.calls += static_cast<std::uint64_t>(figure("lazy.calls") + figure("lazy.chain_calls"));
    measured.units += figure("lazy.weighted_calls");
    holds += result.verdict.kind() == VerdictKind::Holds ? 1 : 0;
    open += result.verdict.known() ? 0 : 1;
  }
  measured.seconds = processor_seconds() - begun;
  measured.building = 0;
  // Configurations may differ in what they do not decide.
  if (open == 0) measured.label = fmt::format("{} of {}", holds, network->properties().size());
  return measured;
}

std::vector<Case> programs() {
  std::vector<Case> result;
  for (const SliceProgram& program : slice_programs()) {
    Case row{program.name, result.size(), 1, {}, published(program.name)};
    for (const Configuration& configuration : kConfigurations) {
      row.alternatives.push_back({configuration.name, [=](Deadline deadline) {
                                    return decided(program, configuration, deadline);
                                  }});
    }
    result.push_back(std::move(row));
  }
  return result;
}

std::string closing(std::span<const Row> rows) {
  std::string text = fmt::format("\n{:<12}", "calls");
  for (const Configuration& configuration : kConfigurations)
    text += fmt::format("{:>22}", configuration.name);
  text += "\n";
  std::string exceptions;
  for (const Row& row : rows) {
    text += fmt::format("{:<12}", row.name);
    for (const Cell& cell : row.cells) {
      text += fmt::format("{:>22}", fmt::format("{} / {:.0f}{}", cell.calls, cell.units,
                                                cell.label.empty() ? " ?" : ""));
      // Nobody knows how often somebody asks who does not come to an end.
      if (&cell == &row.cells.front() || cell.label.empty()) continue;
      if (row.cells.front().label.empty() || row.cells.front().calls >= cell.calls)
        exceptions +=
            fmt::format("{}{} ({})", exceptions.empty() ? "" : ", ", row.name,
                        kConfigurations[static_cast<std::size_t>(&cell - row.cells.data())].name);
    }
    text += "\n";
  }
  text += "calls / literals in them; ?: not all errors decided\n";
  text += "slicing asks less than every other configuration that decides the program";
  text += exceptions.empty() ? ", on every row\n" : fmt::format(", but for {}\n", exceptions);
  return text;
}

}  // namespace

extern const Benchmark kProofSlicing;
const Benchmark kProofSlicing = {"proof-slicing",
                                 "calls of the solver by the configurations of the engine lazy",
                                 "",
                                 programs,
                                 false,
                                 closing};

}  // namespace whittle::bench

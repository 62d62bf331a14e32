// SPDX-License-Identifier: Apache-2.0
// `auto` against every single engine (pdr is Z3's Spacer), on everything there is: the generated
// families at several sizes, and every property of every file below `examples` where whittle is
// called beside that folder. The closing table says who solved how many in which time. Engines that
// race use several processors at once, so this is the time one waits; it wants a quiet machine.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "bench/deciding.h"
#include "bench/models/proc.h"
#include "bench/models/rebel.h"
#include "bench/models/sts.h"
#include "driver/load.h"
#include "engine/bmc.h"
#include "engine/engines.h"
#include "frontend/languages.h"

namespace whittle::bench {

namespace {

using MakeNetwork = std::function<std::shared_ptr<Network>()>;

Case one_case(std::string name, std::uint64_t size, const MakeNetwork& network,
              std::size_t property) {
  Case one{std::move(name), size, 1, {}};
  for (const EngineInfo* engine : engines()) {
    auto run = [engine, network, property](Deadline deadline) -> Measurement {
      OptionSet options;
      options.add<DecideOptions>().engine.set(std::string(engine->id));
      options.add<DecideOptions>().check_bounded.set(
          CheckBounded::Off);  // engines are measured, not checks
      Logger log;
      IgnoreProgress progress;
      DecideContext context{options, deadline, CancelToken(), log, progress};
      const std::shared_ptr<Network> model = network();
      const Clock::time_point begun = Clock::now();
      const Verdict verdict = decide("benchmark", model, PropertyId(property), context).verdict;
      Measurement measured{std::chrono::duration<double>(Clock::now() - begun).count(), ""};
      if (verdict.known()) measured.label = to_string(verdict.kind());
      return measured;
    };
    one.alternatives.push_back({std::string(engine->id), run});
  }
  return one;
}

void add_families(std::vector<Case>& result) {
  auto text = [](const std::string& name, const std::string& source) {
    return std::vector<PrintedFile>{{name, source}};
  };
  for (std::uint32_t depth : {25U, 100U, 1000U, 10'000U}) {
    result.push_back(one_case(
        fmt::format("deep-search/n=8,depth={}", depth), depth,
        [=] { return loaded(rebel::deep_search(8, depth - 2)); }, 0));
  }
  for (std::uint32_t factor : {1U, 16U, 256U}) {
    result.push_back(one_case(
        fmt::format("model-size/{}", factor), factor,
        [=] { return loaded(rebel::model_size(factor - 1)); }, 0));
  }
  for (std::uint32_t nodes : {10U, 100U, 1000U}) {
    for (auto kind : {sts::ChainKind::Set, sts::ChainKind::Add}) {
      for (std::size_t property : {0U, 1U}) {
        result.push_back(one_case(
            fmt::format("chain-{}/{},{}", kind == sts::ChainKind::Set ? "set" : "add", nodes,
                        property == 0 ? "positive" : "small"),
            nodes, [=] { return loaded(text("chain.sts", sts::chain(nodes, kind))); }, property));
      }
    }
  }
  for (unsigned long limit : {1'000UL, 100'000UL, 10'000'000UL, 1'000'000'000UL}) {
    result.push_back(one_case(
        fmt::format("cycle-unfolding/{}", limit), limit,
        [=] { return loaded(text("cycle.sts", sts::cycle_unfolding(Integer(limit)))); }, 0));
    result.push_back(one_case(
        fmt::format("fibonacci/{}", limit), limit,
        [=] { return loaded(text("fibonacci.sts", sts::fibonacci(Integer(limit)))); }, 0));
  }
  const std::pair<const char*, std::string> programs[] = {
      {"indexer/2,depth=10", proc::indexer(2, 10)},
      {"indexer/2", proc::indexer(2, 0)},
      {"file-system/5,depth=30", proc::file_system(5, 30)},
      {"file-system/5,depth=100", proc::file_system(5, 100)},
      {"philosophers/5,depth=10", proc::philosophers(5, 10)},
      {"philosophers/10,depth=10", proc::philosophers(10, 10)},
      {"careful-philosophers/5", proc::philosophers(5, 0, false)},
      {"litmus/4,depth=20", proc::litmus(4, proc::kLitmusSeed, 20)},
      {"litmus/6,depth=20", proc::litmus(6, proc::kLitmusSeed, 20)},
  };
  for (const auto& [name, program] : programs) {
    result.push_back(one_case(
        name, 1, [=, source = program] { return loaded(text("program.proc", source)); }, 0));
  }
}

void add_examples(std::vector<Case>& result) {
  std::vector<std::string> paths;
  std::error_code problem;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("examples", problem)) {
    const std::string path = entry.path().string();
    if (entry.is_regular_file() && language_of_path(path) != nullptr) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    auto models = std::make_shared<LoadedModels>(load_models({path}, OptionSet()));
    if (models->models.empty()) continue;
    const auto& properties = models->models[0].network->properties();
    for (std::size_t p = 0; p < properties.size(); ++p) {
      std::string name = fmt::format("{}:{}", path, properties[p].name);
      std::replace(name.begin(), name.end(), ' ', '_');
      auto network = [path] {
        auto anew = std::make_shared<LoadedModels>(load_models({path}, OptionSet()));
        return std::shared_ptr<Network>(anew, anew->models[0].network.get());
      };
      result.push_back(one_case(name, 1, network, p));
    }
  }
}

std::vector<Case> cases() {
  std::vector<Case> result;
  add_examples(result);
  add_families(result);
  return result;
}

// Who solved how many, in which time; and how far auto is from the best.
std::string closing(std::span<const Row> rows) {
  struct Sum {
    std::size_t solved = 0;
    double seconds = 0;
  };
  std::map<std::string, Sum> sums;
  std::size_t solved = 0;
  std::size_t by_auto = 0;
  std::size_t close = 0;
  for (const Row& row : rows) {
    std::optional<double> best;
    std::optional<double> own;
    for (const Cell& cell : row.cells) {
      Sum& sum = sums[cell.alternative];
      if (!cell.median) continue;
      ++sum.solved;
      sum.seconds += *cell.median;
      if (cell.alternative == "auto")
        own = cell.median;
      else if (!best || *cell.median < *best)
        best = cell.median;
    }
    if (!best) continue;
    ++solved;
    if (own) ++by_auto;
    if (own && *own <= 1.3 * *best + 0.05) ++close;
  }
  std::string text = fmt::format("\n{:<14}{:>8}{:>14}\n", "engine", "solved", "seconds");
  for (const auto& [name, sum] : sums)
    text += fmt::format("{:<14}{:>8}{:>14.2f}\n", name, sum.solved, sum.seconds);
  return text + fmt::format(
                    "\nof {} that some single engine solves, auto solves {}, {} of them within 1.3 "
                    "times the best plus 50 ms\n",
                    solved, by_auto, close);
}

}  // namespace

extern const Benchmark kAuto;
const Benchmark kAuto = {"auto", "all examples and families, auto against every single engine",
                         "",     cases,
                         false,  closing,
                         false,  "time"};

}  // namespace whittle::bench

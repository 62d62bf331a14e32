// SPDX-License-Identifier: Apache-2.0
// Projections and partial-order reduction (Saissi, Bokor, Suri 2015, section 6, table 1): four
// families of concurrent programs, without both, with each encoding of projections, with partial
// orders, and with both. Behind each row what the authors measured, without and with projections,
// in 2015.
//
// Everything else is as by default, so `both` is what `--engine=bmc` does: ranges (depth_bounds.h)
// decide the rows of FSys without a solver in every column, so there are rows without them, too;
// and `liveness` looks for projections from the goal back first (backward_search.h). What its
// formulas alone do is `formulas`. `by states` is the engine `explicit`.
//
// `spin` is SPIN on the same program as Promela: making the verifier and running it. It is left out
// where there is no SPIN or no C compiler.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/temporary_folder.h"
#include "bench/deciding.h"
#include "bench/models/proc.h"
#include "driver/slice_stage.h"
#include "engine/bmc.h"
#include "export/export.h"
#include "ir/lowering/lower.h"

namespace whittle::bench {

namespace {

struct Program {
  std::string name;
  std::uint64_t size;  // processes
  std::uint64_t depth;
  std::string text;
  std::string_view verdict;
  std::string note;
  BmcRanges ranges = BmcRanges::On;
};

std::vector<Program> programs() {
  std::vector<Program> result;
  auto seed = [](std::string_view without, std::string_view with) {
    return fmt::format("2015: {} s, {} s", without, with);
  };
  result.push_back({"Indexer 2", 2, 10, proc::indexer(2, 10), "holds", seed("20.1", "5.8")});
  result.push_back({"Indexer 4", 4, 15, proc::indexer(4, 15), "holds", seed("15982", "5885")});
  const std::tuple<unsigned, const char*, const char*> depths[] = {{30, "47.4", "58.1"},
                                                                   {60, "227", "228"},
                                                                   {70, "652", "326"},
                                                                   {90, "982", "468"},
                                                                   {100, "771", "618"}};
  for (const auto& [depth, without, with] : depths)
    result.push_back({fmt::format("FSys 5, depth {}", depth), 5, depth, proc::file_system(5, depth),
                      "holds", seed(without, with)});
  // The authors had no ranges. Those of their depths at which projections gained, without them:
  for (const auto& [depth, without, with] : depths) {
    if (depth >= 70)
      result.push_back({fmt::format("FSys 5, no ranges, depth {}", depth), 5, depth,
                        proc::file_system(5, depth), "holds", seed(without, with), BmcRanges::Off});
  }
  const std::tuple<unsigned, const char*, const char*> tables[] = {{5, "8.8", "12.7"},
                                                                   {7, "19.2", "22.6"},
                                                                   {10, "59.5", "52.1"},
                                                                   {12, "88.0", "82.6"},
                                                                   {15, "236", "205"}};
  for (const auto& [count, without, with] : tables)
    result.push_back({fmt::format("DPhil {}", count), count, 10, proc::philosophers(count, 10),
                      "violated", seed(without, with)});
  const std::tuple<unsigned, const char*, const char*> tests[] = {{4, "11.3", "15.8"},
                                                                  {5, "606", "657"},
                                                                  {6, "3889", "912"},
                                                                  {7, "2613", "354"},
                                                                  {8, "> 7200", "64.0"}};
  for (const auto& [count, without, with] : tests)
    result.push_back({fmt::format("Litmus {}", count), count, 20,
                      proc::litmus(count, proc::kLitmusSeed, 20), "violated", seed(without, with)});
  // The authors' figure 2: a value that is not assumed, at growing depths.
  const std::tuple<unsigned, const char*> figure[] = {{11, "2015: no gain below depth 20"},
                                                      {13, "2015: no gain below depth 20"},
                                                      {15, "2015: no gain below depth 20"},
                                                      {20, "2015: gains from here on"},
                                                      {27, "2015: out of memory, 13 min"}};
  for (const auto& [depth, note] : figure)
    result.push_back({fmt::format("Litmus 5, figure 2, depth {}", depth), 5, depth,
                      proc::litmus(5, proc::kLitmusSeed, depth, 8), "holds", note});
  return result;
}

// Some of them without a depth. Formulas for bounded numbers of steps have no answer to these; the
// search from the goal back has one where it comes to an end.
std::vector<Program> unbounded_programs() {
  const std::string note = "any number of steps";
  return {{"unbounded Indexer 2", 2, 0, proc::indexer(2, 0), "holds", note},
          {"unbounded Indexer 4", 4, 0, proc::indexer(4, 0), "holds", note},
          {"unbounded FSys 5", 5, 0, proc::file_system(5, 0), "holds", note},
          {"unbounded DPhil 5", 5, 0, proc::philosophers(5, 0, false), "holds", note}};
}

std::shared_ptr<Network> network_of(const std::string& text) {
  return loaded({{"program.proc", text}});
}

struct Settings {
  BmcProjection projection = BmcProjection::Liveness;
  BmcPor por = BmcPor::Off;
  BmcBackward backward = BmcBackward::On;
};

Alternative with(std::string name, const Program& program, const Settings& settings) {
  return deciding(
      std::move(name), [text = program.text] { return network_of(text); },
      [ranges = program.ranges, settings](OptionSet& options) {
        auto& bmc = options.add<BmcOptions>();
        bmc.projection.set(settings.projection);
        bmc.por.set(settings.por);
        bmc.backward.set(settings.backward);
        bmc.ranges.set(ranges);
        options.add<SlicingOptions>().granularity.set(slice::Granularity::Off);
      });
}

Alternative by_states(const std::string& text) {
  return deciding(
      "by states", [text] { return network_of(text); },
      [](OptionSet& options) { options.add<DecideOptions>().engine.set("explicit"); });
}

bool has_command(const char* name) {
  return std::system(fmt::format("command -v {} > /dev/null 2>&1", name).c_str()) == 0;
}

// Empty: out of time or memory.
std::string spin_verdict(const std::string& promela, Deadline deadline) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "model.pml") << promela;
  const auto left = deadline.remaining().value_or(std::chrono::milliseconds(3'600'000));
  const double seconds = std::chrono::duration<double>(left).count();
  const std::string command = fmt::format(
      "cd '{}' && timeout {:.3f} sh -c 'spin -a model.pml > out 2>&1 && "
      "cc -O2 -w -DSAFETY -DMEMLIM=4000 -o pan pan.c && ./pan -m1000000 > out 2>&1'",
      folder.path().string(), std::max(seconds, 0.001));
  if (std::system(command.c_str()) != 0) return "";
  std::ifstream in(folder.path() / "out");
  std::stringstream read;
  read << in.rdbuf();
  const std::string text = read.str();
  if (text.find("assertion violated") != std::string::npos) return "violated";
  const bool whole = text.find("Search not completed") == std::string::npos &&
                     text.find("max search depth too small") == std::string::npos;
  return whole && text.find("errors: 0") != std::string::npos ? "holds" : "";
}

Alternative by_spin(const Program& program) {
  auto run = [text = program.text, expected = program.verdict](Deadline deadline) {
    Measurement measured;
    const std::shared_ptr<Network> network = network_of(text);
    const Lowered lowered = lower(*network, PropertyId(0));
    const double begun = processor_seconds();
    const std::string verdict =
        spin_verdict(export_promela(lowered.system, "benchmark", {}), deadline);
    measured.seconds = processor_seconds() - begun;
    if (!verdict.empty()) measured.label = verdict == expected ? "done" : "SPIN: " + verdict;
    return measured;
  };
  return {"spin", run};
}

std::vector<Case> cases() {
  const bool spin = has_command("spin") && has_command("cc");
  std::vector<Case> result;
  for (const Program& program : programs()) {
    Case one{program.name, program.size, 1, {}, program.note};
    auto add = [&](const char* name, const Settings& settings) {
      one.alternatives.push_back(with(name, program, settings));
    };
    add("plain", {BmcProjection::Off});
    add("dependency", {BmcProjection::Dependency});
    add("liveness", {});
    add("formulas", {BmcProjection::Liveness, BmcPor::Off, BmcBackward::Off});
    add("partial order", {BmcProjection::Off, BmcPor::On});
    add("both", {BmcProjection::Liveness, BmcPor::On});
    one.alternatives.push_back(by_states(program.text));
    if (spin)
      one.alternatives.push_back(by_spin(program));
    else if (result.empty())
      one.note += "  (no SPIN: `spin` or `cc` is not installed)";
    result.push_back(std::move(one));
  }
  for (const Program& program : unbounded_programs()) {
    Case one{program.name, program.size, 1, {}, program.note};
    for (const Alternative& alternative : result.front().alternatives) {
      if (alternative.name == "by states")
        one.alternatives.push_back(by_states(program.text));
      else if (alternative.name == "liveness")
        one.alternatives.push_back(with(alternative.name, program, {}));
      else if (alternative.name == "both")
        one.alternatives.push_back(
            with(alternative.name, program, {BmcProjection::Liveness, BmcPor::On}));
      else if (alternative.name == "spin")
        one.alternatives.push_back(by_spin(program));
      else
        one.alternatives.push_back({alternative.name, [](Deadline) { return Measurement(); }});
    }
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace

extern const Benchmark kProjections;
const Benchmark kProjections = {
    "projections",
    "concurrent programs: runs on which every step matters; total (building) solver calls",
    "",
    cases,
    false,
    nullptr,
    true};

}  // namespace whittle::bench

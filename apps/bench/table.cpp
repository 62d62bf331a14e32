// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/bench.h"
#include "report/json_document.h"

namespace whittle::bench {

namespace {

constexpr int kName = 22;
constexpr int kCell = 24;
constexpr int kCellWithMemory = 29;

int width(const Benchmark& benchmark) { return benchmark.memory ? kCellWithMemory : kCell; }

// "1.234 s", "12.3 ms", "45 ns"
std::string duration(double seconds) {
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds >= 1e-6) return fmt::format("{:.1f} µs", seconds * 1e6);
  return fmt::format("{:.0f} ns", seconds * 1e9);
}

}  // namespace

std::string header_text(const Benchmark& benchmark, const BenchGroup& options) {
  std::string text =
      fmt::format("{}: {}\nmedian of {}, {}{}\n\n", benchmark.id, benchmark.summary,
                  *options.repetitions, benchmark.clock,
                  benchmark.unit.empty() ? ""
                                         : fmt::format(", and time per {}{}", benchmark.unit,
                                                       benchmark.memory ? ", peak memory" : ""));
  const std::vector<Case> cases = benchmark.cases();
  if (cases.empty()) return text;
  text += fmt::format("{:<{}}", "", kName);
  for (const Alternative& alternative : cases.front().alternatives) {
    const auto& only = options.only.value();
    if (!only.empty() && std::find(only.begin(), only.end(), alternative.name) == only.end()) {
      continue;
    }
    text += fmt::format("{:>{}}", alternative.name, width(benchmark));
  }
  return text + "\n";
}

std::string row_text(const Benchmark& benchmark, const Row& row) {
  std::string text = fmt::format("{:<{}}", row.name, kName);
  for (const Cell& cell : row.cells) {
    std::string shown = "-";
    if (cell.median) {
      shown = duration(*cell.median);
      if (!benchmark.unit.empty()) {
        const double units = cell.units > 0 ? cell.units : row.units;
        shown += fmt::format(" ({}", duration(*cell.median / units));
        if (cell.bytes > 0) shown += fmt::format(", {} MB", cell.bytes >> 20U);
        shown += ")";
      }
    }
    if (benchmark.building && cell.median && cell.building)
      shown += fmt::format(" ({}) {}", duration(*cell.building), cell.calls);
    // fmt counts characters, so that µ is one.
    text += fmt::format("{:>{}}", shown, width(benchmark));
  }
  if (!row.note.empty()) text += "  " + row.note;
  if (!row.agree) {
    text += "  DISAGREE:";
    for (const Cell& cell : row.cells) text += fmt::format(" {}={}", cell.alternative, cell.label);
  }
  return text + "\n";
}

std::string to_json(const Benchmark& benchmark, std::span<const Row> rows,
                    std::string_view version) {
  using Json = nlohmann::ordered_json;
  Json entries = Json::array();
  for (const Row& row : rows) {
    Json cells = Json::array();
    for (const Cell& cell : row.cells) {
      cells.push_back({{"alternative", cell.alternative},
                       {"median", cell.median ? Json(*cell.median) : Json(nullptr)},
                       {"seconds", cell.seconds},
                       {"answer", cell.label}});
      if (cell.building) {
        cells.back()["building"] = *cell.building;
        cells.back()["solver_calls"] = cell.calls;
      }
      if (cell.bytes > 0) cells.back()["bytes"] = cell.bytes;
      if (cell.units > 0) cells.back()["units"] = cell.units;
    }
    entries.push_back({{"benchmark", benchmark.id},
                       {"name", row.name},
                       {"size", row.size},
                       {"units", row.units},
                       {"agree", row.agree},
                       {"note", row.note},
                       {"cells", std::move(cells)}});
  }
  return json_document(version, "measurements", entries, {}, Sources());
}

}  // namespace whittle::bench

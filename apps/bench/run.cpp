// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "bench/bench.h"

namespace whittle::bench {

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string series(const std::string& name) { return name.substr(0, name.rfind(' ')); }

bool wanted(const Alternative& alternative, const BenchGroup& options) {
  const std::vector<std::string>& only = options.only.value();
  return only.empty() || std::find(only.begin(), only.end(), alternative.name) != only.end();
}

}  // namespace

std::vector<Row> run(const Benchmark& benchmark, const BenchGroup& options,
                     const CancelToken& cancel, const std::function<void(const Row&)>& on_row) {
  std::vector<Row> rows;
  std::map<std::string, std::set<std::string>> out_of_time;  // by series: alternatives
  const auto limit = std::chrono::milliseconds(static_cast<std::int64_t>(*options.timeout * 1000));
  for (const Case& one : benchmark.cases()) {
    if (*options.largest > 0 && one.size > *options.largest) continue;
    Row row{one.name, one.size, one.units, {}, true, one.note};
    std::set<std::string>& slow = out_of_time[series(one.name)];
    for (const Alternative& alternative : one.alternatives) {
      if (!wanted(alternative, options)) continue;
      row.cells.emplace_back().alternative = alternative.name;
    }
    // Round by round, so that whatever else the machine does hits all alternatives alike.
    for (unsigned round = 0; round < *options.repetitions; ++round) {
      std::size_t cell = 0;
      for (const Alternative& alternative : one.alternatives) {
        if (!wanted(alternative, options)) continue;
        Cell& into = row.cells[cell++];
        if (slow.contains(alternative.name) || cancel.cancelled()) continue;
        const Measurement measured = alternative.run(Deadline::after(limit));
        if (measured.label.empty()) {
          slow.insert(alternative.name);
          into.seconds.clear();
          continue;
        }
        into.seconds.push_back(measured.seconds);
        into.label = measured.label;
        into.building = measured.building;
        into.calls = measured.calls;
        into.bytes = std::max(into.bytes, measured.bytes);
        into.units = measured.units;
      }
    }
    std::set<std::string> labels;
    for (Cell& cell : row.cells) {
      if (cell.seconds.empty()) continue;
      cell.median = median(cell.seconds);
      if (cell.label != "done") labels.insert(cell.label);
    }
    row.agree = labels.size() <= 1;
    rows.push_back(std::move(row));
    if (on_row) on_row(rows.back());
    if (cancel.cancelled()) break;
  }
  return rows;
}

}  // namespace whittle::bench

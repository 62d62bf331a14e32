// SPDX-License-Identifier: Apache-2.0
// Benchmarks that people can run: `./whittle bench NAME`. Each compares alternatives in one run on
// one machine, with interleaved repetitions and medians. A new benchmark is a file beside this one
// and one line in benchmarks.cpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "cli/bench_options.h"

namespace whittle::bench {

// One measurement. `label` says what came out ("reachable@25"), so that alternatives that disagree
// are noticed; "done" says nothing, and it is empty when the time was not enough.
struct Measurement {
  double seconds = 0;
  std::string label;
  // Of bounded model checking: seconds in which formulas were made, and calls of the solver.
  std::optional<double> building = std::nullopt;
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;  // peak memory, where it was measured
  double units = 0;         // where only the run knows how many they were; 0: the case does
};

struct Alternative {
  std::string name;  // column of the table
  std::function<Measurement(Deadline deadline)> run;
};

// A size of the problem, to be measured with each alternative.
struct Case {
  std::string name;  // "n=8 depth=25"
  std::uint64_t size = 0;
  double units = 1;  // nodes, copies: the table shows time per unit where it is not 1
  std::vector<Alternative> alternatives;
  std::string note = {};  // shown behind the row: what others measured
};

struct Row;

struct Benchmark {
  std::string_view id;
  std::string_view summary;
  std::string_view unit;  // of Case::units, "" if none
  // Cases in ascending order of size within each series.
  std::vector<Case> (*cases)() = nullptr;
  bool memory = false;  // measurements come with their peak memory
  // What is to be said after all rows; null: nothing.
  std::string (*closing)(std::span<const Row> rows) = nullptr;
  bool building = false;  // the table shows the time for making formulas, and calls of the solver
  std::string_view clock = "processor time";
};

struct Cell {
  std::string alternative;
  std::optional<double> median;  // empty: not measured, or out of time
  std::vector<double> seconds;
  std::string label;
  std::optional<double> building = std::nullopt;  // of the last measurement
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  double units = 0;  // 0: those of the row
};

struct Row {
  std::string name;
  std::uint64_t size = 0;
  double units = 1;
  std::vector<Cell> cells;
  bool agree = true;  // all labels that there are
  std::string note = {};
};

[[nodiscard]] std::span<const Benchmark> benchmarks();
[[nodiscard]] const Benchmark* find_benchmark(std::string_view id);

// Measures row by row; `on_row` gets each as soon as it is there. An alternative that was out of
// time at one size is not tried at larger ones of the same series (cases whose names begin alike,
// up to the last blank).
std::vector<Row> run(const Benchmark& benchmark, const BenchGroup& options,
                     const CancelToken& cancel, const std::function<void(const Row&)>& on_row);

[[nodiscard]] std::string header_text(const Benchmark& benchmark, const BenchGroup& options);
[[nodiscard]] std::string row_text(const Benchmark& benchmark, const Row& row);
[[nodiscard]] std::string to_json(const Benchmark& benchmark, std::span<const Row> rows,
                                  std::string_view version);

}  // namespace whittle::bench

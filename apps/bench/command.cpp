// SPDX-License-Identifier: Apache-2.0
// The one command of whittle-bench.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/bench.h"
#include "cli/bench_options.h"
#include "cli/command.h"
#include "driver/lists.h"

namespace whittle::cli {

namespace {

class Bench final : public Command {
 public:
  void declare(OptionTable& table) override {
    table.add(options_);
    table.add(output_);
  }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    if (arguments.empty() && *output_.json) {
      auto entries = nlohmann::ordered_json::array();
      for (const bench::Benchmark& benchmark : bench::benchmarks())
        entries.push_back({{"id", benchmark.id}, {"summary", benchmark.summary}});
      session.out.write(json_document(WHITTLE_VERSION, "benchmarks", entries, {}, Sources()));
      return ExitCode::Success;
    }
    if (arguments.empty()) {
      for (const bench::Benchmark& benchmark : bench::benchmarks()) {
        session.out.write(fmt::format("{:<14} {}\n", benchmark.id, benchmark.summary));
      }
      return ExitCode::Success;
    }
    const bench::Benchmark* benchmark = bench::find_benchmark(arguments[0]);
    if (benchmark == nullptr) return unknown(arguments[0], session);
    if (!*output_.json) session.out.write(bench::header_text(*benchmark, options_));
    bool agree = true;
    const std::vector<bench::Row> rows =
        bench::run(*benchmark, options_, session.cancel, [&](const bench::Row& row) {
          agree = agree && row.agree;
          if (*output_.json) return;
          session.out.write(bench::row_text(*benchmark, row));
          session.out.flush();
        });
    if (*output_.json) session.out.write(bench::to_json(*benchmark, rows, WHITTLE_VERSION));
    if (!*output_.json && benchmark->closing != nullptr)
      session.out.write(benchmark->closing(rows));
    if (!agree) return ExitCode::Defect;
    return session.cancel.cancelled() ? ExitCode::Undecided : ExitCode::Success;
  }

 private:
  [[nodiscard]] ExitCode unknown(const std::string& name, const Session& session) const {
    Diagnostics diagnostics;
    NearestName meant(name);
    for (const bench::Benchmark& benchmark : bench::benchmarks()) meant.offer(benchmark.id);
    diagnostics.report("cli-004", {}, fmt::format("there is no benchmark '{}'", name),
                       meant.result() ? fmt::format("did you mean '{}'?", *meant.result())
                                      : "'./whittle bench' lists them");
    if (*output_.json)
      session.out.write(json_document(WHITTLE_VERSION, "", nullptr, diagnostics, Sources()));
    else
      session.show(diagnostics, Sources());
    return ExitCode::BadInput;
  }

  bench::BenchGroup options_;
  bench::BenchOutput output_;
};

constexpr CommandInfo kBench = {
    "bench",
    "[NAME]",
    bench::kBenchSummary,
    bench::kBenchHelp,
    0,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Bench>()); },
};
constexpr const CommandInfo* kOnly = &kBench;

}  // namespace

std::span<const CommandInfo* const> commands() { return {&kOnly, 1}; }

const CommandInfo* find_command(std::string_view id) { return id == kBench.id ? &kBench : nullptr; }

}  // namespace whittle::cli

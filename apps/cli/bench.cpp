// SPDX-License-Identifier: Apache-2.0
// Where the benchmarks are: in a program of their own, because what they consist of is as much to
// build as a front end, and few need it.
#include <nlohmann/json.hpp>

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

  ExitCode run(const std::vector<std::string>& /*arguments*/, Session& session) override {
    Diagnostics diagnostics;
    diagnostics.report("cli-011", {}, "benchmarks are in the program whittle-bench",
                       "'./whittle bench' builds and runs it");
    if (*output_.json)
      session.out.write(json_document(WHITTLE_VERSION, "", nullptr, diagnostics, Sources()));
    else
      session.show(diagnostics, Sources());
    return ExitCode::BadInput;
  }

 private:
  bench::BenchGroup options_;
  bench::BenchOutput output_;
};

}  // namespace

extern const CommandInfo kBench;
const CommandInfo kBench = {
    "bench",
    "[NAME]",
    bench::kBenchSummary,
    bench::kBenchHelp,
    0,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Bench>()); },
};

}  // namespace whittle::cli

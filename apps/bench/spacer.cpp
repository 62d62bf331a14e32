// SPDX-License-Identifier: Apache-2.0
#include "bench/spacer.h"

#include <fmt/format.h>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"
#include "export/export.h"
#include "ir/lowering/lower.h"
#include "ir/property_kinds.h"
#include "smt/elimination/quantifier_elimination.h"

namespace whittle::bench {

namespace {

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) text += line.data();
  pclose(pipe);
  return text;
}

}  // namespace

Alternative spacer(std::function<std::shared_ptr<Network>()> network, PropertyId property) {
  auto run = [network = std::move(network), property](Deadline deadline) -> Measurement {
    const std::shared_ptr<Network> model = network();
    LowerOptions options;
    options.eliminate = smt::elimination(model->pool(), {});
    const Lowered lowered = lower(*model, property, options);
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "clauses.smt2";
    std::ofstream(file) << export_chc(lowered.system, "benchmark", {});
    const auto left = deadline.remaining();
    const long seconds = left ? 1 + left->count() / 1000 : 600;
    const double begun = processor_seconds();
    const std::string answer =
        output_of(fmt::format("z3 -T:{} '{}' 2>/dev/null", seconds, file.string()));
    Measurement measured;
    measured.seconds = processor_seconds() - begun;
    const PropertyKind kind = model->property(property).kind;
    // A solution of the clauses is an invariant.
    if (answer.starts_with("sat")) measured.label = to_string(info(kind).unreached);
    if (answer.starts_with("unsat")) measured.label = to_string(info(kind).reached);
    return measured;
  };
  return {"z3 spacer", std::move(run)};
}

}  // namespace whittle::bench

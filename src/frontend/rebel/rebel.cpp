// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/rebel.h"

#include <memory>

#include "frontend/load_text.h"
#include "frontend/rebel/options.h"
#include "frontend/rebel/print.h"
#include "frontend/rebel/program.h"
#include "frontend/rebel/text_replay.h"
#include "frontend/rebel/translate.h"

namespace whittle::rebel {

namespace {

constexpr std::string_view kExtensions[] = {".ebl", ".tebl"};

}  // namespace

LoadedModel load(Sources& sources, FileId file, const LoadOptions& options) {
  const auto read = [&](Diagnostics& diagnostics) {
    auto program = std::make_unique<Program>(sources, options, diagnostics);
    program->load(file);
    return program;
  };
  const auto build = [&](const std::unique_ptr<Program>& program, LoadedModel& model) {
    Translator first(*program, {});
    std::shared_ptr<Network> network = first.run();
    // What it says about sets and maps tells which capacity they need.
    if (first.collections() && !model.diagnostics.has_errors()) {
      network = Translator(*program, first.capacities()).run();
    }
    network->as_written = std::make_shared<RebelText>(file);
    model.symbols = std::move(program->symbols());
    return network;
  };
  return frontend::load_text(options, read, build);
}

Language language() {
  Language result;
  result.id = "rebel";
  result.extensions = kExtensions;
  result.summary = "business entities with life cycles, events and synchronisation";
  result.example = "examples/rebel/account/AccountTest.tebl";
  result.load = load;
  result.print = print;
  result.declare = [](OptionSet& set) { set.add<RebelOptions>(); };
  return result;
}

}  // namespace whittle::rebel

// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/rebel.h"

#include "base/error.h"
#include "frontend/rebel/print.h"
#include "frontend/rebel/program.h"
#include "frontend/rebel/translate.h"

namespace whittle::rebel {

namespace {

constexpr std::string_view kExtensions[] = {".ebl", ".tebl"};

}  // namespace

LoadResult load(Sources& sources, FileId file, const LoadOptions& options) {
  Diagnostics diagnostics;
  Program program(sources, options, diagnostics);
  program.load(file);
  // Names and types are looked at in any case, so that one run shows all problems; only a file that
  // is mostly unreadable would drown its first problems in consequences.
  std::shared_ptr<Network> network;
  if (!diagnostics.saturated()) {
    Translator translator(program);
    network = translator.run();
  }
  diagnostics.sort();
  if (diagnostics.has_errors()) return Unexpected{std::move(diagnostics)};
  const auto problems = well_formedness_problems(*network);
  WHITTLE_REQUIRE(problems.empty(), "the Rebel front end made a malformed network: " + problems[0]);
  return LoadedModel{std::move(network), std::move(diagnostics)};
}

Language language() {
  Language result;
  result.id = "rebel";
  result.extensions = kExtensions;
  result.summary = "business entities with life cycles, events and synchronisation";
  result.example = "examples/rebel/account/AccountTest.tebl";
  result.load = load;
  result.print = print;
  return result;
}

}  // namespace whittle::rebel

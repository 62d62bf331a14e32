// SPDX-License-Identifier: Apache-2.0
#include "frontend/proc/proc.h"

#include <optional>

#include "frontend/expression/lexer.h"
#include "frontend/load_text.h"
#include "frontend/proc/network_builder.h"
#include "frontend/proc/options.h"
#include "frontend/proc/parser.h"
#include "frontend/proc/printer.h"

namespace whittle::proc {

namespace {

constexpr std::string_view kExtensions[] = {".proc"};

LoadedModel load(Sources& sources, FileId file, const LoadOptions& options) {
  std::optional<frontend::SyntaxTree> tree;
  return frontend::load_text(
      options,
      [&](Diagnostics& diagnostics) {
        tree.emplace(sources.file(file).text(), file,
                     frontend::tokenize(sources, file, diagnostics));
        return parse_file(*tree, diagnostics);
      },
      [&](const File& parsed, LoadedModel& model) {
        return build_network(parsed, *tree, sources, *options.own.get<ProcOptions>().deadlock,
                             model.diagnostics, model.symbols);
      });
}

}  // namespace

Language language() {
  Language result;
  result.id = "proc";
  result.extensions = kExtensions;
  result.summary =
      "concurrent processes: shared variables and arrays, locks, interleaved instructions";
  result.example = "examples/proc/figure1.proc";
  result.load = &load;
  result.print = &print;
  result.declare = [](OptionSet& options) { options.add<ProcOptions>(); };
  return result;
}

}  // namespace whittle::proc

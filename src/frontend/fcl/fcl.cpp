// SPDX-License-Identifier: Apache-2.0
#include "frontend/fcl/fcl.h"

#include <optional>

#include "frontend/fcl/lexer.h"
#include "frontend/fcl/network_builder.h"
#include "frontend/fcl/parser.h"
#include "frontend/fcl/printer.h"
#include "frontend/load_text.h"

namespace whittle::fcl {

namespace {

constexpr std::string_view kExtensions[] = {".fcl"};

LoadedModel load(Sources& sources, FileId file, const LoadOptions& options) {
  std::optional<frontend::SyntaxTree> tree;
  return frontend::load_text(
      options,
      [&](Diagnostics& diagnostics) {
        Tokens tokens = tokenize(sources, file, diagnostics);
        tree.emplace(sources.file(file).text(), file, std::move(tokens.tokens));
        return parse_file(*tree, tokens.numbers, diagnostics);
      },
      [&](const File& parsed, LoadedModel& model) {
        return build_network(parsed, file, sources, model.diagnostics, model.symbols);
      });
}

}  // namespace

Language language() {
  Language result;
  result.id = "fcl";
  result.extensions = kExtensions;
  result.summary = "flowchart programs: labelled blocks of assignments and jumps";
  result.example = "examples/fcl/power.fcl";
  result.load = &load;
  result.print = &print;
  result.comment = ";;";
  return result;
}

}  // namespace whittle::fcl

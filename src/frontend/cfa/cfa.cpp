// SPDX-License-Identifier: Apache-2.0
#include "frontend/cfa/cfa.h"

#include <optional>

#include "frontend/cfa/network_builder.h"
#include "frontend/cfa/parser.h"
#include "frontend/cfa/printer.h"
#include "frontend/expression/lexer.h"
#include "frontend/load_text.h"

namespace whittle::cfa {

namespace {

constexpr std::string_view kExtensions[] = {".cfa"};

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
        return build_network(parsed, *tree, sources, model.diagnostics, model.symbols);
      });
}

}  // namespace

Language language() {
  Language result;
  result.id = "cfa";
  result.extensions = kExtensions;
  result.summary =
      "programs with error statements: assignments, conditions and loops over integers";
  result.example = "examples/cfa/order.cfa";
  result.load = &load;
  result.print = &print;
  return result;
}

}  // namespace whittle::cfa

// SPDX-License-Identifier: Apache-2.0
#include "frontend/sts/sts.h"

#include <optional>

#include "frontend/expression/lexer.h"
#include "frontend/load_text.h"
#include "frontend/sts/network_builder.h"
#include "frontend/sts/parser.h"
#include "frontend/sts/printer.h"

namespace whittle::sts {

namespace {

constexpr std::string_view kExtensions[] = {".sts"};

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
        return build_network(parsed, *tree, model.diagnostics, model.symbols);
      });
}

std::vector<PrintedFile> print(const Network& network, const Sources&) {
  return {{frontend::file_name(network, ".sts"), print_network(network)}};
}

}  // namespace

Language language() {
  Language result = {
      "sts",
      kExtensions,
      "symbolic transition systems: nodes, transitions as relations, safety and reachability",
      "examples/sts/bank_account.sts",
      &load,
      &print};
  result.prints_terms = true;
  return result;
}

}  // namespace whittle::sts

// SPDX-License-Identifier: Apache-2.0
#include "frontend/sts/sts.h"

#include "frontend/expression/lexer.h"
#include "frontend/sts/network_builder.h"
#include "frontend/sts/parser.h"
#include "frontend/sts/printer.h"

namespace whittle::sts {

namespace {

constexpr std::string_view kExtensions[] = {".sts"};

LoadResult load(Sources& sources, FileId file, const LoadOptions&) {
  Diagnostics diagnostics;
  frontend::SyntaxTree tree(sources.file(file).text(), file,
                            frontend::tokenize(sources, file, diagnostics));
  const File parsed = parse_file(tree, diagnostics);
  // Mistakes in the grammar do not keep us from looking for others, unless there are very many.
  std::shared_ptr<Network> network;
  if (!diagnostics.saturated()) network = build_network(parsed, tree, diagnostics);
  if (diagnostics.saturated() && diagnostics.all().back().id != "parse-007") {
    diagnostics.report("parse-007", diagnostics.all().back().span,
                       "too many errors; there may be more of them");
  }
  diagnostics.sort();
  if (diagnostics.has_errors()) return Unexpected{std::move(diagnostics)};
  return LoadedModel{std::move(network), std::move(diagnostics)};
}

std::vector<PrintedFile> print(const Network& network, const Sources&) {
  std::string path = network.name;
  for (char& c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain) c = '_';
  }
  return {{path + ".sts", print_network(network)}};
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

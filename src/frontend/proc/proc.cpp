// SPDX-License-Identifier: Apache-2.0
#include "frontend/proc/proc.h"

#include "frontend/expression/lexer.h"
#include "frontend/proc/network_builder.h"
#include "frontend/proc/parser.h"
#include "frontend/proc/printer.h"

namespace whittle::proc {

namespace {

constexpr std::string_view kExtensions[] = {".proc"};

LoadResult load(Sources& sources, FileId file, const LoadOptions& options) {
  Diagnostics diagnostics;
  frontend::SyntaxTree tree(sources.file(file).text(), file,
                            frontend::tokenize(sources, file, diagnostics));
  const File parsed = parse_file(tree, diagnostics);
  std::shared_ptr<Network> network;
  if (!diagnostics.saturated())
    network = build_network(parsed, tree, sources, options.deadlock, diagnostics);
  diagnostics.sort();
  if (diagnostics.has_errors()) return Unexpected{std::move(diagnostics)};
  return LoadedModel{std::move(network), std::move(diagnostics)};
}

}  // namespace

Language language() {
  return {"proc",
          kExtensions,
          "concurrent processes: shared variables and arrays, locks, interleaved instructions",
          "examples/proc/figure1.proc",
          &load,
          &print};
}

}  // namespace whittle::proc

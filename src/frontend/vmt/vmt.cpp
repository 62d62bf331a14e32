// SPDX-License-Identifier: Apache-2.0
#include "frontend/vmt/vmt.h"

#include <optional>

#include "frontend/load_text.h"
#include "frontend/vmt/network_builder.h"
#include "frontend/vmt/printer.h"
#include "frontend/vmt/script.h"
#include "frontend/vmt/sexpr.h"

namespace whittle::vmt {

namespace {

constexpr std::string_view kExtensions[] = {".vmt", ".smt2"};

// The file's name without folders and ending.
std::string stem(std::string_view path) {
  path.remove_prefix(path.find_last_of('/') + 1);
  const std::size_t dot = path.find_last_of('.');
  if (dot != std::string_view::npos && dot > 0) path = path.substr(0, dot);
  return path.empty() ? "system" : std::string(path);
}

LoadedModel load(Sources& sources, FileId file, const LoadOptions& options) {
  std::optional<SexprTree> tree;
  return frontend::load_text(
      options,
      [&](Diagnostics& diagnostics) {
        tree.emplace(sources.file(file).text(), file, diagnostics);
        return 0;
      },
      [&](int, LoadedModel& model) {
        Script script = read_script(*tree, model.diagnostics, model.symbols);
        return build_network(std::move(script), stem(sources.file(file).path()), model.diagnostics);
      });
}

std::vector<PrintedFile> print(const Network& network, const Sources&) {
  return {{frontend::file_name(network, ".vmt"), print_network(network)}};
}

}  // namespace

Language language() {
  Language result;
  result.id = "vmt";
  result.extensions = kExtensions;
  result.summary =
      "VMT-LIB: transition systems as annotated SMT-LIB terms, with properties of states and runs";
  result.example = "examples/vmt/counter.vmt";
  result.load = &load;
  result.print = &print;
  result.comment = ";";
  result.prints_terms = true;
  return result;
}

}  // namespace whittle::vmt

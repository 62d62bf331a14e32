// SPDX-License-Identifier: Apache-2.0
#include "frontend/vmt/vmt.h"

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

LoadResult load(Sources& sources, FileId file, const LoadOptions&) {
  Diagnostics diagnostics;
  const SexprTree tree(sources.file(file).text(), file, diagnostics);
  Script script;
  if (!diagnostics.saturated()) script = read_script(tree, diagnostics);
  if (diagnostics.saturated() && diagnostics.all().back().id != "parse-007") {
    diagnostics.report("parse-007", diagnostics.all().back().span,
                       "too many errors; there may be more of them");
  }
  diagnostics.sort();
  if (diagnostics.has_errors()) return Unexpected{std::move(diagnostics)};
  return LoadedModel{build_network(std::move(script), stem(sources.file(file).path())),
                     std::move(diagnostics)};
}

std::vector<PrintedFile> print(const Network& network, const Sources&) {
  std::string path = network.name;
  for (char& c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain) c = '_';
  }
  return {{path + ".vmt", print_network(network)}};
}

}  // namespace

Language language() {
  Language result = {
      "vmt",
      kExtensions,
      "VMT-LIB: transition systems as annotated SMT-LIB terms, with invariant properties",
      "examples/vmt/counter.vmt",
      &load,
      &print,
      ";",
      true};
  result.prints_terms = true;
  return result;
}

}  // namespace whittle::vmt

// SPDX-License-Identifier: Apache-2.0
// What the parts of the PROC front end share while a network is made.
#pragma once

#include <map>
#include <vector>

#include "frontend/expression/expression_typer.h"
#include "frontend/proc/ast.h"
#include "frontend/proc/conditions.h"
#include "frontend/proc/scopes.h"
#include "frontend/symbol_index.h"
#include "ir/network.h"

namespace whittle::proc {

struct Context {
  const File& file;
  const frontend::SyntaxTree& tree;
  const Sources& sources;
  Network& network;
  UniverseId universe;
  Names& names;
  Diagnostics& diagnostics;
  SymbolIndex& symbols;

  [[nodiscard]] std::uint32_t line_of(Span span) const {
    return sources.file(span.file).position(span.begin).line;
  }
  void declared_twice(const Name& name, Span before);  // reports it
};

// Where processes are after an error, over all of them.
struct ErrorLocations {
  std::vector<LocationId> bounds;
  std::vector<LocationId> division;
  std::map<const Statement*, std::vector<LocationId>> failed;  // by assertion
};

// "assert at line 7"
[[nodiscard]] std::string assertion_name(const Context& context, const Statement& assertion);

}  // namespace whittle::proc

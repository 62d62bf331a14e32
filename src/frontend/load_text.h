// SPDX-License-Identifier: Apache-2.0
// How every language loads a model: read the text, build a network from what was read, and look
// whether the network makes sense.
//
//   return load_text(options, [&](Diagnostics& d) { return parse(tree, d); },
//                    [&](File& file, LoadedModel& model) { return build(file, model.diagnostics);
//                    });
#pragma once

#include "frontend/frontend.h"

namespace whittle::frontend {

// requires: the network of a model without errors is well-formed (else an InternalError).
// Sorts the diagnostics and leaves out what only follows from others; says that there may be more
// where reading stopped; drops a partial network that is not well-formed.
void finish(LoadedModel& model);

// `read` reports what is wrong with the text; `build` makes the network. Mistakes in the grammar do
// not keep us from looking for others, unless there are very many.
template <class Read, class Build>
[[nodiscard]] LoadedModel load_text(const LoadOptions& options, Read read, Build build) {
  LoadedModel model;
  model.symbols = SymbolIndex(options.symbols);
  auto content = read(model.diagnostics);
  if (!model.diagnostics.saturated()) model.network = build(content, model);
  finish(model);
  return model;
}

// The name of a network as that of a file, with the ending.
[[nodiscard]] std::string file_name(const Network& network, std::string_view ending);

}  // namespace whittle::frontend

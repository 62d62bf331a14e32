// SPDX-License-Identifier: Apache-2.0
#include "frontend/owls/owls.h"

#include <optional>

#include "frontend/load_text.h"
#include "frontend/owls/document.h"
#include "frontend/owls/network_builder.h"

namespace whittle::owls {

namespace {

constexpr std::string_view kExtensions[] = {".owl", ".owls"};

LoadedModel load(Sources& sources, FileId file, const LoadOptions& options) {
  return frontend::load_text(
      options,
      [&](Diagnostics& diagnostics) {
        return read_documents(sources, file, options.read, diagnostics);
      },
      [&](Graph& graph, LoadedModel& model) -> std::shared_ptr<Network> {
        if (model.diagnostics.has_errors()) return nullptr;
        const Document document(std::move(graph));
        return build_network(document, sources, file, options.read, model.diagnostics,
                             model.symbols);
      });
}

}  // namespace

Language language() {
  Language result;
  result.id = "owls";
  result.extensions = kExtensions;
  result.summary = "service processes of OWL-S: control constructs, preconditions, results";
  result.example = "examples/owls/travel.owl";
  result.load = &load;
  return result;
}

}  // namespace whittle::owls

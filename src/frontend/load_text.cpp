// SPDX-License-Identifier: Apache-2.0
#include "frontend/load_text.h"

#include "base/error.h"
#include "frontend/consequences.h"

namespace whittle::frontend {

void finish(LoadedModel& model) {
  Diagnostics& diagnostics = model.diagnostics;
  if (diagnostics.saturated() && diagnostics.all().back().id != "parse-007") {
    diagnostics.report("parse-007", diagnostics.all().back().span,
                       "too many errors; there may be more of them");
  }
  diagnostics.sort();
  diagnostics = without_consequences(std::move(diagnostics));
  model.symbols.finish();
  if (model.network == nullptr) return;
  const auto problems = well_formedness_problems(*model.network);
  if (problems.empty()) return;
  WHITTLE_REQUIRE(diagnostics.has_errors(), "the front end of '" + model.network->language +
                                                "' made a malformed network: " + problems[0]);
  model.network = nullptr;
}

std::string file_name(const Network& network, std::string_view ending) {
  std::string name = network.name;
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain) c = '_';
  }
  return name.append(ending);
}

}  // namespace whittle::frontend

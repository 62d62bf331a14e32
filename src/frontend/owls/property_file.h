// SPDX-License-Identifier: Apache-2.0
// Properties of users: in `X.prop` beside `X.owl`, lines `property name: expression`, which must
// hold in every reachable state.
#pragma once

#include "base/diagnostics.h"
#include "base/source.h"
#include "frontend/frontend.h"
#include "frontend/owls/instance.h"

namespace whittle::owls {

// What the properties are about.
struct Asked {
  Network& network;
  const Document& document;
  const Instance& process;
  InstanceId main;
  UniverseId universe;
};

void read_properties(const Asked& asked, Sources& sources, FileId document, const FileReader& read,
                     Diagnostics& diagnostics, SymbolIndex& symbols);

}  // namespace whittle::owls

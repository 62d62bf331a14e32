// SPDX-License-Identifier: Apache-2.0
// The language OWL-S 1.1 and 1.2: composite service processes, as RDF/XML.
#pragma once

#include "frontend/frontend.h"

namespace whittle::owls {

[[nodiscard]] Language language();

}  // namespace whittle::owls

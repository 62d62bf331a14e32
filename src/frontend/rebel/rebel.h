// SPDX-License-Identifier: Apache-2.0
// Rebel (.ebl, .tebl): specifications of business entities with life cycles, events and
// synchronisation, and test modules that ask about them. Described in docs/languages/rebel.md.
#pragma once

#include "frontend/frontend.h"

namespace whittle::rebel {

[[nodiscard]] Language language();

[[nodiscard]] LoadedModel load(Sources& sources, FileId file, const LoadOptions& options);

}  // namespace whittle::rebel

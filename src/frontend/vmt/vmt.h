// SPDX-License-Identifier: Apache-2.0
// VMT-LIB (.vmt): transition systems as annotated SMT-LIB 2 terms. What is read is described in
// docs/languages/vmt.md.
#pragma once

#include "frontend/frontend.h"

namespace whittle::vmt {

[[nodiscard]] Language language();

}  // namespace whittle::vmt

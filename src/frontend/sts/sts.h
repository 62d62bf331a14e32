// SPDX-License-Identifier: Apache-2.0
// Symbolic transition systems (.sts): one machine whose transitions are relations between old and
// new values. The language is described in docs/languages/sts.md.
#pragma once

#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace whittle::sts {

[[nodiscard]] Language language();

}  // namespace whittle::sts

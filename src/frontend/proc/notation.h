// SPDX-License-Identifier: Apache-2.0
// Values and conditions as a PROC file would write them.
#pragma once

#include <memory>

#include "ir/notation.h"

namespace whittle::proc {

[[nodiscard]] std::shared_ptr<const Notation> make_notation();

}  // namespace whittle::proc

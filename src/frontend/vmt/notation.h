// SPDX-License-Identifier: Apache-2.0
// Values and conditions as VMT-LIB writes them.
#pragma once

#include <memory>

#include "ir/network.h"
#include "ir/notation.h"

namespace whittle::vmt {

[[nodiscard]] std::shared_ptr<const Notation> make_notation();

}  // namespace whittle::vmt

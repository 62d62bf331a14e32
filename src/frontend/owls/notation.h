// SPDX-License-Identifier: Apache-2.0
// Values and conditions as expressions of ours would write them.
#pragma once

#include <memory>

#include "frontend/expression/expression_printer.h"
#include "ir/network.h"
#include "ir/notation.h"

namespace whittle::owls {

[[nodiscard]] std::shared_ptr<const Notation> make_notation();

}  // namespace whittle::owls

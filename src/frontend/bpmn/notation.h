// SPDX-License-Identifier: Apache-2.0
// How processes are shown: where the tokens are.
#pragma once

#include <memory>

#include "ir/notation.h"

namespace whittle::bpmn {

[[nodiscard]] std::shared_ptr<const Notation> make_notation();

}  // namespace whittle::bpmn

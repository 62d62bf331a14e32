// SPDX-License-Identifier: Apache-2.0
// The language BPMN 2.0: process diagrams as modelling tools export them.
#pragma once

#include "frontend/frontend.h"

namespace whittle::bpmn {

[[nodiscard]] Language language();

}  // namespace whittle::bpmn

// SPDX-License-Identifier: Apache-2.0
// How processes are shown: where the tokens are.
#pragma once

#include <memory>
#include <optional>

#include "frontend/bpmn/remarks.h"
#include "ir/notation.h"

namespace whittle::bpmn {

// Without remarks on what is in no state: a diagram without processes.
[[nodiscard]] std::shared_ptr<const Notation> make_notation(std::optional<Remarks> remarks = {});

}  // namespace whittle::bpmn

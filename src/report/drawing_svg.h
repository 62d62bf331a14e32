// SPDX-License-Identifier: Apache-2.0
// The picture of a model as its file has it (ir/drawing.h), with the tokens of a state on it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ir/drawing.h"

namespace whittle {

// `count_of`: how many tokens there are; whatever waits for one is marked. Empty: no state is
// shown.
[[nodiscard]] std::string drawing_svg(const Drawing& drawing,
                                      const std::function<std::uint64_t(VariableId)>& count_of);

}  // namespace whittle

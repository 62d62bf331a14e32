// SPDX-License-Identifier: Apache-2.0
// What a text expects of its properties, for every language.
#pragma once

#include <optional>

#include "base/diagnostics.h"
#include "ir/property.h"

namespace whittle::frontend {

// Sets what the text expects of a property, or reports that no answer of its kind is that
// (parse-008).
void expect_of(Property& property, const std::optional<Expectation>& expectation,
               Diagnostics& diagnostics);

}  // namespace whittle::frontend

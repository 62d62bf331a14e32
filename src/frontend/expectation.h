// SPDX-License-Identifier: Apache-2.0
// What a text expects of its properties, for every language.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "ir/property.h"

namespace whittle::frontend {

// Sets what the text expects of a property, or reports that no answer of its kind is that
// (parse-008).
void expect_of(Property& property, const std::optional<Expectation>& expectation,
               Diagnostics& diagnostics);

// "no stuck token: violated; ends once: holds", for languages whose properties are not written:
// what is said about the property of each name. Nothing: it is no such list.
[[nodiscard]] std::optional<std::vector<std::pair<std::string, Expectation>>> expectations_by_name(
    std::string_view text);

}  // namespace whittle::frontend

// SPDX-License-Identifier: Apache-2.0
// The list of languages. A new one is a folder under frontend/ and one entry in languages.cpp.
#pragma once

#include <span>
#include <string_view>

#include "frontend/frontend.h"

namespace whittle {

[[nodiscard]] std::span<const Language> languages();
// By id; null when there is none.
[[nodiscard]] const Language* find_language(std::string_view id);
// By the ending of a file name, upper or lower case; null when there is none.
[[nodiscard]] const Language* language_of_path(std::string_view path);
// ".ebl, .sts, .tebl": for messages.
[[nodiscard]] std::string known_extensions();

}  // namespace whittle

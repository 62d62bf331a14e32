// SPDX-License-Identifier: Apache-2.0
// A file whose ending says another language than its text.
#pragma once

#include <optional>
#include <string_view>

#include "base/diagnostics.h"

namespace whittle {

// The id of the language that the text looks like, by how it begins; empty: nobody can tell.
[[nodiscard]] std::string_view looks_like(std::string_view text);

// For a file that could not be read as `language`: that it is another one, in place of the errors
// that only follow from that. None: it does not look like another one.
[[nodiscard]] std::optional<Diagnostic> wrong_language(const SourceFile& file, FileId id,
                                                       std::string_view language);

}  // namespace whittle

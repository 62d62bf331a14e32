// SPDX-License-Identifier: Apache-2.0
// From characters to tokens. Linear, and it always reaches the end: what starts no token is
// reported and becomes one Bad token per run of such characters. After too many errors (a binary
// file) the rest is left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"
#include "frontend/expression/token.h"

namespace whittle::frontend {

// All tokens of the file; the last one is End, at the end of what was read.
[[nodiscard]] std::vector<Token> tokenize(const Sources& sources, FileId file,
                                          Diagnostics& diagnostics);

// The content of a Text token: without quotes, escapes resolved.
[[nodiscard]] std::string unquoted(std::string_view token_text);
// The other way round: a Text token with this content.
[[nodiscard]] std::string in_quotes(std::string_view content);
// Whether the text is a name that needs no quotes.
[[nodiscard]] bool is_plain_name(std::string_view text);

}  // namespace whittle::frontend

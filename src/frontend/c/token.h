// SPDX-License-Identifier: Apache-2.0
// C as tokens, after the little preprocessing that whittle does itself.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"
#include "frontend/c/remarks.h"

namespace whittle::c {

enum class TokenKind : std::uint8_t { Word, Number, Character, String, Symbol, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // as written
  Span span;              // of a token from a macro or a built-in header: where that is used
};

// The last token is the End. `remarks` gets the comments that are about whittle.
[[nodiscard]] std::vector<Token> tokenize(const Sources& sources, FileId file,
                                          Diagnostics& diagnostics, std::vector<Remark>& remarks);

// The same of what a preprocessor made of a file. Spans are in the file as written: line markers
// say where.
[[nodiscard]] std::vector<Token> tokenize_preprocessed(const Sources& sources, FileId preprocessed,
                                                       FileId written, Diagnostics& diagnostics);

}  // namespace whittle::c

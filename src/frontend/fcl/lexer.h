// SPDX-License-Identifier: Apache-2.0
// The tokens of an FCL file, of the kinds that all languages share, so that what reads formulas and
// what reports mistakes serves FCL, too. `;;` begins a comment. A `?` behind a name belongs to it
// (`null?`); one that stands by itself is a word. `/=` is a NotEqual. Numbers of statements (`[5]`
// as the last thing on a line) are taken out.
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"
#include "frontend/expression/token.h"

namespace whittle::fcl {

struct StatementNumber {
  std::uint32_t before = 0;  // index of the token that follows
  std::uint64_t number = 0;
  Span span;
};

struct Tokens {
  std::vector<frontend::Token> tokens;  // the last one is End
  std::vector<StatementNumber> numbers;
};

[[nodiscard]] Tokens tokenize(const Sources& sources, FileId file, Diagnostics& diagnostics);

}  // namespace whittle::fcl

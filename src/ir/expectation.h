// SPDX-License-Identifier: Apache-2.0
// What a file says about the answer of one of its properties: `expect violated`, `expect reachable
// in 5`. The words are the same in all languages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/source.h"

namespace whittle {

enum class VerdictKind : std::uint8_t { Reachable, Unreachable, Holds, Violated, Unknown };

[[nodiscard]] std::string_view to_string(VerdictKind kind);

// "Unknown" is met by every answer that meets the demand, too: somebody may find out.
struct Expectation {
  VerdictKind verdict = VerdictKind::Holds;
  std::optional<std::uint64_t> steps = {};  // of the trace at most; none: any number
  Span origin = {};                         // of the whole clause
};

// "violated", "reachable in 5".
[[nodiscard]] std::string to_string(const Expectation& expectation);
// The inverse, for languages that write the words in a string or a comment of theirs; the origin is
// left to the caller. Nothing: these are other words.
[[nodiscard]] std::optional<Expectation> expectation_of_words(std::string_view words);
// The verdict that can be expected by this word.
[[nodiscard]] std::optional<VerdictKind> expectable(std::string_view word);
// "expect violated, holds, reachable or unreachable, ...": what to write instead of `word`.
[[nodiscard]] std::string expectation_hint(std::string_view word);

}  // namespace whittle

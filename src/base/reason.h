// SPDX-License-Identifier: Apache-2.0
// Why something was not decided: a kind that programs act on, and words for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace whittle {

struct Reason {
  enum class Kind : std::uint8_t {
    Timeout,
    Memory,
    Interrupted,
    Bound,        // as many steps as were allowed are not enough
    Unsupported,  // the method has no answer to this kind of question
    Incomplete,   // the method ended without an answer
  };

  Kind kind = Kind::Incomplete;
  // Follows on the kind's word ("timeout" + "at depth 7"); says all of it for the last three.
  std::string detail = {};

  [[nodiscard]] std::string text() const;
};

// "timeout", "memory", "interrupted", "bound", "unsupported", "incomplete".
[[nodiscard]] std::string_view to_string(Reason::Kind kind);

// Somebody ended the work from outside: a limit or a person.
[[nodiscard]] constexpr bool is_limit(Reason::Kind kind) {
  return kind == Reason::Kind::Timeout || kind == Reason::Kind::Memory ||
         kind == Reason::Kind::Interrupted;
}

}  // namespace whittle

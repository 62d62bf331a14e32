// SPDX-License-Identifier: Apache-2.0
// The property files of the software verification competition: one question about a program.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace whittle::c {

struct Specification {
  enum class Kind : std::uint8_t {
    Everything,  // no file: each place is a question
    Calls,       // the function is never called
    Label,       // the label is never reached
    Overflow,    // no signed arithmetic overflows
    Terminates,
  };
  Kind kind = Kind::Everything;
  std::string name;  // of the function or the label
};

// `CHECK( init(main()), LTL(G ! call(reach_error())) )`; reports what it cannot read.
[[nodiscard]] Specification read_specification(std::string_view text, Span whole,
                                               Diagnostics& diagnostics);

}  // namespace whittle::c

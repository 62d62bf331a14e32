// SPDX-License-Identifier: Apache-2.0
// The programs of examples/cfa/proofs, as part of the program.
#pragma once

#include <string>
#include <vector>

namespace whittle::bench {

struct SliceProgram {
  std::string name;
  std::string text;
};

[[nodiscard]] std::vector<SliceProgram> slice_programs();

}  // namespace whittle::bench

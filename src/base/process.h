// SPDX-License-Identifier: Apache-2.0
// Other programs (Graphviz, SPIN, a C compiler): started without a shell, so that no argument has
// to be quoted.
//
//   if (const auto svg = output_of({"dot", "-Tsvg", file.string()})) ...
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"

namespace whittle {

struct ProcessOptions {
  std::filesystem::path folder = {};  // where it runs; empty: here
  Deadline deadline = Deadline::never();
  bool errors_too = false;  // what it writes to stderr is kept with the rest, not thrown away
};

// What the program writes to stdout, until it ends with 0; it reads nothing. None: there is no such
// program, it ends otherwise, or not in time; then it is killed with all it has started. The
// program is looked for in PATH.
[[nodiscard]] std::optional<std::string> output_of(const std::vector<std::string>& command,
                                                   const ProcessOptions& options = {});

}  // namespace whittle

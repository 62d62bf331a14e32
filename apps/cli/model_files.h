// SPDX-License-Identifier: Apache-2.0
// Which files the arguments of a command mean.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace whittle::cli {

// A file means itself; a folder means all files below it that are in a language whittle reads,
// sorted by path, except in hidden folders. A folder without such files is an error (file-011).
[[nodiscard]] std::vector<std::string> model_files(const std::vector<std::string>& arguments,
                                                   Diagnostics& diagnostics);

}  // namespace whittle::cli

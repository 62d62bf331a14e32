// SPDX-License-Identifier: Apache-2.0
// The program around the commands: finds the command, reads its options, runs it, and turns
// whatever happens into messages and an exit code.
#pragma once

#include <string>
#include <vector>

namespace whittle::cli {

// `arguments` without the name of the program. Returns the exit code.
[[nodiscard]] int run_application(std::vector<std::string> arguments);

}  // namespace whittle::cli

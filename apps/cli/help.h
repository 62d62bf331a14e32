// SPDX-License-Identifier: Apache-2.0
// Help, made from the list of commands and their options.
#pragma once

#include <cstddef>
#include <string>

#include "cli/command.h"

namespace whittle::cli {

// What whittle is and which commands it has.
[[nodiscard]] std::string overview(std::size_t width);
// Everything about one command.
[[nodiscard]] std::string help_text(const CommandInfo& command, std::size_t width);
// All commands and options as Markdown: docs/cli.md.
[[nodiscard]] std::string reference_markdown();
// All diagnostics as Markdown: docs/diagnostics.md.
[[nodiscard]] std::string diagnostics_markdown();

}  // namespace whittle::cli

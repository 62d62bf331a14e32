// SPDX-License-Identifier: Apache-2.0
// The command line of the commands that decide properties: `check` and `lint`.
#pragma once

#include <memory>

#include "cli/command.h"
#include "driver/check.h"

namespace whittle::cli {

using DecideFiles = CheckReport (*)(const std::vector<std::string>& paths, DecideContext& context,
                                    const CheckListener& listener);

[[nodiscard]] std::unique_ptr<Command> deciding_command(DecideFiles decide);

}  // namespace whittle::cli

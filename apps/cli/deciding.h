// SPDX-License-Identifier: Apache-2.0
// The command line of the commands that decide properties: `check` and `lint`.
#pragma once

#include <memory>

#include "cli/command.h"
#include "driver/check.h"
#include "report/report.h"

namespace whittle::cli {

using DecideFiles = CheckReport (*)(const std::vector<std::string>& paths, DecideContext& context,
                                    const CheckListener& listener);

using MakeWriter = std::unique_ptr<ReportWriter> (*)(const ReportStyle& style);

// `for_people`: instead of the format for people, unless everything is wanted; null: that one.
[[nodiscard]] std::unique_ptr<Command> deciding_command(DecideFiles decide,
                                                        MakeWriter for_people = nullptr);

}  // namespace whittle::cli

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/command.h"

namespace whittle::cli {

namespace {

class Version final : public Command {
 public:
  ExitCode run(const std::vector<std::string>&, Session& session) override {
    session.out.write(fmt::format("whittle {}\n", WHITTLE_VERSION));
    return ExitCode::Success;
  }
};

}  // namespace

extern const CommandInfo kVersion;
const CommandInfo kVersion = {
    "version",
    "",
    "print the version",
    "Prints the version of whittle.\n",
    0,
    0,
    [] { return std::unique_ptr<Command>(std::make_unique<Version>()); },
};

}  // namespace whittle::cli

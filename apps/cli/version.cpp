// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "driver/lists.h"

namespace whittle::cli {

namespace {

class Version final : public Command {
 public:
  void declare(OptionTable& table) override { table.add(list_); }

  ExitCode run(const std::vector<std::string>&, Session& session) override {
    if (*list_.json) {  // every document has it
      session.out.write(json_document(WHITTLE_VERSION, "", nullptr, {}, Sources()));
      return ExitCode::Success;
    }
    session.out.write(fmt::format("whittle {}\n", WHITTLE_VERSION));
    return ExitCode::Success;
  }

 private:
  ListOptions list_;
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

// SPDX-License-Identifier: Apache-2.0
#include "frontend/languages.h"

#include <fmt/format.h>

#include "cli/command.h"

namespace whittle::cli {

namespace {

class Languages final : public Command {
public:
  ExitCode run(const std::vector<std::string> &, Session &session) override {
    for (const Language &language : languages()) {
      session.out.write(fmt::format("{:<8} {:<14} {}\n", language.id,
                                    fmt::join(language.extensions, " "),
                                    language.summary));
      if (!language.example.empty()) {
        session.out.write(
            fmt::format("{:<23} for example {}\n", "", language.example));
      }
    }
    return ExitCode::Success;
  }
};

} // namespace

extern const CommandInfo kLanguages;
const CommandInfo kLanguages = {
    "languages",
    "",
    "list the languages that models are written in",
    "Lists the languages with the endings of their files.\n",
    0,
    0,
    [] { return std::unique_ptr<Command>(std::make_unique<Languages>()); },
};

} // namespace whittle::cli

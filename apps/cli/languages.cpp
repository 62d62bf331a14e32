// SPDX-License-Identifier: Apache-2.0
#include "driver/lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.h"

namespace whittle::cli {

namespace {

std::string extensions(const Language& language) {
  return fmt::format("{}", fmt::join(language.extensions, ", "));
}

class Languages final : public Command {
 public:
  void declare(OptionTable& table) override { table.add(list_); }

  ExitCode run(const std::vector<std::string>&, Session& session) override {
    if (*list_.json) {
      auto entries = nlohmann::ordered_json::array();
      for (const Language& language : languages())
        entries.push_back({{"id", language.id},
                           {"extensions", language.extensions},
                           {"summary", language.summary},
                           {"example", language.example}});
      session.out.write(json_document(WHITTLE_VERSION, "languages", entries, {}, Sources()));
      return ExitCode::Success;
    }
    std::size_t ids = 0;
    std::size_t endings = 0;
    for (const Language& language : languages()) {
      ids = std::max(ids, language.id.size());
      endings = std::max(endings, extensions(language).size());
    }
    for (const Language& language : languages()) {
      session.out.write(fmt::format("{:<{}}  {:<{}}  {}\n", language.id, ids, extensions(language),
                                    endings, language.summary));
      if (!language.example.empty()) {
        session.out.write(
            fmt::format("{:<{}}  example: {}\n", "", ids + 2 + endings, language.example));
      }
    }
    return ExitCode::Success;
  }

 private:
  ListOptions list_;
};

}  // namespace

extern const CommandInfo kLanguages;
const CommandInfo kLanguages = {
    "languages",
    "",
    "list the languages whittle reads",
    "Lists the languages with the endings of their files and an example to start with. The ending\n"
    "of a file name decides its language.\n",
    0,
    0,
    [] { return std::unique_ptr<Command>(std::make_unique<Languages>()); },
};

}  // namespace whittle::cli

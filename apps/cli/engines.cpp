// SPDX-License-Identifier: Apache-2.0
#include "driver/lists.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.h"

namespace whittle::cli {

namespace {

class Engines final : public Command {
 public:
  void declare(OptionTable& table) override { table.add(list_); }

  ExitCode run(const std::vector<std::string>&, Session& session) override {
    if (*list_.json) {
      auto entries = nlohmann::ordered_json::array();
      for (const EngineInfo* engine : engines())
        entries.push_back(
            {{"id", engine->id}, {"summary", engine->summary}, {"decides", engine->decides}});
      session.out.write(json_document(WHITTLE_VERSION, "engines", entries, {}, Sources()));
      return ExitCode::Success;
    }
    std::size_t ids = 0;
    for (const EngineInfo* engine : engines()) ids = std::max(ids, engine->id.size());
    const std::size_t width = std::min<std::size_t>(terminal_width(STDOUT_FILENO), 100);
    for (const EngineInfo* engine : engines()) {
      session.out.write(
          fmt::format("{:<{}}  {}\n", engine->id, ids, wrapped(engine->summary, ids + 2, width)));
      if (engine->decides.empty()) continue;
      session.out.write(
          fmt::format("{:<{}}  {}\n", "", ids, wrapped(engine->decides, ids + 2, width)));
    }
    return ExitCode::Success;
  }

 private:
  ListOptions list_;
};

}  // namespace

extern const CommandInfo kEngines;
const CommandInfo kEngines = {
    "engines",
    "",
    "list the engines and what each can decide",
    "Lists the engines that 'whittle check --engine ID' accepts, with what each can decide. The\n"
    "options of an engine begin with its id; 'whittle check --help' explains them.\n",
    0,
    0,
    [] { return std::unique_ptr<Command>(std::make_unique<Engines>()); },
};

}  // namespace whittle::cli

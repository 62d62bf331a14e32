// SPDX-License-Identifier: Apache-2.0
#include "engine/engines.h"

#include <fmt/format.h>

#include "cli/command.h"

namespace whittle::cli {

namespace {

class Engines final : public Command {
public:
  ExitCode run(const std::vector<std::string> &, Session &session) override {
    for (const EngineInfo *engine : engines()) {
      session.out.write(fmt::format("{:<12} {}\n{:<12} decides: {}\n",
                                    engine->id, engine->summary, "",
                                    engine->decides));
    }
    for (const smt::SolverInfo &solver : smt::solvers()) {
      session.out.write(
          fmt::format("solver {} {}\n", solver.name, solver.version()));
    }
    return ExitCode::Success;
  }
};

} // namespace

extern const CommandInfo kEngines;
const CommandInfo kEngines = {
    "engines",
    "",
    "list the engines and solvers",
    "Lists the engines with what each can decide, and the solvers they use.\n",
    0,
    0,
    [] { return std::unique_ptr<Command>(std::make_unique<Engines>()); },
};

} // namespace whittle::cli

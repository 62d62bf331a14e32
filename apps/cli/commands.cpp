// SPDX-License-Identifier: Apache-2.0
// The list of commands. A new one is a file beside this one and one entry here.
#include <algorithm>
#include <array>

#include "cli/command.h"

namespace whittle::cli {

extern const CommandInfo kCheck;
extern const CommandInfo kLint;
extern const CommandInfo kConstraints;
extern const CommandInfo kSlice;
extern const CommandInfo kExplain;
extern const CommandInfo kSimulate;
extern const CommandInfo kTests;
extern const CommandInfo kDraw;
extern const CommandInfo kInit;
extern const CommandInfo kExport;
extern const CommandInfo kBench;
extern const CommandInfo kLanguages;
extern const CommandInfo kEngines;
extern const CommandInfo kVersion;
extern const CommandInfo kCompletion;
extern const CommandInfo kHelp;

namespace {

// clang-format off
constexpr std::array kCommands = {
    &kCheck,
    &kLint,
    &kConstraints,
    &kSlice,
    &kExplain,
    &kSimulate,
    &kTests,
    &kDraw,
    &kInit,
    &kExport,
    &kBench,
    &kLanguages,
    &kEngines,
    &kVersion,
    &kCompletion,
    &kHelp,
};
// clang-format on

}  // namespace

std::span<const CommandInfo* const> commands() { return kCommands; }

const CommandInfo* find_command(std::string_view id) {
  const auto found = std::find_if(kCommands.begin(), kCommands.end(),
                                  [id](const CommandInfo* command) { return command->id == id; });
  return found == kCommands.end() ? nullptr : *found;
}

}  // namespace whittle::cli

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "base/write_file.h"
#include "cli/command.h"
#include "cli/starters.h"
#include "frontend/languages.h"

namespace whittle::cli {

namespace {

struct InitOptions : OptionGroup {
  InitOptions() : OptionGroup("Output") {}
  Option<std::string> output{*this, "output|o", "", "FILE", "write to this file"};
  Option<bool> print{*this, "print", "print the model instead of writing a file"};
};

class Init final : public Command {
 public:
  void declare(OptionTable& table) override { table.add(options_); }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    Diagnostics diagnostics;
    const Starter* starter = chosen(arguments[0], diagnostics);
    if (starter == nullptr) return refused(diagnostics, session);
    if (*options_.print) {
      session.out.write(starter->text);
      return ExitCode::Success;
    }
    const std::string path =
        options_.output.value().empty() ? std::string(starter->file) : *options_.output;
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) {
      diagnostics.report("cli-009", {}, fmt::format("'{}' is there already", path),
                         "give another name with --output");
      return refused(diagnostics, session);
    }
    write_file(path, starter->text);
    session.out.write(fmt::format("{} is written; now: whittle check {}\n", path, path));
    return ExitCode::Success;
  }

 private:
  static ExitCode refused(const Diagnostics& diagnostics, Session& session) {
    session.show(diagnostics, Sources());
    return ExitCode::BadInput;
  }

  // Null: there is none, which is reported.
  static const Starter* chosen(const std::string& id, Diagnostics& diagnostics) {
    if (const Starter* starter = starter_of(id)) return starter;
    if (const Language* language = find_language(id)) {
      diagnostics.report(
          "cli-004", {}, fmt::format("there is no model to begin with in {}", id),
          language->example.empty() ? "" : fmt::format("begin with {}", language->example));
      return nullptr;
    }
    NearestName meant(id);
    for (const Starter& starter : starters()) meant.offer(starter.language);
    diagnostics.report("cli-004", {}, fmt::format("there is no language '{}'", id),
                       meant.result() ? fmt::format("did you mean '{}'?", *meant.result())
                                      : "'whittle languages' lists them");
    return nullptr;
  }

  InitOptions options_;
};

}  // namespace

extern const CommandInfo kInit;
const CommandInfo kInit = {
    "init",
    "LANGUAGE",
    "write a small model to begin with",
    "Writes a model with comments: states, what can happen, a demand, and what is expected of the\n"
    "answer. 'whittle languages' lists the languages.\n"
    "\n"
    "  whittle init sts               account.sts\n"
    "  whittle init proc -o my.proc   under another name\n"
    "  whittle init rebel --print     on the terminal\n",
    1,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Init>()); },
};

}  // namespace whittle::cli

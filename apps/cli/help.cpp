// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/help_topics.h"
#include "frontend/languages.h"
#include "frontend/ltl_pattern_table.h"

namespace whittle::cli {

namespace {

constexpr std::string_view kExitCodes =
    "Exit codes:\n"
    "  0  every question is answered and every demand is met, or all is as the files expect\n"
    "  1  a demand is not met, or an answer is not the one that its file expects\n"
    "  2  the input or the call is wrong, or the output cannot be written\n"
    "  3  something is undecided, or known up to a bound only, and nothing is not met\n"
    "  4  a defect of whittle\n"
    "  128 + n  ended at once by signal n\n";

std::string usage(const CommandInfo& command) {
  std::string out = fmt::format("whittle {}", command.id);
  if (!command.arguments.empty()) out += fmt::format(" {}", command.arguments);
  return out;
}

// Prints the options of the command with those that all commands have.
template <class Print>
std::string with_options(const CommandInfo& info, Print print) {
  const auto command = info.make();
  CommonOptions common;
  OptionTable table;
  command->declare(table);
  table.add(common);
  return print(table);
}

std::string explanation(const Explained& one, std::size_t width) {
  std::string text = fmt::format("\n{}\n", wrapped(one.why, 0, width));
  if (!one.wrong.empty()) text += fmt::format("\n  instead of  {}", one.wrong);
  if (!one.right.empty())
    text += fmt::format("\n  {}  {}", one.wrong.empty() ? "for example" : "write     ", one.right);
  if (!one.wrong.empty() || !one.right.empty()) text += "\n";
  return text;
}

const DiagnosticInfo* find_diagnostic(std::string_view id) {
  const auto all = all_diagnostics();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [id](const DiagnosticInfo& info) { return info.id == id; });
  return found == all.end() ? nullptr : &*found;
}

class Help final : public Command {
 public:
  void declare(OptionTable& table) override { table.add(options_); }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    const std::size_t width = terminal_width(STDOUT_FILENO);
    if (*options_.markdown) {
      const bool diagnostics = !arguments.empty() && arguments[0] == "diagnostics";
      session.out.write(diagnostics ? diagnostics_markdown() : reference_markdown());
      return ExitCode::Success;
    }
    if (arguments.empty()) {
      session.out.write(overview(width));
      return ExitCode::Success;
    }
    return explain(arguments[0], width, session);
  }

 private:
  struct Options : OptionGroup {
    Options() : OptionGroup("Options") {}
    Option<bool> markdown{*this, "markdown",
                          "print all commands and options (or 'diagnostics') as Markdown"};
  };

  static ExitCode explain(const std::string& topic, std::size_t width, Session& session) {
    if (const CommandInfo* command = find_command(topic)) {
      session.out.write(help_text(*command, width));
      return ExitCode::Success;
    }
    if (topic == "patterns") {
      session.out.write(frontend::pattern_table());
      return ExitCode::Success;
    }
    if (topic == "exit-codes") {
      session.out.write(kExitCodes);
      return ExitCode::Success;
    }
    if (topic == "diagnostics") {
      for (const DiagnosticInfo& info : all_diagnostics()) {
        session.out.write(
            fmt::format("{:<10} {:<8} {}\n", info.id, to_string(info.severity), info.summary));
      }
      return ExitCode::Success;
    }
    if (const std::string_view sheet = cheat_sheet(topic); !sheet.empty()) {
      session.out.write(sheet);
      return ExitCode::Success;
    }
    if (const DiagnosticInfo* info = find_diagnostic(topic)) {
      session.out.write(
          fmt::format("{} ({}): {}\n", info->id, to_string(info->severity), info->summary));
      if (const Explained* more = explained(info->id))
        session.out.write(explanation(*more, std::min<std::size_t>(width, 100)));
      return ExitCode::Success;
    }
    NearestName meant(topic);
    for (const CommandInfo* command : commands()) meant.offer(command->id);
    for (const Language& language : languages()) meant.offer(language.id);
    meant.offer("exit-codes");
    meant.offer("patterns");
    meant.offer("diagnostics");
    Diagnostics diagnostics;
    diagnostics.report("cli-001", {}, fmt::format("there is no help on '{}'", topic),
                       meant.result()
                           ? fmt::format("did you mean 'whittle help {}'?", *meant.result())
                           : "'whittle help' lists the commands");
    session.show(diagnostics, Sources());
    return ExitCode::BadInput;
  }

  Options options_;
};

}  // namespace

std::string overview(std::size_t width) {
  std::string out =
      "whittle checks models built from state machines: it cuts a model down to what a question\n"
      "needs, decides the question, and checks its own answer on the whole model.\n\n"
      "usage: whittle COMMAND ...\n\n";
  std::size_t left = 0;
  for (const CommandInfo* command : commands()) {
    left = std::max(left, command->id.size() + command->arguments.size() + 3);
  }
  for (const CommandInfo* command : commands()) {
    const std::string call = fmt::format("{} {}", command->id, command->arguments);
    out += fmt::format("  {:<{}}{}\n", call, left, wrapped(command->summary, left + 2, width));
  }
  out +=
      "\n'whittle help COMMAND' explains a command with examples; also: 'whittle help "
      "exit-codes',\n'whittle help diagnostics', and 'whittle help ID' for the id in an error "
      "message.\n";
  return out;
}

std::string help_text(const CommandInfo& command, std::size_t width) {
  std::string out = fmt::format("usage: {} [OPTION...]\n\n{}", usage(command), command.help);
  out += '\n';
  out += with_options(command, [&](const OptionTable& table) {
    return table.help(std::min<std::size_t>(width, 100));
  });
  return out;
}

std::string reference_markdown() {
  std::string out =
      "# The command line\n\n"
      "This page is printed by `whittle help --markdown`; change the declarations, not the page.\n";
  for (const CommandInfo* command : commands()) {
    out += fmt::format("\n## `{}`\n\n{}.\n\n```\n{}```\n", usage(*command), command->summary,
                       command->help);
    const auto instance = command->make();
    OptionTable table;
    instance->declare(table);
    const std::string options = table.markdown();
    if (!options.empty()) out += '\n' + options;
  }
  CommonOptions common;
  OptionTable table;
  table.add(common);
  out += "\n## For all commands\n\n" + table.markdown();
  out += fmt::format("\n## Exit codes\n\n```\n{}```\n", kExitCodes);
  return out;
}

std::string diagnostics_markdown() {
  std::string out =
      "# Diagnostics\n\n"
      "This page is printed by `whittle help diagnostics --markdown`. An id keeps its meaning from "
      "release to\nrelease.\n\n"
      "| id | severity | meaning |\n|---|---|---|\n";
  for (const DiagnosticInfo& info : all_diagnostics()) {
    out += fmt::format("| `{}` | {} | {} |\n", info.id, to_string(info.severity), info.summary);
  }
  return out;
}

extern const CommandInfo kHelp;
const CommandInfo kHelp = {
    "help",
    "[TOPIC]",
    "explain a command, an error message or the exit codes",
    "Without a topic: the list of commands. A topic is a command, a language (its syntax on a\n"
    "page), the id in an error message, 'patterns', 'diagnostics' or 'exit-codes'.\n"
    "\n"
    "  whittle help version\n"
    "  whittle help sts\n"
    "  whittle help file-006\n",
    0,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Help>()); },
};

}  // namespace whittle::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/application.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/error.h"
#include "base/text.h"
#include "base/write_file.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "driver/lists.h"

namespace whittle::cli {

namespace {

void write_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

Color color_for(int descriptor, ColorChoice choice) {
  switch (choice) {
    case ColorChoice::Always:
      return Color::On;
    case ColorChoice::Never:
      return Color::Off;
    case ColorChoice::Auto:
      break;
  }
  return wants_color(descriptor) ? Color::On : Color::Off;
}

ExitCode refuse(const Diagnostics& diagnostics, ColorChoice color) {
  write_error(render(diagnostics, Sources(), color_for(STDERR_FILENO, color)));
  return ExitCode::BadInput;
}

bool wants_json(const std::vector<std::string>& arguments) {
  return std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
}

// A wrong call: for people, or for programs that asked for JSON.
ExitCode refuse_call(const Diagnostics& diagnostics, const std::vector<std::string>& arguments,
                     ColorChoice color, Output& out) {
  if (wants_json(arguments)) {
    out.write(json_document(WHITTLE_VERSION, "", nullptr, diagnostics, Sources()));
    out.flush();
    return ExitCode::BadInput;
  }
  return refuse(diagnostics, color);
}

// A limit that left nothing to report. What was written before it is not a part of a document.
ExitCode give_up(std::string_view reason, const std::vector<std::string>& arguments, Output& out) {
  if (wants_json(arguments)) {
    Diagnostics diagnostics;
    diagnostics.report("cli-010", {}, std::string(reason));
    out.write(json_document(WHITTLE_VERSION, "", nullptr, diagnostics, Sources()));
    out.flush();
  } else {
    write_error(fmt::format("whittle: {}\n", safe_text(reason, true)));
  }
  return ExitCode::Undecided;
}

Diagnostics unknown_command(const std::string& name) {
  Diagnostics diagnostics;
  std::error_code ignored;
  if (find_command("check") != nullptr && std::filesystem::exists(name, ignored)) {
    diagnostics.report("cli-001", {}, fmt::format("'{}' is a file, not a command", name),
                       fmt::format("whittle check {}", name));
    return diagnostics;
  }
  NearestName meant(name);
  for (const CommandInfo* command : commands()) meant.offer(command->id);
  diagnostics.report("cli-001", {}, fmt::format("there is no command '{}'", name),
                     meant.result() ? fmt::format("did you mean 'whittle {}'?", *meant.result())
                                    : "'whittle help' lists the commands");
  return diagnostics;
}

void check_argument_count(const CommandInfo& info, const std::vector<std::string>& arguments,
                          Diagnostics& diagnostics) {
  const std::string usage = fmt::format("usage: whittle {}{}{}", info.id,
                                        info.arguments.empty() ? "" : " ", info.arguments);
  if (arguments.size() < info.min_arguments) {
    diagnostics.report(
        "cli-005", {},
        arguments.empty()
            ? fmt::format("'whittle {}' needs {}", info.id, info.arguments)
            : fmt::format("'whittle {}' needs more than '{}'", info.id, fmt::join(arguments, " ")),
        usage);
  } else if (arguments.size() > info.max_arguments) {
    diagnostics.report("cli-006", {},
                       fmt::format("'{}' is one argument too many", arguments[info.max_arguments]),
                       usage);
  }
}

// Which other commands have an option, in words.
std::string commands_with_option(std::string_view name) {
  std::vector<std::string> found;
  for (const CommandInfo* info : commands()) {
    const std::unique_ptr<Command> command = info->make();
    OptionTable table;
    command->declare(table);
    if (table.find(name) != nullptr) found.push_back(fmt::format("'whittle {}'", info->id));
  }
  if (found.empty()) return {};
  return fmt::format("--{} is an option of {}", name, fmt::join(found, ", "));
}

ExitCode run_command(const CommandInfo& info, const std::vector<std::string>& all, Output& out,
                     const CancelToken& cancel) {
  const std::unique_ptr<Command> command = info.make();
  CommonOptions common;
  OptionTable table;
  command->declare(table);
  table.add(common);
  table.set_elsewhere(commands_with_option);

  Diagnostics diagnostics;
  const auto arguments = table.parse({all.begin() + 1, all.end()}, diagnostics);
  if (*common.help) {
    out.write(help_text(info, terminal_width(STDOUT_FILENO)));
    return ExitCode::Success;
  }
  if (*common.quiet && *common.verbose) {
    diagnostics.report("cli-007", {}, "--quiet and --verbose contradict each other");
  }
  // With a wrong option it is not certain what is an argument.
  if (!diagnostics.has_errors()) check_argument_count(info, arguments, diagnostics);
  if (diagnostics.has_errors()) return refuse_call(diagnostics, all, *common.color, out);

  Logger log(*common.verbose ? LogLevel::Debug : LogLevel::Warning, stderr_sink());
  Session session{out, log, cancel};
  session.out_color = color_for(STDOUT_FILENO, *common.color);
  session.error_color = color_for(STDERR_FILENO, *common.color);
  session.quiet = *common.quiet;
  session.verbose = *common.verbose;
  session.show_progress = !*common.quiet && is_terminal(STDERR_FILENO);
  session.command_line = all;
  return command->run(arguments, session);
}

ExitCode dispatch(std::vector<std::string>& arguments, Output& out, const CancelToken& cancel) {
  if (arguments.empty()) {
    write_error(overview(terminal_width(STDERR_FILENO)));
    return ExitCode::BadInput;
  }
  if (arguments[0] == "--help" || arguments[0] == "-h") arguments[0] = "help";
  if (arguments[0] == "--version" || arguments[0] == "-V") arguments[0] = "version";
  const CommandInfo* info = find_command(arguments[0]);
  if (info == nullptr)
    return refuse_call(unknown_command(arguments[0]), arguments, ColorChoice::Auto, out);
  const ExitCode result = run_command(*info, arguments, out, cancel);
  out.flush();
  return result;
}

ExitCode defect(std::string_view what) {
  write_error(fmt::format(
      "whittle: internal error: {}\n"
      "This is a defect of whittle, not of your input; please report it with the command and the "
      "files.\n",
      safe_text(what, true)));
  return ExitCode::Defect;
}

// The one place where exceptions become messages.
ExitCode guarded(std::vector<std::string>& arguments, Output& out, const CancelToken& cancel) {
  try {
    return dispatch(arguments, out, cancel);
  } catch (const OutputError& error) {
    Diagnostics diagnostics;
    diagnostics.report("file-010", {}, error.what());
    return refuse(diagnostics, ColorChoice::Auto);
  } catch (const CannotWrite& error) {
    Diagnostics diagnostics;
    diagnostics.report("cli-009", {}, error.what(),
                       "is the folder writable, and is there room on the disk?");
    return refuse_call(diagnostics, arguments, ColorChoice::Auto, out);
  } catch (const ResourceError& error) {
    return give_up(error.what(), arguments, out);
  } catch (const std::bad_alloc&) {
    return give_up("out of memory", arguments, out);
  } catch (const std::exception& error) {
    return defect(error.what());
  } catch (...) {
    return defect("an exception of unknown type");
  }
}

}  // namespace

void Session::show(const Diagnostics& diagnostics, const Sources& sources) const {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (quiet && diagnostic.severity != Severity::Error) continue;
    write_error(render(diagnostic, sources, error_color));
  }
}

int run_application(std::vector<std::string> arguments) {
  const CancelToken cancel;
  install_signal_handlers(cancel);
  Output out(STDOUT_FILENO);
  return static_cast<int>(guarded(arguments, out, cancel));
}

}  // namespace whittle::cli

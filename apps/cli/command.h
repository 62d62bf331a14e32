// SPDX-License-Identifier: Apache-2.0
// What a command is. Each stands in a file of its own, apps/cli/<id>.cpp, which ends with its
// CommandInfo; commands.cpp lists them. Help and the manual are made from that.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/diagnostics.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/option_table.h"
#include "base/source.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace whittle::cli {

// What every command may use.
struct Session {
  Output& out;  // stdout
  Logger& log;
  CancelToken cancel;  // set by the first SIGINT, SIGTERM or SIGHUP
  Color out_color = Color::Off;
  Color error_color = Color::Off;
  bool quiet = false;
  bool verbose = false;
  bool show_progress = false;
  std::vector<std::string> command_line = {};  // as given, for records

  // Writes to stderr for people.
  void show(const Diagnostics& diagnostics, const Sources& sources) const;
};

class Command {
 public:
  virtual ~Command() = default;
  // Adds the groups of options the command has; they are members of the command.
  virtual void declare(OptionTable&) {}
  // Called once the options are read and the number of arguments is right.
  virtual ExitCode run(const std::vector<std::string>& arguments, Session& session) = 0;
};

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

struct CommandInfo {
  std::string_view id;
  std::string_view arguments;  // "FILE..."
  std::string_view summary;    // one line
  std::string_view help;       // what it does and how to use it, with examples; ends in a newline
  std::size_t min_arguments;
  std::size_t max_arguments;
  std::unique_ptr<Command> (*make)();
};

// All commands, in the order of the help.
[[nodiscard]] std::span<const CommandInfo* const> commands();
// Null when there is none of that name.
[[nodiscard]] const CommandInfo* find_command(std::string_view id);

// The options that every command has.
enum class ColorChoice { Auto, Always, Never };
struct CommonOptions : OptionGroup {
  CommonOptions() : OptionGroup("Common options") {}
  Option<bool> help{*this, "help|h", "explain the command and its options"};
  Option<ColorChoice> color{
      *this,
      "color",
      ColorChoice::Auto,
      {{"auto", ColorChoice::Auto}, {"always", ColorChoice::Always}, {"never", ColorChoice::Never}},
      "colours; auto: on a terminal, unless NO_COLOR is set"};
  Option<bool> quiet{*this, "quiet|q", "only the essentials: no progress, no warnings"};
  Option<bool> verbose{*this, "verbose|v", "say what is being done, on stderr"};
};

// Of commands that only list what there is.
struct ListOptions : OptionGroup {
  ListOptions() : OptionGroup("Output") {}
  Option<bool> json{*this, "json", "the same as one JSON document"};
};

}  // namespace whittle::cli

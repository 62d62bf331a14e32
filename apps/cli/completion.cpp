// SPDX-License-Identifier: Apache-2.0
// Completion for shells and the manual page, made from the declarations of commands and options.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"

namespace whittle::cli {

namespace {

std::vector<const OptionBase*> options_of(Command& command, CommonOptions& common,
                                          OptionTable& table) {
  command.declare(table);
  table.add(common);
  std::vector<const OptionBase*> result;
  for (const OptionGroup* group : table.groups())
    for (const OptionBase* option : group->options()) result.push_back(option);
  return result;
}

// Calls `visit` with every command and its options.
template <class Visit>
void for_each_command(Visit visit) {
  for (const CommandInfo* info : commands()) {
    const std::unique_ptr<Command> command = info->make();
    CommonOptions common;
    OptionTable table;
    visit(*info, options_of(*command, common, table));
  }
}

std::string names_of_commands() {
  std::string all;
  for (const CommandInfo* info : commands())
    all += fmt::format("{}{}", all.empty() ? "" : " ", info->id);
  return all;
}

// In single quotes for a shell.
std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// The values of an option with a few named ones; empty: anything else.
std::string choices_of(const OptionBase& option) {
  std::string name = option.value_name();
  if (name.find('|') == std::string::npos) return {};
  std::replace(name.begin(), name.end(), '|', ' ');
  return name;
}

std::string bash_script() {
  std::string cases;
  std::string values;
  for_each_command([&](const CommandInfo& info, const std::vector<const OptionBase*>& options) {
    std::string names;
    for (const OptionBase* option : options) {
      names += fmt::format("{}--{}", names.empty() ? "" : " ", option->name());
      if (const std::string choices = choices_of(*option); !choices.empty())
        values +=
            fmt::format("    '{} --{}') COMPREPLY=($(compgen -W {} -- \"$word\")); return ;;\n",
                        info.id, option->name(), shell_quoted(choices));
    }
    cases += fmt::format("    {}) options={} ;;\n", info.id, shell_quoted(names));
  });
  return fmt::format(
      "# Completion of whittle for bash: eval \"$(whittle completion bash)\"\n"
      "_whittle() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options=''\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W {} -- \"$word\")); return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}} $before\" in\n{}  esac\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}  esac\n"
      "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  else COMPREPLY=($(compgen -f -- \"$word\")); fi\n"
      "}}\n"
      "complete -o filenames -F _whittle whittle ./whittle\n",
      shell_quoted(names_of_commands()), values, cases);
}

std::string fish_script() {
  std::string out = "# Completion of whittle for fish: whittle completion fish | source\n";
  for (const CommandInfo* info : commands())
    out += fmt::format("complete -c whittle -n __fish_use_subcommand -a {} -d {}\n", info->id,
                       shell_quoted(info->summary));
  for_each_command([&](const CommandInfo& info, const std::vector<const OptionBase*>& options) {
    for (const OptionBase* option : options) {
      out += fmt::format("complete -c whittle -n '__fish_seen_subcommand_from {}' -l {} -d {}",
                         info.id, option->name(), shell_quoted(option->help()));
      if (const std::string choices = choices_of(*option); !choices.empty())
        out += " -xa " + shell_quoted(choices);
      out += '\n';
    }
  });
  return out;
}

std::string zsh_script() {
  return "# Completion of whittle for zsh: eval \"$(whittle completion zsh)\"\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash_script();
}

// Text of a manual page: a line that begins with a dot or an apostrophe would be a command.
std::string roff(std::string_view text) {
  std::string result;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    line_start = c == '\n';
  }
  return result;
}

std::string manual_page() {
  std::string out = fmt::format(
      ".TH WHITTLE 1 \"\" \"whittle {}\" \"User commands\"\n.SH NAME\n"
      "whittle \\- checks models built from state machines\n.SH SYNOPSIS\n"
      "whittle COMMAND [OPTION...] [ARGUMENT...]\n.SH COMMANDS\n",
      WHITTLE_VERSION);
  for_each_command([&](const CommandInfo& info, const std::vector<const OptionBase*>& options) {
    out += fmt::format(".SS {} {}\n{}.\n.PP\n.nf\n{}.fi\n", roff(info.id), roff(info.arguments),
                       roff(info.summary), roff(info.help));
    for (const OptionBase* option : options)
      out += fmt::format(".TP\n.B \\-\\-{}{}{}\n{}\n", roff(option->name()),
                         option->is_flag() ? "" : " ", roff(option->value_name()),
                         roff(option->help()));
  });
  return out;
}

class Completion final : public Command {
 public:
  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    const std::string& what = arguments[0];
    if (what == "bash")
      session.out.write(bash_script());
    else if (what == "zsh")
      session.out.write(zsh_script());
    else if (what == "fish")
      session.out.write(fish_script());
    else if (what == "man")
      session.out.write(manual_page());
    else {
      Diagnostics diagnostics;
      diagnostics.report("cli-004", {}, fmt::format("nothing is made for '{}'", what),
                         "bash, zsh, fish or man");
      session.show(diagnostics, Sources());
      return ExitCode::BadInput;
    }
    return ExitCode::Success;
  }
};

}  // namespace

extern const CommandInfo kCompletion;
const CommandInfo kCompletion = {
    "completion",
    "bash|zsh|fish|man",
    "print completion for a shell, or the manual page",
    "Made from the commands and options that there are.\n"
    "\n"
    "  eval \"$(whittle completion bash)\"                  in ~/.bashrc\n"
    "  whittle completion man > whittle.1 && man ./whittle.1\n",
    1,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Completion>()); },
};

}  // namespace whittle::cli

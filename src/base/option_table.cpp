// SPDX-License-Identifier: Apache-2.0
#include "base/option_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace whittle {

struct OptionTable::Cursor {
  const std::vector<std::string>& arguments;
  std::size_t next = 0;

  // "-" and "-5" may be values; "-x" and "--x" are taken to be options.
  [[nodiscard]] bool at_value() const {
    if (next >= arguments.size()) return false;
    const std::string& text = arguments[next];
    return text.size() < 2 || text[0] != '-' || (text[1] >= '0' && text[1] <= '9');
  }
};

void OptionTable::add(OptionGroup& group) {
  groups_.push_back(&group);
  for (OptionBase* option : group.options()) {
    const bool fresh = by_name_.emplace(option->name(), option).second;
    WHITTLE_REQUIRE(fresh, "option declared twice: " + std::string(option->name()));
    if (const auto letter = option->short_name()) {
      const bool fresh_letter = by_short_name_.emplace(*letter, option).second;
      WHITTLE_REQUIRE(fresh_letter, std::string("short option declared twice: ") + *letter);
    }
  }
}

const OptionBase* OptionTable::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

std::vector<std::string> OptionTable::parse(const std::vector<std::string>& arguments,
                                            Diagnostics& diagnostics) {
  std::vector<std::string> rest;
  Cursor cursor{arguments};
  while (cursor.next < arguments.size()) {
    const std::string& argument = arguments[cursor.next++];
    if (argument == "--") {
      rest.insert(rest.end(), arguments.begin() + static_cast<std::ptrdiff_t>(cursor.next),
                  arguments.end());
      break;
    }
    if (argument.starts_with("--")) {
      parse_long(argument, cursor, diagnostics);
    } else if (argument.size() > 1 && argument[0] == '-') {
      parse_short(argument, cursor, diagnostics);
    } else {
      rest.push_back(argument);
    }
  }
  return rest;
}

void OptionTable::parse_long(std::string_view argument, Cursor& cursor, Diagnostics& diagnostics) {
  const std::size_t equals = argument.find('=');
  const std::string_view spelling = argument.substr(0, equals);
  const std::string_view name = spelling.substr(2);
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) {
    if (equals != std::string_view::npos) {
      assign(*found->second, spelling, argument.substr(equals + 1), diagnostics);
    } else {
      take_value(*found->second, spelling, cursor, diagnostics);
    }
    return;
  }
  if (name.starts_with("no-")) {
    const auto negated = by_name_.find(name.substr(3));
    if (negated != by_name_.end() && negated->second->is_flag()) {
      if (equals != std::string_view::npos) {
        diagnostics.report("cli-003", {}, fmt::format("{} takes no value", spelling));
      } else {
        assign(*negated->second, spelling, "off", diagnostics);
      }
      return;
    }
  }
  report_unknown(spelling, diagnostics);
}

void OptionTable::parse_short(std::string_view argument, Cursor& cursor, Diagnostics& diagnostics) {
  const std::string_view spelling = argument.substr(0, 2);
  const auto found = by_short_name_.find(argument[1]);
  if (found == by_short_name_.end()) return report_unknown(argument, diagnostics);
  OptionBase& option = *found->second;
  if (argument.size() == 2) return take_value(option, spelling, cursor, diagnostics);
  std::string_view attached = argument.substr(2);
  if (attached.front() == '=') attached.remove_prefix(1);
  assign(option, spelling, attached, diagnostics);  // -j4, -j=4
}

void OptionTable::take_value(OptionBase& option, std::string_view spelling, Cursor& cursor,
                             Diagnostics& diagnostics) {
  if (option.is_flag()) return assign(option, spelling, "on", diagnostics);
  if (cursor.at_value()) {
    return assign(option, spelling, cursor.arguments[cursor.next++], diagnostics);
  }
  diagnostics.report("cli-003", {}, fmt::format("{} needs a value", spelling),
                     fmt::format("write {} {}", spelling, option.value_name()));
}

void OptionTable::assign(OptionBase& option, std::string_view spelling, std::string_view text,
                         Diagnostics& diagnostics) {
  if (auto error = option.parse(text)) {
    diagnostics.report("cli-004", {}, fmt::format("{}: {}", spelling, error->message),
                       std::move(error->hint));
  }
}

void OptionTable::report_unknown(std::string_view spelling, Diagnostics& diagnostics) const {
  diagnostics.report("cli-002", {}, fmt::format("there is no option '{}'", spelling),
                     hint_for_unknown(spelling));
}

std::string OptionTable::hint_for_unknown(std::string_view spelling) const {
  if (elsewhere_ && spelling.starts_with("--")) {
    if (std::string hint = elsewhere_(spelling.substr(2)); !hint.empty()) return hint;
  }
  NearestName meant(spelling);
  for (const OptionGroup* group : groups_) {
    for (const OptionBase* option : group->options()) {
      meant.offer("--" + std::string(option->name()));
    }
  }
  return meant.result() ? fmt::format("did you mean '{}'?", *meant.result())
                        : "'--help' lists the options";
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, length);
    if (!out.empty()) {
      if (column + 1 + length > width) {
        out += '\n' + std::string(indent, ' ');
        column = indent;
      } else {
        out += ' ';
        ++column;
      }
    }
    out += word;
    column += length;
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return out;
}

namespace {

// "-o, --output FILE"
std::string signature(const OptionBase& option) {
  std::string out = option.short_name() ? fmt::format("-{}, ", *option.short_name()) : "";
  out += fmt::format("--{}", option.name());
  if (!option.is_flag()) out += ' ' + option.value_name();
  return out;
}

// "(0..100, default 5)"; choices are in the signature already.
std::string remark(const OptionBase& option) {
  std::vector<std::string> parts;
  const bool choices = option.value_name().find('|') != std::string::npos;
  if (!choices && !option.allowed().empty()) parts.push_back(option.allowed());
  if (!option.is_flag() && !option.default_text().empty()) {
    parts.push_back("default " + option.default_text());
  }
  if (option.is_repeated()) parts.emplace_back("may be repeated");
  return parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", "));
}

std::string escaped_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string OptionTable::help(std::size_t width) const {
  constexpr std::size_t kIndent = 28;  // where the explanations begin
  std::string out;
  for (const OptionGroup* group : groups_) {
    const auto options = group->options();
    if (options.empty()) continue;
    if (!out.empty()) out += '\n';
    out += fmt::format("{}:\n", group->title());
    for (const OptionBase* option : options) {
      const std::string left = "  " + signature(*option);
      out += left;
      if (left.size() + 2 > kIndent) {
        out += '\n' + std::string(kIndent, ' ');
      } else {
        out += std::string(kIndent - left.size(), ' ');
      }
      out += wrapped(std::string(option->help()) + remark(*option), kIndent, width) + '\n';
    }
  }
  return out;
}

std::string OptionTable::markdown() const {
  std::string out;
  for (const OptionGroup* group : groups_) {
    const auto options = group->options();
    if (options.empty()) continue;
    if (!out.empty()) out += '\n';
    out += fmt::format("### {}\n\n| option | values | default | meaning |\n|---|---|---|---|\n",
                       group->title());
    for (const OptionBase* option : options) {
      const std::string values =
          option->allowed().empty() ? option->value_name() : option->allowed();
      out += fmt::format("| `--{}` | {} | {} | {} |\n", option->name(), escaped_cell(values),
                         escaped_cell(option->default_text()), escaped_cell(option->help()));
    }
  }
  return out;
}

std::vector<std::string> OptionTable::non_defaults() const {
  std::vector<std::string> out;
  for (const OptionGroup* group : groups_) {
    for (const OptionBase* option : group->options()) {
      if (option->is_default()) continue;
      for (const std::string& text : option->value_texts()) {
        out.push_back(option->is_flag() ? fmt::format("--{}", option->name())
                                        : fmt::format("--{}={}", option->name(), text));
      }
    }
  }
  return out;
}

}  // namespace whittle

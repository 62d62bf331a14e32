// SPDX-License-Identifier: Apache-2.0
// Several groups of options as one command line: parsing, help, documentation.
//
//   OptionTable table;
//   table.add(common);
//   table.add(bmc);
//   std::vector<std::string> files = table.parse(arguments, diagnostics);
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"
#include "base/options.h"

namespace whittle {

class OptionTable {
 public:
  // The group must outlive the table. A name that another group has already is an InternalError.
  void add(OptionGroup& group);

  // Sets the options that `arguments` gives (`--name value`, `--name=value`, `-n value`; `--` ends
  // the options) and returns the rest. Everything that is wrong is reported as cli-002..004.
  std::vector<std::string> parse(const std::vector<std::string>& arguments,
                                 Diagnostics& diagnostics);

  [[nodiscard]] const OptionBase* find(std::string_view name) const;
  // Asked for a hint when `--name` is unknown, before similar names are looked for; gives an empty
  // text if it knows nothing either.
  using Elsewhere = std::function<std::string(std::string_view name)>;
  void set_elsewhere(Elsewhere elsewhere) { elsewhere_ = std::move(elsewhere); }
  [[nodiscard]] const std::vector<OptionGroup*>& groups() const { return groups_; }

  // One paragraph per group, one entry per option, `width` columns wide.
  [[nodiscard]] std::string help(std::size_t width = 100) const;
  // A table per group: option, values, default, meaning.
  [[nodiscard]] std::string markdown() const;
  // What differs from the defaults, as arguments that give the same again.
  [[nodiscard]] std::vector<std::string> non_defaults() const;

 private:
  // A place in the arguments that the parser reads from.
  struct Cursor;

  void parse_long(std::string_view argument, Cursor& cursor, Diagnostics& diagnostics);
  void parse_short(std::string_view argument, Cursor& cursor, Diagnostics& diagnostics);
  void assign(OptionBase& option, std::string_view spelling, std::string_view text,
              Diagnostics& diagnostics);
  void take_value(OptionBase& option, std::string_view spelling, Cursor& cursor,
                  Diagnostics& diagnostics);
  void report_unknown(std::string_view spelling, Diagnostics& diagnostics) const;
  [[nodiscard]] std::string hint_for_unknown(std::string_view spelling) const;

  std::vector<OptionGroup*> groups_;
  Elsewhere elsewhere_;
  std::unordered_map<std::string_view, OptionBase*> by_name_;
  std::unordered_map<char, OptionBase*> by_short_name_;
};

// Breaks `text` at spaces so that no line is longer than `width`, with `indent` spaces before
// every line but the first.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace whittle

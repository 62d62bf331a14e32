// SPDX-License-Identifier: Apache-2.0
#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "base/text.h"
#include "report/verdict_text.h"

namespace whittle {

namespace {

constexpr std::size_t kOnePage =
    40;  // lines of a table; of more there is a line per file or folder

constexpr std::size_t kSummaryColumns = 5;  // file, property, verdict, steps, time
struct SummaryRow {
  std::array<std::string, kSummaryColumns> cells;
  Sign sign;
};

std::string in_color(const ReportStyle& style, std::string_view color, std::string_view text) {
  return style.color == Color::On ? fmt::format("{}{}\x1b[0m", color, text) : std::string(text);
}

std::string filled(const std::string& text, std::size_t width, bool right = false) {
  const std::size_t own = columns(text);
  const std::string space(own < width ? width - own : 0, ' ');
  return right ? space + text : text + space;
}

// How many steps the trace has, or were looked at; empty: any number.
std::string steps_in_short(const PropertyResult& result) {
  if (const Trace* trace = result.verdict.trace()) return std::to_string(trace->length());
  if (const auto bound = result.verdict.bound()) return fmt::format("≤ {}", *bound);
  return "";
}

bool good(const PropertyResult& result) { return !undecided(result) && as_wanted(result) != false; }

using Results = std::vector<const PropertyResult*>;

// "3 hold, 1 violated".
std::string verdicts_of(const Results& results) {
  static constexpr std::array<std::string_view, 6> kOrder = {"holds",       "violated", "reachable",
                                                             "unreachable", "bounded",  "unknown"};
  std::map<std::string_view, std::size_t> counts;
  for (const PropertyResult* result : results) ++counts[verdict_word(*result)];
  std::vector<std::string> parts;
  for (const std::string_view word : kOrder) {
    const std::size_t count = counts[word];
    if (count > 0)
      parts.push_back(fmt::format("{} {}", count, word == "holds" && count > 1 ? "hold" : word));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

SummaryRow row_of(const PropertyResult& result) {
  return {{safe_text(result.file), safe_text(result.question().name), verdict_in_short(result),
           steps_in_short(result), fmt::format("{:.1f} s", result.verdict.seconds)},
          sign_of(result)};
}

// Of files in which all is well.
SummaryRow row_of(const std::string& file, const Results& results) {
  double seconds = 0;
  for (const PropertyResult* result : results) seconds += result->verdict.seconds;
  bool wanted = false;
  for (const PropertyResult* result : results) wanted = wanted || as_wanted(*result).has_value();
  return {
      {safe_text(file),
       results.size() == 1 ? safe_text(results[0]->question().name)
                           : fmt::format("{} properties", results.size()),
       results.size() == 1 ? verdict_in_short(*results[0]) : verdicts_of(results),
       results.size() == 1 ? steps_in_short(*results[0]) : "", fmt::format("{:.1f} s", seconds)},
      wanted ? Sign{"✓", "\x1b[32m"} : Sign{"•", "\x1b[36m"}};
}

// The folder that all files are in, with its slash; empty: there is none.
std::string common_folder(std::span<const PropertyResult> results) {
  std::string common = results.empty() ? "" : results[0].file;
  for (const PropertyResult& result : results) {
    const auto end =
        std::mismatch(common.begin(), common.end(), result.file.begin(), result.file.end());
    common.erase(end.first, common.end());
  }
  const std::size_t slash = common.rfind('/');
  return slash == std::string::npos ? "" : common.substr(0, slash + 1);
}

// Cut at its beginning: the name of a file is more than the folders above it.
std::string ending_of(const std::string& path, std::size_t width) {
  if (columns(path) <= width) return path;
  std::string rest = path;
  while (!rest.empty() && columns(rest) + 1 > width) rest.erase(0, decode_utf8(rest).bytes);
  return "…" + rest;
}

std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "" : file.substr(0, slash + 1);
}

// What a row is about, where all is well there.
enum class RowFor : std::uint8_t { Property, File, Folder };

std::vector<SummaryRow> rows_of(std::span<const PropertyResult> results, RowFor what) {
  const auto group_of = [&](const PropertyResult& result) {
    return what == RowFor::Folder ? folder_of(result.file) : result.file;
  };
  std::vector<SummaryRow> rows;
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < results.size(); begin = end) {
    Results together;
    std::set<std::string> files;
    const std::string group = group_of(results[begin]);
    while (end < results.size() && group_of(results[end]) == group) {
      const PropertyResult& result = results[end++];
      if (what == RowFor::Property || !good(result)) {
        rows.push_back(row_of(result));
      } else {
        together.push_back(&result);
        files.insert(result.file);
      }
    }
    if (together.empty()) continue;
    rows.push_back(row_of(
        files.size() == 1 ? *files.begin() : fmt::format("{} ({} files)", group, files.size()),
        together));
  }
  return rows;
}

}  // namespace

Sign sign_of(const PropertyResult& result) {
  if (undecided(result)) return {"?", "\x1b[33m"};
  const std::optional<bool> all_is_well = as_wanted(result);
  if (!all_is_well) return {"•", "\x1b[36m"};
  return *all_is_well ? Sign{"✓", "\x1b[32m"} : Sign{"✗", "\x1b[31m"};
}

std::string expectation_note(const PropertyResult& result) {
  const auto& expected = result.question().expected;
  if (!expected) return {};
  if (as_expected(result) == true) return ", as expected";
  return fmt::format(" (expected: {})", to_string(*expected));
}

std::string verdict_in_short(const PropertyResult& result) {
  return std::string(verdict_word(result)) + expectation_note(result);
}

std::string summary_table(std::span<const PropertyResult> results, const ReportStyle& style) {
  std::vector<SummaryRow> rows = rows_of(results, RowFor::Property);
  for (const RowFor what : {RowFor::File, RowFor::Folder})
    if (!style.verbose && rows.size() > kOnePage) rows = rows_of(results, what);
  const std::string folder = common_folder(results);
  for (SummaryRow& row : rows) row.cells[0].erase(0, safe_text(folder).size());
  const std::array<std::string, kSummaryColumns> header = {
      folder.empty() ? "file" : "in " + safe_text(folder), "property", "verdict", "steps", "time"};
  std::array<std::size_t, kSummaryColumns> widths{};
  for (std::size_t c = 0; c < kSummaryColumns; ++c) {
    widths[c] = columns(header[c]);
    for (const SummaryRow& row : rows) widths[c] = std::max(widths[c], columns(row.cells[c]));
  }
  // Names give way where the lines are wider than the terminal: first those of properties.
  std::size_t all = 2 * kSummaryColumns;
  for (const std::size_t width : widths) all += width;
  for (const std::size_t c : {std::size_t{1}, std::size_t{0}, std::size_t{2}}) {
    if (all <= style.width) break;
    const std::size_t least = std::min<std::size_t>(widths[c], c == 0 ? 24 : 14);
    const std::size_t less = std::min(all - style.width, widths[c] - least);
    widths[c] -= less;
    all -= less;
  }
  const auto line = [&](const std::array<std::string, kSummaryColumns>& cells, const Sign* sign) {
    std::string verdict = filled(ellipsized(cells[2], widths[2]), widths[2]);
    if (sign != nullptr) verdict = in_color(style, sign->color, verdict);
    std::string text = fmt::format(
        "{} {}  {}  {}  {}  {}", sign != nullptr ? in_color(style, sign->color, sign->mark) : " ",
        filled(ending_of(cells[0], widths[0]), widths[0]),
        filled(ellipsized(cells[1], widths[1]), widths[1]), verdict,
        filled(cells[3], widths[3], true), filled(cells[4], widths[4], true));
    return text + "\n";
  };
  std::string text = in_color(style, "\x1b[2m", line(header, nullptr));
  std::string file;
  for (SummaryRow& row : rows) {
    if (row.cells[0] == file)
      row.cells[0].clear();
    else
      file = row.cells[0];
    text += line(row.cells, &row.sign);
  }
  return text;
}

std::string totals(std::span<const PropertyResult> results, const ReportStyle& style) {
  std::size_t met_count = 0;
  std::size_t not_met = 0;
  std::size_t answered = 0;
  std::size_t unknown = 0;
  Results all;
  std::set<std::string> files;
  for (const PropertyResult& result : results) {
    all.push_back(&result);
    files.insert(result.file);
    const std::optional<bool> all_is_well = as_wanted(result);
    if (undecided(result)) {
      ++unknown;
    } else if (!all_is_well) {
      ++answered;
    } else {
      ++(*all_is_well ? met_count : not_met);
    }
  }
  std::vector<std::string> parts;
  auto add = [&](std::size_t count, std::string_view what, std::string_view color) {
    if (count > 0) parts.push_back(in_color(style, color, fmt::format("{} {}", count, what)));
  };
  add(not_met, "not met", "\x1b[31m");
  add(met_count, "met", "\x1b[32m");
  add(answered, "answered", "\x1b[36m");
  add(unknown, "undecided", "\x1b[33m");
  std::string text = fmt::format("{} properties", results.size());
  if (files.size() > 1) text += fmt::format(" in {} files", files.size());
  text += fmt::format(": {}", fmt::join(parts, ", "));
  if (files.size() > 1) text += fmt::format(" ({})", verdicts_of(all));
  return text + "\n";
}

}  // namespace whittle

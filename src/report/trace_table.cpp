// SPDX-License-Identifier: Apache-2.0
#include "report/trace_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "ir/property_kinds.h"
#include "report/invariant_text.h"
#include "report/shown.h"

namespace whittle {

namespace {

constexpr std::size_t kHead = 24;            // rows of a cut trace at its beginning
constexpr std::size_t kTail = 12;            // and at its end
constexpr std::size_t kLongestRound = 8;     // steps that are looked for as a round
constexpr std::size_t kFewestRounds = 3;     // that are not written one by one
constexpr std::size_t kWidestRound = 60;     // columns of a round in one row
constexpr std::size_t kLongestRegion = 300;  // bytes; longer ones are left out
constexpr std::size_t kWidestCell = 60;
constexpr std::size_t kNarrowestEvents = 24;  // what does not fit is wrapped
constexpr std::size_t kNarrowestChanges = 26;

// Columns; the last one has the changes.
constexpr std::size_t kStep = 0;
constexpr std::size_t kInstance = 1;
constexpr std::size_t kEvent = 2;
constexpr std::size_t kColumns = 4;
using Cells = std::array<std::string, kColumns>;

// A row of the table: a step, or an event that is synchronised with the one above.
struct Row {
  Cells cells;
  std::vector<std::string> changes;  // joined and wrapped into the last column
  std::string_view mark = " ";       // in front of it: a bracket around what is repeated for ever
};

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t own = columns(text);
  const std::string space(own < width ? width - own : 0, ' ');
  return right ? space + text : text + space;
}

// An event and its arguments over as many lines as it needs; synchronised ones are indented.
std::vector<std::string> wrapped_event(const std::string& text, std::size_t width) {
  if (columns(text) <= width) return {text};
  const std::size_t lead = std::min(text.find_first_not_of(' '), text.size());
  std::vector<std::string> lines = wrapped_condition(text, width > lead + 8 ? width - lead : 8, 2);
  for (std::string& line : lines) line.insert(0, lead, ' ');
  return lines;
}

// Steps that stand in the table together: one step, or rounds of several.
struct Stretch {
  std::size_t first = 0;   // in the list of steps
  std::size_t period = 1;  // steps of one round
  std::size_t rounds = 1;
  [[nodiscard]] std::size_t end() const { return first + period * rounds; }
};

bool alike(const TraceStep& a, const TraceStep& b) {
  return a.instance == b.instance && a.event == b.event && a.times == b.times &&
         a.arguments == b.arguments && a.targets == b.targets;
}

// The longest stretch from here on, by the shortest round that is repeated often enough.
Stretch stretch_at(const std::vector<TraceStep>& steps, std::size_t first) {
  for (std::size_t period = 1; period <= kLongestRound; ++period) {
    std::size_t end = first + period;
    while (end < steps.size() && alike(steps[end], steps[end - period])) ++end;
    const std::size_t rounds = (std::min(end, steps.size()) - first) / period;
    if (rounds >= kFewestRounds) return {first, period, rounds};
  }
  return {first, 1, 1};
}

class Table {
 public:
  Table(const PropertyResult& result, const ReportStyle& style, std::size_t indent)
      : result_(result),
        trace_(*result.verdict.trace()),
        model_(*result.network, trace_.universe),
        style_(style),
        indent_(indent) {}

  std::string text();

 private:
  [[nodiscard]] std::string change(const ShownValue& value, InstanceId here) const;
  void add_start();
  void add_step(std::size_t index, std::uint64_t number);
  void add_rounds(const Stretch& stretch, std::uint64_t number, std::uint64_t length);
  [[nodiscard]] std::vector<Stretch> stretches() const;
  void add_rows();
  void add_loop(std::size_t first_row);
  [[nodiscard]] std::string how_it_goes_on() const;
  void print(const Row& row);
  [[nodiscard]] std::string dim(const std::string& text) const {
    return style_.color == Color::On ? "\x1b[2m" + text + "\x1b[0m" : text;
  }

  const PropertyResult& result_;
  const Trace& trace_;
  ModelShown model_;
  const ReportStyle& style_;
  std::size_t indent_;
  std::vector<Row> rows_;
  std::array<std::size_t, kColumns> widths_{};
  std::uint64_t loop_number_ = 0;  // of the first step that is repeated
  std::string text_;
};

// A value of the instance that the row is about needs no name in front.
std::string Table::change(const ShownValue& value, InstanceId here) const {
  const bool own = !value.instance.valid() || value.instance == here || model_.single();
  const std::string prefix = own ? "" : model_.instance(value.instance);
  if (value.name.empty()) return prefix + (own ? "at " : " at ") + safe_text(value.value);
  return fmt::format("{}{}{} = {}", prefix, own ? "" : ".", value.name, safe_text(value.value));
}

void Table::add_start() {
  // One row per instance, the first of them with what is shared.
  std::vector<InstanceId> order;
  std::vector<std::vector<std::string>> groups;
  for (const ShownValue& value : model_.state(result_.replay->initial)) {
    if (order.empty() || order.back() != value.instance) {
      order.push_back(value.instance);
      groups.emplace_back();
    }
    groups.back().push_back(change(value, value.instance));
  }
  if (order.empty()) {
    order.emplace_back();
    groups.emplace_back();
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    Row row;
    if (i == 0) row.cells[kStep] = "0";
    if (i == 0) row.cells[kEvent] = "start";
    row.cells[kInstance] = model_.instance(order[i]);
    row.changes = std::move(groups[i]);
    rows_.push_back(std::move(row));
  }
}

void Table::add_step(std::size_t index, std::uint64_t number) {
  const ReplayedStep& step = result_.replay->steps[index];
  const std::uint64_t times = trace_.steps[index].times;
  const std::vector<ShownEvent> events = model_.events(step);
  std::vector<ShownValue> changes = model_.changes(step);
  const std::size_t first = rows_.size();
  for (const ShownEvent& event : events) {
    Row row;
    std::vector<std::string> arguments;
    for (const Shown& argument : event.arguments)
      arguments.push_back(argument.name + " = " + safe_text(argument.value));
    std::string call = std::string(2 * static_cast<std::size_t>(event.depth), ' ') + event.event;
    if (!arguments.empty()) call += fmt::format("({})", fmt::join(arguments, ", "));
    if (event.depth == 0) {
      row.cells[kStep] =
          times == 1 ? fmt::format("{}", number) : fmt::format("{}–{}", number, number + times - 1);
      if (times > 1) call += fmt::format(" × {}", times);
    }
    row.cells[kEvent] = std::move(call);
    row.cells[kInstance] = model_.instance(event.instance);
    rows_.push_back(std::move(row));
  }
  // Each change stands with the event of its instance, the rest with the root.
  for (const ShownValue& value : changes) {
    std::size_t where = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].instance == value.instance) where = i;
    }
    const InstanceId here = events.empty() ? InstanceId() : events[where].instance;
    rows_[first + where].changes.push_back(change(value, here));
  }
}

// Rows of the last round, with the changes that it makes: `(step(3); back) × 1250`, in one row
// where that is short.
void Table::add_rounds(const Stretch& stretch, std::uint64_t number, std::uint64_t length) {
  const std::size_t first = rows_.size();
  std::vector<std::string> calls;
  std::vector<ShownValue> changes;
  for (std::size_t i = stretch.end() - stretch.period; i < stretch.end(); ++i) {
    const std::size_t row = rows_.size();
    add_step(i, number);
    rows_[row].cells[kStep].clear();
    calls.push_back(rows_[row].cells[kEvent]);
    if (stretch.period > 1)
      rows_[row].cells[kEvent].insert(0, i + stretch.period == stretch.end() ? "(" : " ");
    if (i + 1 < stretch.end()) rows_[row].cells[kEvent] += ";";
    for (const ShownValue& value : model_.changes(result_.replay->steps[i])) {
      auto old = std::find_if(changes.begin(), changes.end(), [&](const ShownValue& other) {
        return other.instance == value.instance && other.name == value.name;
      });
      if (old != changes.end()) {
        old->value = value.value;
        continue;
      }
      changes.push_back(value);
    }
  }
  const bool one = stretch.period == 1;
  const std::string times = fmt::format("{} × {}", one ? "" : ")", stretch.rounds);
  const std::string together = fmt::format("{}{}{}", one ? "" : "(", fmt::join(calls, "; "), times);
  if (rows_.size() - first == stretch.period && model_.single() &&
      columns(together) <= kWidestRound) {
    rows_.resize(first);
    Row& row = rows_.emplace_back();
    row.cells[kEvent] = together;
    for (const ShownValue& value : changes) row.changes.push_back(change(value, value.instance));
  } else {
    rows_.back().cells[kEvent] += times;
  }
  rows_[first].cells[kStep] = fmt::format("{}–{}", number, number + length - 1);
}

std::vector<Stretch> Table::stretches() const {
  std::vector<Stretch> result;
  for (std::size_t i = 0; i < trace_.steps.size(); i = result.back().end()) {
    Stretch stretch = style_.full_trace ? Stretch{i, 1, 1} : stretch_at(trace_.steps, i);
    // What is repeated for ever stands by itself.
    const std::size_t loop = trace_.loop.value_or(0);
    if (i < loop && loop < stretch.end()) {
      stretch.rounds = (loop - i) / stretch.period;
      if (stretch.rounds < kFewestRounds) stretch = {i, 1, 1};
    }
    result.push_back(stretch);
  }
  return result;
}

void Table::add_rows() {
  add_start();
  const std::vector<Stretch> all = stretches();
  const bool cut = !style_.full_trace && all.size() > kHead + kTail + 1;
  std::uint64_t number = 1;
  std::uint64_t left_out = 0;
  std::optional<std::size_t> loop;  // the row in which it begins
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Stretch& stretch = all[i];
    if (trace_.loop && stretch.first >= *trace_.loop && !loop) {
      loop = rows_.size();
      loop_number_ = number;
    }
    std::uint64_t length = 0;
    for (std::size_t k = stretch.first; k < stretch.end(); ++k) length += trace_.steps[k].times;
    if (cut && i >= kHead && i < all.size() - kTail) {
      left_out += length;
      if (i + 1 == all.size() - kTail) {
        Row row;
        row.cells[kStep] = "…";
        row.cells[kEvent] = fmt::format("{} steps left out; --full-trace shows them", left_out);
        rows_.push_back(std::move(row));
      }
    } else if (stretch.rounds > 1) {
      add_rounds(stretch, number, length);
    } else {
      add_step(stretch.first, number);
    }
    number += length;
  }
  add_loop(loop.value_or(rows_.size()));
}

// A bracket from the row on, and a row that says where it leads.
void Table::add_loop(std::size_t first_row) {
  const std::string text = how_it_goes_on();
  if (text.empty()) return;
  for (std::size_t i = first_row; i < rows_.size(); ++i) rows_[i].mark = i == first_row ? "╭" : "│";
  Row row;
  row.mark = first_row < rows_.size() ? "╰" : " ";
  row.changes.push_back(text);
  rows_.push_back(std::move(row));
}

std::string Table::how_it_goes_on() const {
  if (goal_of(result_.question().kind) != GoalKind::RunRefutes) return {};
  if (!trace_.loop) return "whatever happens next";
  if (*trace_.loop >= trace_.steps.size()) return "nothing is possible any more; this state stays";
  if (!trace_.region.valid()) return fmt::format("back to the state before step {}", loop_number_);
  const std::string region = safe_text(model_.condition(trace_.region));
  if (region.size() > kLongestRegion) return "and so on for ever";
  return fmt::format("back to a state with {}; nothing else matters", region);
}

void Table::print(const Row& row) {
  const Cells& cells = row.cells;
  std::string line;
  if (indent_ > 0) {
    line.assign(indent_ - 1, ' ');
    line += row.mark;
  }
  line += dim(padded(cells[kStep], widths_[kStep], true)) + "  ";
  if (cells[kStep].empty() && cells[kInstance].empty() && cells[kEvent].empty()) {
    text_ += line + row.changes.front() + "\n";
    return;
  }
  if (!model_.single()) line += padded(cells[kInstance], widths_[kInstance], false) + "  ";
  const std::size_t before =
      indent_ + widths_[kStep] + 2 + (model_.single() ? 0 : widths_[kInstance] + 2);
  const std::vector<std::string> events = wrapped_event(cells[kEvent], widths_[kEvent]);
  const std::size_t start = before + widths_[kEvent] + 2;
  const std::size_t room =
      std::max<std::size_t>(style_.width > start ? style_.width - start : 0, 20);
  std::string current;
  std::size_t number = 0;  // of the line of this row
  auto flush = [&] {
    if (number > 0) line = std::string(before, ' ');
    line += padded(number < events.size() ? events[number] : "", widths_[kEvent], false);
    text_ +=
        current.empty() ? line.substr(0, line.find_last_not_of(' ') + 1) : line + "  " + current;
    text_ += '\n';
    ++number;
    current.clear();
  };
  for (std::size_t i = 0; i < row.changes.size(); ++i) {
    std::string piece = row.changes[i];
    if (i + 1 < row.changes.size()) piece += ",";
    if (!current.empty() && columns(current) + 1 + columns(piece) > room) flush();
    if (!current.empty()) current += ' ';
    current += piece;
  }
  do flush();
  while (number < events.size());
}

std::string Table::text() {
  add_rows();
  const Cells header = {"step", "instance", "event", ""};
  for (std::size_t c = 0; c < kColumns; ++c) widths_[c] = columns(header[c]);
  for (const Row& row : rows_) {
    for (std::size_t c = 0; c < kColumns; ++c)
      widths_[c] = std::max(widths_[c], std::min(columns(row.cells[c]), kWidestCell));
  }
  const std::size_t others = indent_ + widths_[kStep] + 2 +
                             (model_.single() ? 0 : widths_[kInstance] + 2) + 2 + kNarrowestChanges;
  const std::size_t room = style_.width > others ? style_.width - others : 0;
  widths_[kEvent] = std::min(widths_[kEvent], std::max(room, kNarrowestEvents));
  std::string head(indent_, ' ');
  head += padded(header[kStep], widths_[kStep], true) + "  ";
  if (!model_.single()) head += padded(header[kInstance], widths_[kInstance], false) + "  ";
  head += padded(header[kEvent], widths_[kEvent], false) + "  changes";
  text_ = dim(head) + "\n";
  for (const Row& row : rows_) print(row);
  return std::move(text_);
}

}  // namespace

std::string trace_table(const PropertyResult& result, const ReportStyle& style,
                        std::size_t indent) {
  return Table(result, style, indent).text();
}

}  // namespace whittle

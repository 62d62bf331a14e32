// SPDX-License-Identifier: Apache-2.0
// Diagnostics as text for people:
//
//   account.sts:12:9: error[sts-003]: there is no variable 'balanse'
//      12 |   when balanse > 0
//         |        ^~~~~~~
//   hint: did you mean 'balance'?
//   account.sts:3:5: note: 'balance' is declared here
//       3 | var balance: Real
//         |     ^~~~~~~
//
// Tabs are expanded, so that the caret stands right whatever the terminal makes of them; of a very
// long line only the surroundings of the caret are looked at and shown.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "base/text.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxColumns = 120;    // of a source line
constexpr std::size_t kColumnsBefore = 60;  // at least so many stay left of the caret in a cut line
constexpr std::size_t kWindowBytes = 1000;  // looked at on either side of the caret
constexpr std::size_t kTabWidth = 4;

class Painter {
 public:
  explicit Painter(Color color) : on_(color == Color::On) {}

  [[nodiscard]] std::string bold(std::string_view text) const { return paint("1", text); }
  [[nodiscard]] std::string hint(std::string_view text) const { return paint("1;32", text); }
  [[nodiscard]] std::string margin(std::string_view text) const { return paint("34", text); }
  [[nodiscard]] std::string severity(Severity severity, std::string_view text) const {
    switch (severity) {
      case Severity::Error:
        return paint("1;31", text);
      case Severity::Warning:
        return paint("1;35", text);
      case Severity::Note:
        return paint("1;36", text);
    }
    return std::string(text);
  }

 private:
  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const {
    return on_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
  bool on_;
};

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

struct MarkedLine {
  std::string text;
  std::string marks;  // spaces, a caret and tildes under `text`
};

// Lays the bytes [begin, end) of `line` out in columns with marks under them.
MarkedLine mark(std::string_view line, std::size_t begin, std::size_t end) {
  begin = std::min(begin, line.size());
  end = std::clamp(end, begin, line.size());

  std::size_t from = begin > kWindowBytes ? begin - kWindowBytes : 0;
  while (from > 0 && from < begin && continues_character(line[from])) ++from;
  std::size_t to = std::min(line.size(), begin + kWindowBytes);
  while (to > begin && to < line.size() && continues_character(line[to])) --to;

  std::vector<Cell> cells;
  std::size_t width = 0;
  std::size_t caret = 0;       // column where the caret stands
  std::size_t marked_end = 0;  // column after the last tilde
  for (std::size_t at = from; at < to;) {
    if (at <= begin) caret = width;
    const Character character = decode_utf8(line.substr(at, 4));
    Cell cell = line[at] == '\t' ? Cell{std::string(kTabWidth - width % kTabWidth, ' '),
                                        kTabWidth - width % kTabWidth}
                                 : shown(character, line[at]);
    width += cell.width;
    cells.push_back(std::move(cell));
    if (at < end) marked_end = width;
    at += character.bytes;
  }
  if (begin >= to) caret = width;

  // Which columns to show: all of a short line, else some before the caret and the rest after it.
  std::size_t first = 0;
  if (width > kMaxColumns && caret > kColumnsBefore) first = caret - kColumnsBefore;
  if (width > kMaxColumns) first = std::min(first, width > kMaxColumns ? width - kMaxColumns : 0);
  const std::size_t last = std::min(width, first + kMaxColumns);
  const bool cut_left = first > 0 || from > 0;
  const bool cut_right = last < width || to < line.size();

  MarkedLine result;
  if (cut_left) result.text = "... ";
  const std::size_t indent = result.text.size();
  std::size_t column = 0;
  std::size_t shown_from = 0;  // column of the first whole cell that is shown
  bool any = false;
  for (const Cell& cell : cells) {
    if (column >= first && column + cell.width <= last) {
      if (!any) shown_from = column;
      any = true;
      result.text += cell.text;
    }
    column += cell.width;
  }
  if (cut_right) result.text += " ...";

  const std::size_t caret_column = indent + (caret > shown_from ? caret - shown_from : 0);
  const std::size_t length =
      std::min(marked_end, last) > caret ? std::min(marked_end, last) - caret : 1;
  result.marks = std::string(caret_column, ' ') + '^' + std::string(length - 1, '~');
  return result;
}

void append_place(std::string& out, Span span, const Sources& sources, const Painter& paint) {
  if (!span.valid()) return;
  const SourceFile& file = sources.file(span.file);
  const LineColumn at = file.position(span.begin);
  out += paint.bold(fmt::format("{}:{}:{}:", safe_text(file.path()), at.line, at.column));
  out += ' ';
}

void append_excerpt(std::string& out, Span span, Severity severity, const Sources& sources,
                    const Painter& paint) {
  if (!span.valid()) return;
  const SourceFile& file = sources.file(span.file);
  const std::uint32_t number = file.position(span.begin).line;
  const std::uint32_t start = file.line_start(number);
  const MarkedLine line =
      mark(file.line(number), span.begin - start, std::max(span.begin, span.end) - start);
  out += paint.margin(fmt::format("{:>5} |", number));
  if (!line.text.empty()) out += ' ';
  out += line.text + '\n';
  out += paint.margin("      |") + ' ' + paint.severity(severity, line.marks) + '\n';
}

}  // namespace

std::string render(const Diagnostic& diagnostic, const Sources& sources, Color color) {
  const Painter paint(color);
  std::string out;
  append_place(out, diagnostic.span, sources, paint);
  out += paint.severity(diagnostic.severity,
                        fmt::format("{}[{}]:", to_string(diagnostic.severity), diagnostic.id));
  out += ' ' + paint.bold(safe_text(diagnostic.message, true)) + '\n';
  append_excerpt(out, diagnostic.span, diagnostic.severity, sources, paint);
  if (!diagnostic.hint.empty()) {
    out += paint.hint("hint:") + ' ' + safe_text(diagnostic.hint, true) + '\n';
  }
  for (const Diagnostic::Related& related : diagnostic.related) {
    append_place(out, related.span, sources, paint);
    out += paint.severity(Severity::Note, "note:") + ' ' + safe_text(related.message, true) + '\n';
    append_excerpt(out, related.span, Severity::Note, sources, paint);
  }
  return out;
}

std::string render(const Diagnostics& diagnostics, const Sources& sources, Color color) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.all()) out += render(diagnostic, sources, color);
  return out;
}

}  // namespace whittle

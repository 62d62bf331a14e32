// SPDX-License-Identifier: Apache-2.0
// Of several files there is a table (summary.h), and below it a block for each property that is not
// well. A block begins with a sign that says whether all is well, the property and the verdict;
// below it stand the witness and, dimmed, who found and who checked it (figures only if verbose):
//
//   ✗ nonNegative   violated in 2 steps
//       step  event         changes
//          0  start         at Open, balance = 50
//          1  withdraw(60)  balance = -10
//       bmc with z3; witness checked by replay
#include "report/text.h"

#include <fmt/format.h>

#include <mutex>

#include "base/text.h"
#include "ir/notation.h"
#include "report/essential.h"
#include "report/false_parts.h"
#include "report/invariant_text.h"
#include "report/summary.h"
#include "report/trace_table.h"
#include "report/verdict_text.h"

namespace whittle {

namespace {

constexpr std::size_t kIndent = 4;

class TextWriter final : public ReportWriter {
 public:
  explicit TextWriter(const ReportStyle& style) : style_(style) {}

  std::string result(const PropertyResult& result) override;
  std::string finish(std::span<const PropertyResult> results, const Diagnostics& diagnostics,
                     const Sources& sources) override;

 private:
  [[nodiscard]] std::string below_file(const PropertyResult& result, std::string text);
  [[nodiscard]] std::string headline(const PropertyResult& result) const;
  [[nodiscard]] std::string verdict_text(const PropertyResult& result) const;
  [[nodiscard]] std::string question(const PropertyResult& result) const;
  [[nodiscard]] std::string provenance(const PropertyResult& result) const;
  [[nodiscard]] std::string statistics(const PropertyResult& result) const;
  [[nodiscard]] std::string in_color(std::string_view color, std::string_view text) const {
    return style_.color == Color::On ? fmt::format("{}{}\x1b[0m", color, text) : std::string(text);
  }

  // Of several files there is a table at first, and below it only what is not well.
  [[nodiscard]] bool tabulates() const { return style_.files > 1 && !style_.quiet; }
  [[nodiscard]] std::string block(const PropertyResult& result) const;

  ReportStyle style_;
  std::string blocks_;  // to stand below the table
  std::mutex mutex_;    // a watchdog may write the end of a report in a thread of its own
  std::string file_;    // whose results were printed last
};

// A trace or an invariant that is shown was checked, so only what is not so is worth a word.
std::string trust(const Verdict& verdict) {
  if (!verdict.known()) return "";
  const bool shown = verdict.trace() != nullptr || verdict.invariant().valid();
  if (shown && verdict.witness.checked) return "";
  return fmt::format(" ({})", status(verdict.witness));
}

std::string TextWriter::verdict_text(const PropertyResult& result) const {
  if (bounded_only(result))
    return fmt::format("{}: {}{}", verdict_word(result), reason(result), expectation_note(result));
  const Verdict& verdict = result.verdict;
  std::string text = std::string(to_string(verdict.kind())) + steps_covered(result);
  if (!verdict.known() || result.question().kind == PropertyKind::Constraint) {
    const std::string why = reason(result);
    if (!why.empty()) text += ": " + safe_text(why);
  }
  return text + expectation_note(result) + trust(verdict);
}

std::string TextWriter::headline(const PropertyResult& result) const {
  const Sign sign = sign_of(result);
  std::string demand;
  if (result.demand() && result.question().kind == PropertyKind::Reach) {
    demand = result.question().wants_reachable ? " (must be reachable)" : " (must be unreachable)";
  }
  return fmt::format("{} {}{}  {}\n", in_color(sign.color, sign.mark),
                     in_color("\x1b[1m", safe_text(result.question().name)), demand,
                     in_color(sign.color, verdict_text(result)));
}

std::string TextWriter::provenance(const PropertyResult& result) const {
  const Verdict& verdict = result.verdict;
  std::string text = verdict.engine;
  if (!verdict.solver.empty()) text += " with " + verdict.solver;
  if (style_.verbose && !verdict.slice.mode.empty() && verdict.slice.mode != "off") {
    text += fmt::format(", slice {} ({} of {} transitions)", verdict.slice.mode,
                        verdict.slice.transitions.kept, verdict.slice.transitions.all);
  }
  if (style_.verbose) {
    text += fmt::format(", {} solver call{}, {:.2f} s", verdict.solver_calls,
                        verdict.solver_calls == 1 ? "" : "s", verdict.seconds);
  }
  if (const std::string by = checked_by(verdict.witness); !by.empty())
    text += verdict.witness.checked ? fmt::format("; {} by {}", status(verdict.witness), by)
                                    : "; " + by;
  const UniverseId universe = result.question().universe;
  if (universe.valid() && !result.network->universe(universe).description.empty() &&
      (result.network->universe(universe).instances.size() > 1 ||
       (traits_of(*result.network).chooses_universe && !result.question().bound.max))) {
    text += "; universe: " + result.network->universe(universe).description;
  }
  return std::string(kIndent, ' ') + in_color("\x1b[2m", safe_text(text)) + "\n";
}

std::string TextWriter::statistics(const PropertyResult& result) const {
  std::string text;
  for (const auto& [name, value] : result.verdict.statistics) {
    text += fmt::format("{:{}}{} = {:.6g}\n", "", kIndent + 2, name, value);
  }
  return text;
}

std::string TextWriter::result(const PropertyResult& result) {
  if (!tabulates()) return below_file(result, block(result));
  const bool well = !undecided(result) && as_wanted(result) != false && result.notes.empty();
  if (!style_.verbose && well) return {};
  std::string text = below_file(result, block(result));
  const std::scoped_lock lock(mutex_);
  blocks_ += text;
  return {};
}

std::string TextWriter::block(const PropertyResult& result) const {
  std::string text = headline(result);
  if (style_.quiet) return text;
  if (as_wanted(result) == false || undecided(result)) text += question(result);
  for (const std::string& note : result.notes)
    text +=
        fmt::format("{:{}}{} {}\n", "", kIndent, in_color("\x1b[33m", "note:"), safe_text(note));
  if (const Undecided* undecided = result.verdict.undecided()) {
    for (const std::string& line : undecided->next)
      text += fmt::format("{:{}}next: {}\n", "", kIndent, safe_text(line));
  }
  if (result.verdict.trace() != nullptr && result.replay) {
    const auto essential =
        style_.essential_trace ? essential_trace(result) : std::optional<EssentialTrace>();
    text += essential ? essential_text(result, *essential, kIndent)
                      : trace_table(result, style_, kIndent);
    text += false_parts_text(result, style_, kIndent);
  }
  if (result.verdict.invariant().valid()) text += invariant_text(result, style_, kIndent);
  text += provenance(result);
  if (style_.verbose) text += statistics(result);
  return text;
}

// The property as it is written, on a line of at most so many columns.
std::string TextWriter::question(const PropertyResult& result) const {
  if (result.text.empty() || result.line == 0) return {};
  std::string text;
  for (const char c : result.text) {
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!blank)
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  const std::string place = fmt::format("line {}: ", result.line);
  const std::size_t used = kIndent + place.size();
  const std::size_t room = style_.width > used + 20 ? style_.width - used : 20;
  return fmt::format("{:{}}{}{}\n", "", kIndent, in_color("\x1b[2m", place),
                     ellipsized(safe_text(text), room));
}

// Below the name of its file, where that is another one than before.
std::string TextWriter::below_file(const PropertyResult& result, std::string text) {
  const std::scoped_lock lock(mutex_);
  if (result.file == file_) return text;
  text = fmt::format("{}{}\n{}", file_.empty() ? "" : "\n", safe_text(result.file), text);
  file_ = result.file;
  return text;
}

std::string TextWriter::finish(std::span<const PropertyResult> results, const Diagnostics&,
                               const Sources&) {
  if (results.size() < 2) return {};
  std::string text;
  if (tabulates()) {
    const std::scoped_lock lock(mutex_);
    text = summary_table(results, style_);
    if (!blocks_.empty()) text += "\n" + blocks_;
  }
  return text + "\n" + totals(results, style_);
}

}  // namespace

std::unique_ptr<ReportWriter> make_text_writer(const ReportStyle& style) {
  return std::make_unique<TextWriter>(style);
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// A block begins with a sign that says whether all is well, the property and the verdict; below it
// stand the witness and, dimmed, how it was found:
//
//   ✗ nonNegative   violated in 2 steps
//       step  event         changes
//          0  start         at Open, balance = 50
//          1  withdraw(60)  balance = -10
//       bmc with z3, 3 solver calls, 0.01 s; replayed
#include "report/text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "expr/traverse.h"
#include "report/shown.h"
#include "report/trace_table.h"

namespace whittle {

namespace {

constexpr std::size_t kIndent = 4;
constexpr std::size_t kMaxConjuncts = 60;  // lines of an invariant, unless verbose
constexpr std::size_t kMaxCases = 6;       // of a long conjunct, unless verbose
constexpr std::size_t kLongLine = 200;

struct Sign {
  std::string_view mark;
  std::string_view color;  // of the mark and the verdict
};

Sign sign_of(const PropertyResult& result) {
  if (result.verdict.kind == VerdictKind::Unknown) return {"?", "\x1b[33m"};
  const std::optional<bool> good = met(result);
  if (!good) return {"•", "\x1b[36m"};
  return *good ? Sign{"✓", "\x1b[32m"} : Sign{"✗", "\x1b[31m"};
}

class TextWriter final : public ReportWriter {
 public:
  explicit TextWriter(const ReportStyle& style) : style_(style) {}

  std::string result(const PropertyResult& result) override;
  std::string finish(std::span<const PropertyResult> results, const Diagnostics& diagnostics,
                     const Sources& sources) override;

 private:
  [[nodiscard]] std::string headline(const PropertyResult& result) const;
  [[nodiscard]] std::string verdict_text(const PropertyResult& result) const;
  [[nodiscard]] std::string invariant_text(const PropertyResult& result) const;
  [[nodiscard]] std::string conjunct_text(const ModelShown& model, const ExprPool& pool,
                                          Expr part) const;
  [[nodiscard]] std::string provenance(const PropertyResult& result) const;
  [[nodiscard]] std::string statistics(const PropertyResult& result) const;
  [[nodiscard]] std::string in_color(std::string_view color, std::string_view text) const {
    return style_.color == Color::On ? fmt::format("{}{}\x1b[0m", color, text) : std::string(text);
  }

  ReportStyle style_;
  std::string file_;  // whose results were printed last
};

std::string TextWriter::verdict_text(const PropertyResult& result) const {
  const Verdict& verdict = result.verdict;
  std::string text = std::string(to_string(verdict.kind)) + steps_covered(result);
  const bool constraint = result.question().kind == PropertyKind::Constraint;
  if (verdict.kind == VerdictKind::Unknown || (constraint && !verdict.reason.empty())) {
    text += ": " + safe_text(verdict.reason);
  }
  return text;
}

std::string TextWriter::headline(const PropertyResult& result) const {
  const Sign sign = sign_of(result);
  std::string demand;
  if (result.question().demand && result.question().kind == PropertyKind::Reach) {
    demand = result.question().wants_reachable ? " (must be reachable)" : " (must be unreachable)";
  }
  return fmt::format("{} {}{}  {}\n", in_color(sign.color, sign.mark),
                     in_color("\x1b[1m", safe_text(result.question().name)), demand,
                     in_color(sign.color, verdict_text(result)));
}

// One conjunct a line, because that is how they are read: mostly one per node.
std::string TextWriter::invariant_text(const PropertyResult& result) const {
  const ModelShown model(*result.network, result.question().universe);
  const std::vector<Expr> parts = conjuncts(result.network->pool(), result.verdict.invariant);
  std::string text = std::string(kIndent, ' ') + "because in every reachable state\n";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == kMaxConjuncts && !style_.verbose) {
      text += fmt::format("{:{}}… and {} more; --verbose shows them\n", "", kIndent + 2,
                          parts.size() - i);
      break;
    }
    text += conjunct_text(model, result.network->pool(), parts[i]);
  }
  return text;
}

// A long disjunction has a line for each of its cases, which are ways the system can be in.
std::string TextWriter::conjunct_text(const ModelShown& model, const ExprPool& pool,
                                      Expr part) const {
  std::string whole = safe_text(model.condition(part));
  if (whole.size() <= kLongLine || pool.is_const(part) || pool.is_variable(part) ||
      pool.op(part) != Op::Or) {
    return fmt::format("{:{}}{}\n", "", kIndent + 2, whole);
  }
  const auto cases = pool.children(part);
  std::string text;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (i == kMaxCases && cases.size() - i > 1 && !style_.verbose) {
      text += fmt::format("{:{}}… and {} more cases; --verbose shows them\n", "", kIndent + 5,
                          cases.size() - i);
      break;
    }
    text += fmt::format("{:{}}{} {}\n", "", kIndent + 2, i == 0 ? "  " : "||",
                        safe_text(model.condition(cases[i])));
  }
  return text;
}

std::string TextWriter::provenance(const PropertyResult& result) const {
  const Verdict& verdict = result.verdict;
  std::string text = verdict.engine;
  if (!verdict.solver.empty()) text += " with " + verdict.solver;
  if (!verdict.slice.mode.empty() && verdict.slice.mode != "off") {
    text += fmt::format(", slice {} ({} of {} transitions)", verdict.slice.mode,
                        verdict.slice.transitions.kept, verdict.slice.transitions.all);
  }
  text += fmt::format(", {} solver call{}, {:.2f} s", verdict.solver_calls,
                      verdict.solver_calls == 1 ? "" : "s", verdict.seconds);
  if (!verdict.witness.by.empty()) {
    text += verdict.witness.checked ? "; witness checked by " + verdict.witness.by
                                    : "; " + verdict.witness.by;
  }
  const UniverseId universe = result.question().universe;
  // The universe of an invariant of Rebel is chosen, not written down, so people want to know it.
  if (universe.valid() && !result.network->universe(universe).description.empty() &&
      (result.network->universe(universe).instances.size() > 1 ||
       (result.network->language == "rebel" && !result.question().bound.max))) {
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
  std::string text;
  if (result.file != file_) {
    if (!file_.empty()) text += "\n";
    file_ = result.file;
    text += safe_text(file_) + "\n";
  }
  text += headline(result);
  if (style_.quiet) return text;
  if (result.verdict.trace && result.replay) text += trace_table(result, style_, kIndent);
  if (result.verdict.invariant.valid()) text += invariant_text(result);
  text += provenance(result);
  if (style_.verbose) text += statistics(result);
  return text;
}

std::string TextWriter::finish(std::span<const PropertyResult> results, const Diagnostics&,
                               const Sources&) {
  if (results.size() < 2) return {};
  std::size_t met_count = 0;
  std::size_t not_met = 0;
  std::size_t answered = 0;
  std::size_t unknown = 0;
  for (const PropertyResult& result : results) {
    const std::optional<bool> good = met(result);
    if (result.verdict.kind == VerdictKind::Unknown) {
      ++unknown;
    } else if (!good) {
      ++answered;
    } else {
      ++(*good ? met_count : not_met);
    }
  }
  std::vector<std::string> parts;
  auto add = [&](std::size_t count, std::string_view what, std::string_view color) {
    if (count > 0) parts.push_back(in_color(color, fmt::format("{} {}", count, what)));
  };
  add(not_met, "not met", "\x1b[31m");
  add(met_count, "met", "\x1b[32m");
  add(answered, "answered", "\x1b[36m");
  add(unknown, "undecided", "\x1b[33m");
  return fmt::format("\n{} properties: {}\n", results.size(), fmt::join(parts, ", "));
}

}  // namespace

std::unique_ptr<ReportWriter> make_text_writer(const ReportStyle& style) {
  return std::make_unique<TextWriter>(style);
}

}  // namespace whittle

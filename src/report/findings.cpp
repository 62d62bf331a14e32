// SPDX-License-Identifier: Apache-2.0
//   ✗ Claim.ebl: `never` can never happen
//   ✗ Claim.ebl: Claim can be stuck at `assessed`: here is how
//       step  event  changes
//       ...
//
//   2 findings; 8 other checks are fine (-v lists them)
#include "report/findings.h"

#include <fmt/format.h>

#include "base/text.h"
#include "ir/notation.h"
#include "ir/property_kinds.h"
#include "report/trace_table.h"
#include "report/verdict_text.h"

namespace whittle {

namespace {

constexpr std::size_t kIndent = 4;

std::string count_of(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// Names of events and locations, with the machine where there are several.
std::string of_machine(const Network& network, MachineId machine, const std::string& name) {
  return network.machines().size() > 1 ? network.machine(machine).name + "." + name : name;
}

class FindingsWriter final : public ReportWriter {
 public:
  explicit FindingsWriter(const ReportStyle& style) : style_(style) {}

  std::string result(const PropertyResult& result) override {
    if (!result.verdict.known()) {
      return fmt::format("{} {}{}: undecided: {}\n", in_color("\x1b[33m", "?"), file_of(result),
                         safe_text(result.question().name), safe_text(reason(result)));
    }
    if (as_wanted(result) != false) return {};
    const bool shows = result.verdict.trace() != nullptr && result.replay && !style_.quiet;
    std::string text =
        fmt::format("{} {}{}{}\n", in_color("\x1b[31m", "✗"), file_of(result),
                    safe_text(finding_in_words(result)), shows ? ": here is how" : "");
    if (shows) text += trace_table(result, style_, kIndent);
    return text;
  }

  std::string finish(std::span<const PropertyResult> results, const Diagnostics&,
                     const Sources&) override {
    if (results.empty()) return {};
    std::size_t found = 0;
    std::size_t unknown = 0;
    for (const PropertyResult& result : results) {
      if (!result.verdict.known())
        ++unknown;
      else if (as_wanted(result) == false)
        ++found;
    }
    std::string text = found == 0 ? "no findings" : count_of(found, "finding", "findings");
    if (unknown > 0) text += fmt::format(", {} undecided", unknown);
    const std::size_t fine = results.size() - found - unknown;
    if (fine > 0) {
      text += fmt::format("; {} {} (-v lists {})",
                          count_of(fine, found + unknown > 0 ? "other check" : "check",
                                   found + unknown > 0 ? "other checks" : "checks"),
                          fine == 1 ? "is fine" : "are fine", fine == 1 ? "it" : "them");
    }
    return (found + unknown > 0 ? "\n" : "") + text + "\n";
  }

 private:
  [[nodiscard]] std::string in_color(std::string_view color, std::string_view text) const {
    return style_.color == Color::On ? fmt::format("{}{}\x1b[0m", color, text) : std::string(text);
  }
  [[nodiscard]] static std::string file_of(const PropertyResult& result) {
    return safe_text(result.file) + ": ";
  }

  ReportStyle style_;
};

}  // namespace

std::string finding_in_words(const PropertyResult& result) {
  const Network& network = *result.network;
  const Property& property = result.question();
  const auto named = [&](EventId event) {
    return of_machine(network, network.event(event).machine, network.event(event).name);
  };
  switch (goal_of(property.kind)) {
    case GoalKind::ArcTaken: {
      const auto& taken = property.as<ArcGoal>();
      const Event& dead = network.event(taken.event);
      const std::string from = network.location(dead.arcs.at(taken.arc).from).name;
      const std::string where = dead.arcs.size() > 1 ? fmt::format(" at `{}`", from) : "";
      if (traits_of(network).programs)
        return fmt::format("`{}` at {} can never be executed", named(taken.event), from);
      return fmt::format("`{}` can never happen{}", named(taken.event), where);
    }
    case GoalKind::NeverMoves: {
      const Location& location = network.location(property.as<SinkholeGoal>().location);
      return fmt::format("{} can be stuck at `{}`", network.machine(location.machine).name,
                         location.name);
    }
    case GoalKind::Started:
      return fmt::format("nothing satisfies `{}`", property.name);
    case GoalKind::NoNextState:
      return fmt::format("`{}` is allowed by its conditions where its effects are impossible",
                         named(property.as<RelationGoal>().event));
    case GoalKind::NothingPossible:
      return "everything can get stuck";
    case GoalKind::ConditionHolds:
    case GoalKind::ConditionFails:
    case GoalKind::RunRefutes:
      break;
    case GoalKind::NeverAgain:
      return fmt::format("`{}`: there is a state without a way back", property.name);
  }
  return fmt::format("`{}` does not hold", property.name);
}

std::unique_ptr<ReportWriter> make_findings_writer(const ReportStyle& style) {
  return std::make_unique<FindingsWriter>(style);
}

}  // namespace whittle

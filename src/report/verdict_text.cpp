// SPDX-License-Identifier: Apache-2.0
#include "report/verdict_text.h"

#include <fmt/format.h>

#include "ir/property_kinds.h"
#include "report/shown.h"

namespace whittle {

namespace {

constexpr std::size_t kLongestCondition = 300;  // bytes; longer ones are left out

std::string count_of_steps(std::uint64_t count) {
  return fmt::format("{} step{}", count, count == 1 ? "" : "s");
}

// "no violation within 23 steps". Where the question is about runs of at least some steps, nothing
// is said about shorter ones.
std::string strongest_known(const Property& question, std::uint64_t clear_to) {
  const std::uint64_t first = question.bound.min;
  const std::string runs = first == 0 ? "within" : fmt::format("in {} to", first);
  return fmt::format("no {} {} {}", info(question.kind).goal_words, runs, count_of_steps(clear_to));
}

std::string why_unknown(const Undecided& undecided, const Property& question) {
  std::string text = undecided.reason.text();
  if (undecided.clear_to && *undecided.clear_to >= question.bound.min)
    text += "; " + strongest_known(question, *undecided.clear_to);
  return text;
}

std::string after_trace(const PropertyResult& result, const TraceFound& found) {
  if (!found.stuck) return "";
  const Network& network = *result.network;
  std::string text = found.stuck->instance.valid()
                         ? network.instance(found.stuck->instance).name + " never moves again"
                         : ModelShown(network, result.question().universe)
                                   .condition(result.question().condition()) +
                               " never holds again";
  text += ", whatever happens";
  if (!found.stuck->always.valid()) return text;
  const std::string always =
      ModelShown(network, result.question().universe).condition(found.stuck->always);
  if (always.size() <= kLongestCondition) text += ": from then on always " + always;
  return text;
}

struct WhyForAllRuns {
  std::string operator()(const UpToBound&) const { return ""; }
  std::string operator()(const Inductive&) const { return ""; }
  std::string operator()(const AllStates& states) const {
    if (!states.reduction.empty())
      return fmt::format("{} states were seen, and the others do not matter", states.count);
    return states.count == 1 ? "there is one state"
                             : fmt::format("there are {} states, and all were seen", states.count);
  }
  std::string operator()(const AllRunsShort& runs) const {
    switch (runs.of) {
      case AllRunsShort::Of::Steps:
        return fmt::format("no run has more than {} steps", runs.longest);
      case AllRunsShort::Of::ProjectedSteps:
        return fmt::format("every projected run has at most {} steps", runs.longest);
      case AllRunsShort::Of::AcceleratedSteps:
        return fmt::format("all runs have at most {} accelerated steps", runs.longest);
    }
    return "";
  }
  std::string operator()(const RangesSettled& ranges) const {
    return fmt::format("value ranges reach a fixpoint at depth {} that excludes the goal",
                       ranges.depth);
  }
  std::string operator()(const AlwaysGoesOn& always) const {
    return fmt::format("wherever it waits, a continuation lets it go on ({} found)",
                       always.continuations);
  }
  std::string operator()(const LiveProof& proof) const { return proof.answer; }
};

std::string why_decided(const PropertyResult& result) {
  if (const TraceFound* found = result.verdict.trace_found()) return after_trace(result, *found);
  const NoTrace& none = *result.verdict.no_trace();
  return none.bound ? "" : std::visit(WhyForAllRuns(), none.why);
}

// What the writer of a constraint wants to know about it.
std::string constraint_note(const PropertyResult& result) {
  const Verdict& verdict = result.verdict;
  if (const Trace* trace = verdict.trace()) {
    if (trace->steps.empty()) return "broken by a start";
    return fmt::format("broken by {}", result.network->event(trace->steps.back().event).name);
  }
  if (!verdict.alone) return "";
  if (verdict.alone->inductive) return "inductive by itself";
  if (verdict.alone->event.empty()) return "right, but not inductive by itself";
  return fmt::format("right, but not inductive by itself: {} may break it elsewhere",
                     verdict.alone->event);
}

std::string what_a_bound_leaves_open(const PropertyResult& result) {
  const GoalKind goal = goal_of(result.question().kind);
  const std::string_view found = goal == GoalKind::ConditionHolds ? "not reached"
                                 : goal == GoalKind::ArcTaken     ? "not taken"
                                                                  : "no violation";
  const std::string wanted =
      result.asked->max ? fmt::format("{} steps", *result.asked->max) : "any number of steps";
  return fmt::format("{}{}, and the model asks about {}", found, steps_covered(result), wanted);
}

std::string lacking(const WitnessCheck& check) {
  if (check.by_option) return "unchecked, as --check-bounded=off asks";
  const WitnessCheck::Gap gap = check.gap.value_or(WitnessCheck::Gap());
  if (gap.solver.empty()) return "unchecked: " + gap.reason.text();
  return fmt::format("unchecked by the second solver ({}{}{}: {})", gap.solver,
                     gap.obligation.empty() ? "" : " on ", gap.obligation, gap.reason.text());
}

std::string repeated_steps(const Trace& trace) {
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < *trace.loop; ++i) before += trace.steps[i].times;
  const std::uint64_t repeated = trace.length() - before;
  return fmt::format(": from step {} on the run {} for ever", before + 1,
                     trace.region.valid() ? "goes on"
                     : repeated == 1      ? "repeats a step"
                                          : fmt::format("repeats {} steps", repeated));
}

}  // namespace

std::string_view verdict_word(const PropertyResult& result) {
  return bounded_only(result) ? "bounded" : to_string(result.verdict.kind());
}

std::string reason(const PropertyResult& result) {
  if (bounded_only(result)) return what_a_bound_leaves_open(result);
  const Undecided* undecided = result.verdict.undecided();
  const std::string why =
      undecided != nullptr ? why_unknown(*undecided, result.question()) : why_decided(result);
  if (result.question().kind != PropertyKind::Constraint) return why;
  const std::string note = constraint_note(result);
  return note + (note.empty() || why.empty() ? "" : "; ") + why;
}

std::string steps_covered(const PropertyResult& result) {
  const Verdict& verdict = result.verdict;
  if (const Trace* trace = verdict.trace()) {
    if (trace->loop && *trace->loop < trace->steps.size()) return repeated_steps(*trace);
    std::string text = " in " + count_of_steps(trace->length());
    if (!verdict.trace_found()->shortest) text += " (there may be a shorter run)";
    return text;
  }
  const std::optional<std::uint64_t> bound = verdict.bound();
  if (!bound) return "";
  const std::uint64_t first = result.question().bound.min;
  if (first == 0) return " within " + count_of_steps(*bound);
  if (first == *bound) return " in exactly " + count_of_steps(first);
  return fmt::format(" between {} and {}", first, count_of_steps(*bound));
}

std::string_view status(const WitnessCheck& check) {
  if (!check.checked) return "unchecked";
  return check.on == WitnessCheck::On::Slice ? "checked on the slice" : "checked";
}

std::string checked_by(const WitnessCheck& check) {
  std::string text;
  if (check.checked) {
    text = fmt::format("{}", fmt::join(check.by, " and "));
    if (!check.text_gap.empty())
      text += " (not all of the text was evaluated: " + check.text_gap + ")";
  } else if (!check.missing()) {
    text = (check.by.empty() ? "" : "replayed; ") + lacking(check);
  }
  if (check.witness_omitted) text += "; not shown, because the time was over";
  return text;
}

}  // namespace whittle

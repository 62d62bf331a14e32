// SPDX-License-Identifier: Apache-2.0
#include "ir/property_result.h"

namespace whittle {

bool bounded_only(const PropertyResult& result) {
  const std::optional<std::uint64_t> bound = result.verdict.bound();
  if (!result.demand() || !result.asked || !bound) return false;
  return !result.asked->max || *result.asked->max > *bound;
}

namespace {

// No run of as many steps as the model asks about reaches the goal.
bool looked_far_enough(const PropertyResult& result) {
  const std::optional<std::uint64_t> bound = result.verdict.bound();
  const StepBound& wanted = result.asked ? *result.asked : result.question().bound;
  return !bound || (wanted.max && *wanted.max <= *bound);
}

std::optional<bool> within(const TraceFound& found, std::optional<std::uint64_t> steps) {
  if (!steps) return true;
  if (found.trace && found.trace->length() <= *steps) return true;
  if (found.trace && found.shortest) return false;
  return std::nullopt;
}

}  // namespace

bool undecided(const PropertyResult& result) {
  if (result.question().expected) return !as_expected(result);
  return !result.verdict.known() || bounded_only(result);
}

std::optional<bool> as_expected(const PropertyResult& result) {
  const std::optional<Expectation>& expected = result.question().expected;
  if (!expected) return std::nullopt;
  if (expected->verdict == VerdictKind::Unknown) return met(result) != false;
  if (!result.verdict.known()) return std::nullopt;
  const bool as_said = result.verdict.kind() == expected->verdict;
  if (const TraceFound* found = result.verdict.trace_found())
    return as_said ? within(*found, expected->steps) : false;
  if (expected->steps && result.verdict.bound() && *result.verdict.bound() >= *expected->steps)
    return false;
  if (!looked_far_enough(result)) return std::nullopt;
  return as_said;
}

std::optional<bool> as_wanted(const PropertyResult& result) {
  return result.question().expected ? as_expected(result) : met(result);
}

std::optional<bool> met(const PropertyResult& result) {
  if (!result.demand() || bounded_only(result)) return std::nullopt;
  switch (result.verdict.kind()) {
    case VerdictKind::Reachable:
      return result.question().wants_reachable;
    case VerdictKind::Unreachable:
      return !result.question().wants_reachable;
    case VerdictKind::Holds:
      return true;
    case VerdictKind::Violated:
      return false;
    case VerdictKind::Unknown:
      return std::nullopt;
  }
  return std::nullopt;
}

ExitCode exit_code_of(std::span<const PropertyResult> results) {
  bool open = false;
  for (const PropertyResult& result : results) {
    if (as_wanted(result) == false) return ExitCode::NotMet;
    open = open || undecided(result);
  }
  return open ? ExitCode::Undecided : ExitCode::Success;
}

}  // namespace whittle

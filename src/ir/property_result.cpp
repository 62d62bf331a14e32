// SPDX-License-Identifier: Apache-2.0
#include "ir/property_result.h"

namespace whittle {

bool bounded_only(const PropertyResult& result) {
  const std::optional<std::uint64_t> bound = result.verdict.bound();
  if (!result.demand() || !result.asked || !bound) return false;
  return !result.asked->max || *result.asked->max > *bound;
}

bool undecided(const PropertyResult& result) {
  return !result.verdict.known() || bounded_only(result);
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
    if (met(result) == false) return ExitCode::NotMet;
    open = open || undecided(result);
  }
  return open ? ExitCode::Undecided : ExitCode::Success;
}

}  // namespace whittle

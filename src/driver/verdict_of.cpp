// SPDX-License-Identifier: Apache-2.0
#include "driver/verdict_of.h"

#include <fmt/format.h>

namespace whittle {

namespace {

struct Meaning {
  VerdictKind reached;
  VerdictKind unreached;
  std::string_view goal;  // "no ... within 23 steps"
};

Meaning meaning(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::Reach:
      return {VerdictKind::Reachable, VerdictKind::Unreachable, "such state"};
    case PropertyKind::Invariant:
    case PropertyKind::Constraint:
    case PropertyKind::Assert:
    case PropertyKind::Bounds:
    case PropertyKind::Division:
      return {VerdictKind::Violated, VerdictKind::Holds, "violation"};
    case PropertyKind::Deadlock:
      return {VerdictKind::Violated, VerdictKind::Holds, "deadlock"};
    case PropertyKind::Sinkhole:
      return {VerdictKind::Violated, VerdictKind::Holds, "sinkhole"};
    case PropertyKind::UnsatRelation:
      return {VerdictKind::Violated, VerdictKind::Holds, "such state"};
    case PropertyKind::DeadTransition:
      return {VerdictKind::Holds, VerdictKind::Violated, "way to take it"};
    case PropertyKind::UnsatStart:
      return {VerdictKind::Holds, VerdictKind::Violated, "start"};
  }
  return {VerdictKind::Unknown, VerdictKind::Unknown, ""};
}

}  // namespace

VerdictKind verdict_of(PropertyKind kind, Outcome outcome) {
  switch (outcome) {
    case Outcome::Reached:
      return meaning(kind).reached;
    case Outcome::Unreached:
      return meaning(kind).unreached;
    case Outcome::Unknown:
      return VerdictKind::Unknown;
  }
  return VerdictKind::Unknown;
}

std::string strongest_known(PropertyKind kind, std::uint64_t first, std::uint64_t clear_to) {
  const std::string runs = first == 0 ? "within" : fmt::format("in {} to", first);
  return fmt::format("no {} {} {} step{}", meaning(kind).goal, runs, clear_to,
                     clear_to == 1 ? "" : "s");
}

}  // namespace whittle

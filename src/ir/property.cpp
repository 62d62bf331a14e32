// SPDX-License-Identifier: Apache-2.0
// Names of properties and verdicts, as they stand in JSON and on the terminal.
#include "ir/property.h"

#include "base/error.h"
#include "ir/verdict.h"

namespace whittle {

std::string_view to_string(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::Reach:
      return "reach";
    case PropertyKind::Invariant:
      return "invariant";
    case PropertyKind::Constraint:
      return "constraint";
    case PropertyKind::Assert:
      return "assert";
    case PropertyKind::Bounds:
      return "bounds";
    case PropertyKind::Division:
      return "division";
    case PropertyKind::Deadlock:
      return "deadlock";
    case PropertyKind::DeadTransition:
      return "dead-transition";
    case PropertyKind::Sinkhole:
      return "sinkhole";
    case PropertyKind::UnsatStart:
      return "unsat-start";
    case PropertyKind::UnsatRelation:
      return "unsat-relation";
  }
  throw InternalError("unknown kind of property");
}

bool says_what_must_hold(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::Invariant:
    case PropertyKind::Constraint:
    case PropertyKind::Assert:
    case PropertyKind::Bounds:
    case PropertyKind::Division:
      return true;
    case PropertyKind::Reach:
    case PropertyKind::Deadlock:
    case PropertyKind::DeadTransition:
    case PropertyKind::Sinkhole:
    case PropertyKind::UnsatStart:
    case PropertyKind::UnsatRelation:
      return false;
  }
  return false;
}

std::string_view to_string(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::Reachable:
      return "reachable";
    case VerdictKind::Unreachable:
      return "unreachable";
    case VerdictKind::Holds:
      return "holds";
    case VerdictKind::Violated:
      return "violated";
    case VerdictKind::Unknown:
      return "unknown";
  }
  throw InternalError("unknown kind of verdict");
}

}  // namespace whittle

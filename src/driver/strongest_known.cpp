// SPDX-License-Identifier: Apache-2.0
#include "driver/strongest_known.h"

#include <fmt/format.h>

namespace whittle {

namespace {

std::string_view evidence(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::Reach:
    case PropertyKind::UnsatRelation:
      return "such state";
    case PropertyKind::Invariant:
    case PropertyKind::Constraint:
    case PropertyKind::Assert:
    case PropertyKind::Bounds:
    case PropertyKind::Division:
      return "violation";
    case PropertyKind::Deadlock:
      return "deadlock";
    case PropertyKind::Sinkhole:
      return "sinkhole";
    case PropertyKind::DeadTransition:
      return "way to take it";
    case PropertyKind::UnsatStart:
      return "start";
  }
  return "";
}

}  // namespace

std::string strongest_known(PropertyKind kind, std::uint64_t clear_to) {
  return fmt::format("no {} within {} step{}", evidence(kind), clear_to, clear_to == 1 ? "" : "s");
}

}  // namespace whittle

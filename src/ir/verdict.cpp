// SPDX-License-Identifier: Apache-2.0
// Names of verdicts, as they stand in JSON and on the terminal.
#include "ir/verdict.h"

#include "base/error.h"

namespace whittle {

std::string_view status(const WitnessCheck& check) {
  if (!check.checked) return "unchecked";
  return check.on == WitnessCheck::On::Slice ? "checked on the slice" : "checked";
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

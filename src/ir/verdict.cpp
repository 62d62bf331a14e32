// SPDX-License-Identifier: Apache-2.0
// Names of verdicts, as they stand in JSON and on the terminal.
#include "ir/verdict.h"

#include "base/error.h"
#include "ir/property_kinds.h"

namespace whittle {

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

VerdictKind Verdict::kind() const {
  if (undecided() != nullptr) return VerdictKind::Unknown;
  return trace_found() != nullptr ? info(asked).reached : info(asked).unreached;
}

const Trace* Verdict::trace() const {
  const TraceFound* reached = trace_found();
  return reached != nullptr && reached->trace ? &*reached->trace : nullptr;
}

Expr Verdict::invariant() const {
  const auto* proof = because<Inductive>();
  return proof != nullptr ? proof->invariant : Expr();
}

std::optional<std::uint64_t> Verdict::bound() const {
  return no_trace() != nullptr ? no_trace()->bound : std::nullopt;
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "ir/verdict.h"

namespace whittle {

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

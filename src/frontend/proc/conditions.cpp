// SPDX-License-Identifier: Apache-2.0
#include "frontend/proc/conditions.h"

#include "expr/contradiction.h"

namespace whittle::proc {

void Conditions::add(frontend::SyntaxId id, Expr condition) {
  Use& use = uses_[id];
  if (pool_.is_false(condition)) return;
  if (contradiction(pool_, {&condition, 1}).empty()) {
    use.possible = true;
  } else {
    use.contradictory = true;
  }
}

void Conditions::warn(const frontend::SyntaxTree& tree, Diagnostics& diagnostics) const {
  for (const auto& [id, use] : uses_) {
    if (use.possible || !use.contradictory) continue;
    diagnostics.report("proc-022", tree.span(id), "this contradicts itself, so it is never true",
                       "is a part of it meant otherwise, or is one of them enough?");
  }
}

}  // namespace whittle::proc

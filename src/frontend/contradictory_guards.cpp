// SPDX-License-Identifier: Apache-2.0
#include "frontend/contradictory_guards.h"

#include <fmt/format.h>

#include <vector>

#include "expr/contradiction.h"

namespace whittle::frontend {

void warn_of_contradiction(const ExprPool& pool, std::span<const Guard> guards, std::string_view id,
                           std::string_view whose, Diagnostics& diagnostics) {
  std::vector<Expr> conditions;
  for (const Guard& guard : guards) {
    if (pool.is_false(guard.condition)) return;  // somebody wrote `false`, or it was said already
    conditions.push_back(guard.condition);
  }
  const std::vector<std::size_t> together = contradiction(pool, conditions);
  if (together.empty()) return;
  const Span last = guards[together.back()].origin;
  std::vector<Diagnostic::Related> others;
  for (const std::size_t i : together) {
    const Span other = guards[i].origin;
    if (other == last || (!others.empty() && others.back().span == other)) continue;
    others.emplace_back();
    others.back().span = other;
    others.back().message = "excluded by this";
  }
  diagnostics
      .report(id, last, fmt::format("{} contradicts itself, so it is never true", whose),
              others.empty() ? "is one of the conditions meant otherwise, or is one of them enough?"
                             : "is one of the two meant otherwise, or is one of them enough?")
      .related = std::move(others);
}

}  // namespace whittle::frontend

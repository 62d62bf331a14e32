// SPDX-License-Identifier: Apache-2.0
// When projections (projection.h) are worth their constraints.
#include <algorithm>

#include "engine/reduction/projection.h"

namespace whittle {

namespace {

// Can there be steps that a goal that reads these does without?
bool may_have_idle_steps(const TransitionSystem& system, const Accesses& accesses,
                         const std::vector<AccessedCell>& goal) {
  std::vector<char> in_goal(system.variables.size(), 0);
  for (const AccessedCell& cell : goal) in_goal[cell.variable] = 1;
  std::vector<char> takes_part(system.variables.size(), 0);  // by thread
  std::vector<std::uint32_t> idle;  // threads of steps that write elsewhere
  for (std::uint32_t t = 0; t < system.transitions.size(); ++t) {
    const auto& writes = accesses.of(t).writes;
    const bool direct = std::any_of(writes.begin(), writes.end(), [&](const AccessedCell& cell) {
      return in_goal[cell.variable] != 0;
    });
    const std::uint32_t thread = accesses.thread_of(t);
    if (!direct && thread == Accesses::kNone) return true;
    if (direct && thread != Accesses::kNone) takes_part[thread] = 1;
    if (!direct) idle.push_back(thread);
  }
  return std::any_of(idle.begin(), idle.end(),
                     [&](std::uint32_t thread) { return takes_part[thread] == 0; });
}

}  // namespace

bool may_have_idle_steps(const TransitionSystem& system, const Accesses& accesses) {
  if (may_have_idle_steps(system, accesses, accesses.of_goal())) return true;
  const std::vector<GoalPart>& parts = accesses.goal_parts();
  return parts.size() > 1 && !accesses.all_meet() &&
         std::any_of(parts.begin(), parts.end(), [&](const GoalPart& part) {
           return may_have_idle_steps(system, accesses, part.reads);
         });
}

}  // namespace whittle

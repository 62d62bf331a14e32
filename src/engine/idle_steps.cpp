// SPDX-License-Identifier: Apache-2.0
// When projections (projection.h) are worth their constraints.
#include <algorithm>
#include <set>

#include "engine/projection.h"

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

// Does every thread read and write one and the same variable, a mutex for example? Then a step of
// any thread influences the others.
bool all_meet(const TransitionSystem& system, const Accesses& accesses) {
  using Use = std::pair<std::uint32_t, std::uint32_t>;  // variable, thread
  std::set<Use> reads;
  std::set<Use> writes;
  std::set<std::uint32_t> threads;
  for (std::uint32_t t = 0; t < system.transitions.size(); ++t) {
    const std::uint32_t thread = accesses.thread_of(t);
    threads.insert(thread);
    auto note = [&](const AccessedCell& cell, std::set<Use>& uses) {
      if (!cell.index.valid()) uses.emplace(cell.variable, thread);
    };
    for (const AccessedCell& cell : accesses.of(t).reads) note(cell, reads);
    for (const auto& read : accesses.of(t).value_reads) note(read.cell, reads);
    for (const AccessedCell& cell : accesses.of(t).writes) note(cell, writes);
  }
  std::size_t count = 0;
  std::uint32_t last = Accesses::kNone;
  for (const Use& use : writes) {
    if (use.first != last) count = 0;
    last = use.first;
    if (reads.contains(use) && ++count == threads.size()) return true;
  }
  return false;
}

}  // namespace

bool may_have_idle_steps(const TransitionSystem& system, const Accesses& accesses) {
  if (may_have_idle_steps(system, accesses, accesses.of_goal())) return true;
  const std::vector<GoalPart>& parts = accesses.goal_parts();
  return parts.size() > 1 && !all_meet(system, accesses) &&
         std::any_of(parts.begin(), parts.end(), [&](const GoalPart& part) {
           return may_have_idle_steps(system, accesses, part.reads);
         });
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// A goal at depth K narrows the ranges at K; a transition into K whose result cannot be in those
// ranges is not taken from K - 1, and those that remain narrow the ranges at K - 1; and so on to
// the start. For n numbers counted down to a goal (`whittle bench deep-search`) that leaves a
// single path, and the solver has nothing to search.
#include "absint/interval/goal_bounds.h"

#include <algorithm>

namespace whittle {

namespace {
constexpr std::size_t kMaxHistory = 4'000'000;     // ranges and transitions kept over all depths
constexpr std::uint64_t kMaxLookedAt = 2'000'000;  // transitions, over all goals of a run
}  // namespace

void GoalBounds::remember(const std::vector<std::uint32_t>& possible) {
  if (!remembers_) return;
  const std::size_t each = ranges_.variables() + possible.size();
  if ((history_.size() + 1) * each > kMaxHistory) {
    remembers_ = false;
    history_ = {};
    return;
  }
  history_.push_back({of_variables(), possible});
}

std::vector<ValueRange> GoalBounds::of_variables() const {
  std::vector<ValueRange> result;
  result.reserve(ranges_.variables());
  for (std::uint32_t v = 0; v < ranges_.variables(); ++v) result.push_back(ranges_.store[v]);
  return result;
}

void GoalBounds::put_back(const std::vector<ValueRange>& ranges) {
  for (std::uint32_t v = 0; v < ranges_.variables(); ++v) ranges_.store.set(v, ranges[v]);
}

// State variables that were narrowed, with their ranges now.
GoalBounds::Wanted GoalBounds::narrowed_since(std::size_t mark) const {
  Wanted result;
  for (std::uint32_t slot : ranges_.store.narrowed_since(mark, ranges_.variables()))
    result.emplace_back(slot, ranges_.store[slot]);
  return result;
}

// requires: entered. Narrows to the states from which the transition leads into the ranges.
bool GoalBounds::leads_to(std::uint32_t t, const Wanted& wanted) {
  const Transition& transition = ranges_.system.transitions[t];
  for (const auto& [variable, range] : wanted) {
    const auto update =
        std::find_if(transition.updates.begin(), transition.updates.end(),
                     [v = variable](const Update& candidate) { return candidate.variable == v; });
    if (update != transition.updates.end()) {
      if (!ranges_.store.narrow_term(update->value, range)) return false;
      continue;
    }
    const bool open = std::find(transition.open.begin(), transition.open.end(), variable) !=
                      transition.open.end();
    if (!ranges_.store.narrow(open ? ranges_.next_slot(variable) : variable, range)) return false;
  }
  return true;
}

// From ranges at depth + 1 to ranges at depth; false: nothing leads there.
bool GoalBounds::step_back(std::uint64_t depth, Wanted& wanted, BackwardRanges& result) {
  const Known& known = history_[depth];
  put_back(known.ranges);
  joined_.clear();
  std::uint32_t survivors = 0;
  for (std::uint32_t t : known.possible) {
    ++looked_at_;
    const std::size_t mark = ranges_.store.mark();
    if (ranges_.enter(t) && leads_to(t, wanted)) {
      ++survivors;
      for (const auto& [variable, range] : narrowed_since(mark)) joined_.add(variable, range);
    } else {
      result.excluded.push_back({depth, t});
    }
    ranges_.store.restore(mark);
  }
  wanted.clear();
  for (std::uint32_t v = 0; v < ranges_.variables(); ++v) {
    if (joined_.count(v) < survivors || survivors == 0) continue;
    if (joined_[v] == known.ranges[v]) continue;
    wanted.emplace_back(v, joined_[v]);
    result.narrowed.push_back({depth, v, joined_[v]});
  }
  return survivors > 0;
}

BackwardRanges GoalBounds::propagate(std::uint64_t depth, std::size_t possible) {
  BackwardRanges result;
  const std::uint64_t cost = depth * possible;
  if (!remembers_ || looked_at_ + cost > kMaxLookedAt) return result;
  const std::size_t mark = ranges_.store.mark();
  result.possible = ranges_.store.assume_all(ranges_.goal);
  Wanted wanted = narrowed_since(mark);
  ranges_.store.restore(mark);
  if (!result.possible) return result;
  const std::vector<ValueRange> now = of_variables();
  while (depth-- > 0 && !wanted.empty() && result.possible)
    result.possible = step_back(depth, wanted, result);
  put_back(now);
  return result;
}

}  // namespace whittle

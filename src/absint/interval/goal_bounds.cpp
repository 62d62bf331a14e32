// SPDX-License-Identifier: Apache-2.0
// DepthBounds, backwards: a goal at depth K narrows the ranges at K; a transition into K whose
// result cannot be in those ranges is not taken from K - 1, and those that remain narrow the ranges
// at K - 1; and so on to the start. For n numbers counted down to a goal (`whittle bench
// deep-search`) that leaves a single path, and the solver has nothing to search.
#include <algorithm>

#include "absint/interval/depth_bounds.h"

namespace whittle {

namespace {
constexpr std::size_t kMaxHistory = 4'000'000;     // ranges and transitions kept over all depths
constexpr std::uint64_t kMaxLookedAt = 2'000'000;  // transitions, over all goals of a run
}  // namespace

void DepthBounds::remember() {
  if (!remembers_) return;
  const std::size_t each = system_.variables.size() + possible_.size();
  if ((history_.size() + 1) * each > kMaxHistory) {
    remembers_ = false;
    history_ = {};
    return;
  }
  const auto end = ranges_.begin() + static_cast<std::ptrdiff_t>(system_.variables.size());
  history_.push_back({{ranges_.begin(), end}, possible_});
}

// State variables that were narrowed, with their ranges now.
DepthBounds::Wanted DepthBounds::narrowed_since(std::size_t mark) const {
  std::vector<std::uint32_t> slots;
  for (std::size_t i = mark; i < trail_.size(); ++i) {
    if (trail_[i].first < system_.variables.size()) slots.push_back(trail_[i].first);
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  Wanted result;
  for (std::uint32_t slot : slots) result.emplace_back(slot, ranges_[slot]);
  return result;
}

// The term has a value in the range; narrows the variables of a sum.
bool DepthBounds::narrow_term(Expr term, const ValueRange& range) {
  const ValueRange own = evaluate(term);
  if (meet(own, range).empty()) return false;
  if (const std::uint32_t slot = slot_of(term); slot != kNoSlot) return narrow(slot, range);
  const Op op = pool_.op(term);
  if (op != Op::Add && op != Op::Sub) return true;
  const Type type = pool_.type(term);
  const auto children = pool_.children(term);
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::uint32_t slot = slot_of(children[i]);
    if (slot == kNoSlot) continue;
    // a + b = r:  a = r - b.   a - b = r:  a = r + b,  b = a - r.
    ValueRange result = range;
    for (std::size_t j = 0; j < children.size(); ++j) {
      if (j == i) continue;
      const ValueRange other = evaluate(children[j]);
      const bool first = op == Op::Sub && i == 0;
      const bool second = op == Op::Sub && i == 1;
      const ValueRange operands[] = {second ? other : result, second ? result : other};
      result = applied(pool_, first ? Op::Add : Op::Sub, type, operands);
    }
    if (!narrow(slot, result)) return false;
  }
  return true;
}

// requires: entered. Narrows to the states from which the transition leads into the ranges.
bool DepthBounds::leads_to(std::uint32_t t, const Wanted& wanted) {
  const Transition& transition = system_.transitions[t];
  for (const auto& [variable, range] : wanted) {
    const auto update =
        std::find_if(transition.updates.begin(), transition.updates.end(),
                     [v = variable](const Update& candidate) { return candidate.variable == v; });
    if (update != transition.updates.end()) {
      if (!narrow_term(update->value, range)) return false;
      continue;
    }
    const bool open = std::find(transition.open.begin(), transition.open.end(), variable) !=
                      transition.open.end();
    const std::uint32_t slot = open ? slots_[system_.variables[variable].next.index()] : variable;
    if (!narrow(slot, range)) return false;
  }
  return true;
}

// From ranges at depth + 1 to ranges at depth; false: nothing leads there.
bool DepthBounds::step_back(std::uint64_t depth, Wanted& wanted, LookedBack& result) {
  const Known& known = history_[depth];
  std::copy(known.ranges.begin(), known.ranges.end(), ranges_.begin());
  ++stamp_;
  std::fill(touch_count_.begin(), touch_count_.end(), 0);
  std::uint32_t survivors = 0;
  for (std::uint32_t t : known.possible) {
    ++looked_at_;
    const std::size_t mark = trail_.size();
    if (enter(t) && leads_to(t, wanted)) {
      ++survivors;
      for (auto& [variable, range] : narrowed_since(mark)) {
        touched_[variable] = touch_count_[variable] == 0 ? range : join(touched_[variable], range);
        ++touch_count_[variable];
      }
    } else {
      result.excluded.push_back({depth, t});
    }
    restore(mark);
  }
  wanted.clear();
  for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
    if (touch_count_[v] < survivors || survivors == 0) continue;
    if (touched_[v] == known.ranges[v]) continue;
    wanted.emplace_back(v, touched_[v]);
    result.narrowed.push_back({depth, v, touched_[v]});
  }
  return survivors > 0;
}

LookedBack DepthBounds::look_back() {
  LookedBack result;
  const std::uint64_t cost = depth_ * possible_.size();
  if (!remembers_ || looked_at_ + cost > kMaxLookedAt) return result;
  const std::size_t mark = trail_.size();
  result.possible = assume_all(goal_);
  Wanted wanted = narrowed_since(mark);
  restore(mark);
  if (!result.possible) return result;
  const auto end = ranges_.begin() + static_cast<std::ptrdiff_t>(system_.variables.size());
  const std::vector<ValueRange> now(ranges_.begin(), end);
  for (std::uint64_t depth = depth_; depth-- > 0 && !wanted.empty() && result.possible;) {
    result.possible = step_back(depth, wanted, result);
  }
  std::copy(now.begin(), now.end(), ranges_.begin());
  ++stamp_;
  return result;
}

}  // namespace whittle

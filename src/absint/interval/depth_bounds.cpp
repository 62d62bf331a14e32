// SPDX-License-Identifier: Apache-2.0
// Forward analysis with ranges, one set of ranges per depth. Nothing is widened, because the depth
// is bounded anyway. A transition first narrows the ranges by the conjuncts of its guard and
// relation; then its updates are evaluated.
#include "absint/interval/depth_bounds.h"

#include <algorithm>

#include "expr/traverse.h"

namespace whittle {

DepthBounds::DepthBounds(const TransitionSystem& system, Which which)
    : ranges_(system), goal_bounds_(ranges_), joined_(system.variables.size()), which_(which) {
  empty_ = !ranges_.store.assume_all(conjuncts(*system.pool, system.init));
  ranges_.store.commit();
  if (!empty_) find_possible();
}

void DepthBounds::find_possible() {
  possible_.clear();
  RangeStore& store = ranges_.store;
  for (std::uint32_t t = 0; t < ranges_.system.transitions.size(); ++t) {
    // Most are excluded by ranges as they are; this part is shared among transitions.
    const std::vector<Expr>& conditions = ranges_.conditions[t];
    const bool excluded = std::any_of(conditions.begin(), conditions.end(), [&](Expr condition) {
      return !store.evaluate(condition).may_be(true);
    });
    if (excluded) continue;
    const std::size_t mark = store.mark();
    if (ranges_.enter(t)) possible_.push_back(t);
    store.restore(mark);
  }
}

// requires: entered
void DepthBounds::join_after(std::uint32_t t, std::size_t mark) {
  const Transition& transition = ranges_.system.transitions[t];
  RangeStore& store = ranges_.store;
  std::vector<std::uint32_t> written;
  for (const Update& update : transition.updates) {
    joined_.add(update.variable, store.evaluate(update.value));
    written.push_back(update.variable);
  }
  for (std::uint32_t v : transition.open) {
    joined_.add(v, store[ranges_.next_slot(v)]);
    written.push_back(v);
  }
  std::sort(written.begin(), written.end());
  // What the guard narrows and the transition keeps stays narrow.
  for (std::uint32_t v : store.narrowed_since(mark, ranges_.variables())) {
    if (!std::binary_search(written.begin(), written.end(), v)) joined_.add(v, store[v]);
  }
}

void DepthBounds::advance() {
  goal_bounds_.remember(possible_);
  ++depth_;
  empty_ = empty_ || (possible_.empty() && which_ == Which::Exact);
  RangeStore& store = ranges_.store;
  joined_.clear();
  for (std::uint32_t t : possible_) {
    const std::size_t mark = store.mark();
    (void)ranges_.enter(t);
    join_after(t, mark);
    store.restore(mark);
  }
  bool changed = false;
  for (std::uint32_t v = 0; v < ranges_.variables(); ++v) {
    if (joined_.count(v) == 0) continue;
    const bool always = joined_.count(v) == possible_.size() && which_ == Which::Exact;
    ValueRange next = always ? joined_[v] : join(joined_[v], store[v]);
    if (next == store[v]) continue;
    store.set(v, std::move(next));
    changed = true;
  }
  fixpoint_ = !changed;
  if (changed) find_possible();
}

bool DepthBounds::goal_possible() {
  if (empty_) return false;
  const std::size_t mark = ranges_.store.mark();
  const bool result = ranges_.store.assume_all(ranges_.goal);
  ranges_.store.restore(mark);
  return result;
}

ValueRange DepthBounds::range_when_taken(std::uint32_t transition, Expr term) {
  const std::size_t mark = ranges_.store.mark();
  ValueRange result;
  if (ranges_.enter(transition)) result = ranges_.store.evaluate(term);
  ranges_.store.restore(mark);
  return result;
}

}  // namespace whittle

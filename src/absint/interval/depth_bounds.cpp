// SPDX-License-Identifier: Apache-2.0
// Forward analysis with ranges, one set of ranges per depth. Nothing is widened, because the depth
// is bounded anyway. A transition first narrows the ranges by the conjuncts of its guard and
// relation (`amount <= balance` bounds the amount), twice, so that what one conjunct finds serves
// the others; then its updates are evaluated.
#include "absint/interval/depth_bounds.h"

#include <algorithm>

#include "expr/traverse.h"

namespace whittle {

namespace {
constexpr unsigned kMaxNesting = 4;        // of connectives that narrowing looks into
constexpr std::size_t kMaxDisjuncts = 64;  // that narrowing tries one by one
}  // namespace

DepthBounds::DepthBounds(const TransitionSystem& system, Which which)
    : system_(system), pool_(*system.pool), which_(which), places_(*system.pool) {
  for (const StateVariable& variable : system.variables) add_slot(variable.current);
  for (const Transition& transition : system.transitions) {
    for (SymbolId input : transition.inputs) add_slot(input);
    for (std::uint32_t v : transition.open) add_slot(system.variables[v].next);
    std::vector<Expr> parts = conjuncts(pool_, transition.guard);
    if (transition.relation.valid()) {
      const std::vector<Expr> more = conjuncts(pool_, transition.relation);
      parts.insert(parts.end(), more.begin(), more.end());
    }
    conditions_.push_back(std::move(parts));
  }
  for (SymbolId input : system.goal.inputs) add_slot(input);
  goal_ = conjuncts(pool_, system.goal.condition);
  touched_.resize(system.variables.size());
  touch_count_.resize(system.variables.size());
  dead_ = !assume_all(conjuncts(pool_, system.init));
  trail_.clear();
  if (!dead_) find_possible();
}

void DepthBounds::add_slot(SymbolId symbol) {
  if (symbol.index() >= slots_.size()) slots_.resize(symbol.index() + 1, kNoSlot);
  if (slots_[symbol.index()] != kNoSlot) return;
  slots_[symbol.index()] = static_cast<std::uint32_t>(ranges_.size());
  ranges_.push_back(ValueRange::all(pool_, pool_.info(symbol).type));
}

std::uint32_t DepthBounds::slot_of(Expr term) const {
  if (!pool_.is_variable(term)) return kNoSlot;
  const std::uint32_t symbol = pool_.symbol_of(term).index();
  return symbol < slots_.size() ? slots_[symbol] : kNoSlot;
}

ValueRange DepthBounds::evaluate(Expr root) {
  std::vector<Expr> stack = {root};
  std::vector<ValueRange> arguments;
  auto done = [&](Expr term) {
    const std::uint32_t place = places_[term];
    if (place >= stamps_.size()) {
      stamps_.resize(place + 1, 0);
      memo_.resize(place + 1);
    }
    return stamps_[place] == stamp_;
  };
  while (!stack.empty()) {
    const Expr term = stack.back();
    if (done(term)) {
      stack.pop_back();
      continue;
    }
    ValueRange result;
    const auto children = pool_.children(term);
    if (pool_.is_const(term)) {
      result = ValueRange::only(pool_, pool_.value(term), pool_.type(term));
    } else if (const std::uint32_t slot = slot_of(term); slot != kNoSlot) {
      result = ranges_[slot];
    } else if (children.empty()) {
      result = ValueRange::all(pool_, pool_.type(term));
    } else {
      const std::size_t before = stack.size();
      for (Expr child : children) {
        if (!done(child)) stack.push_back(child);
      }
      if (stack.size() > before) continue;
      arguments.clear();
      for (Expr child : children) arguments.push_back(memo_[places_[child]]);
      result = applied(pool_, pool_.op(term), pool_.type(term), arguments);
    }
    const std::uint32_t place = places_[term];
    memo_[place] = std::move(result);
    stamps_[place] = stamp_;
    stack.pop_back();
  }
  return memo_[places_[root]];
}

bool DepthBounds::narrow(std::uint32_t slot, const ValueRange& range) {
  ValueRange narrower = meet(ranges_[slot], range);
  if (narrower.empty()) return false;
  if (narrower == ranges_[slot]) return true;
  trail_.emplace_back(slot, std::move(ranges_[slot]));
  ranges_[slot] = std::move(narrower);
  ++stamp_;
  return true;
}

void DepthBounds::restore(std::size_t mark) {
  while (trail_.size() > mark) {
    ranges_[trail_.back().first] = std::move(trail_.back().second);
    trail_.pop_back();
    ++stamp_;
  }
}

bool DepthBounds::assume_equal(Expr a, Expr b, bool truth) {
  const ValueRange of_a = evaluate(a);
  const ValueRange of_b = evaluate(b);
  const std::uint32_t slot_a = slot_of(a);
  const std::uint32_t slot_b = slot_of(b);
  if (truth) {
    if (slot_a != kNoSlot && !narrow(slot_a, of_b)) return false;
    return slot_b == kNoSlot || narrow(slot_b, of_a);
  }
  // a != b: takes a value out of a finite range only.
  auto without = [&](std::uint32_t slot, const ValueRange& value) {
    if (slot == kNoSlot || value.kind != ValueRange::Kind::Finite) return true;
    if ((value.mask & (value.mask - 1)) != 0) return true;
    ValueRange rest = ranges_[slot];
    if (rest.kind != ValueRange::Kind::Finite) return true;
    rest.mask &= ~value.mask;
    return narrow(slot, rest);
  };
  return without(slot_a, of_b) && without(slot_b, of_a);
}

// lesser <= greater, or < if strict
bool DepthBounds::assume_order(Expr lesser, Expr greater, bool strict) {
  const ValueRange low = evaluate(lesser);
  const ValueRange high = evaluate(greater);
  if (low.kind != ValueRange::Kind::Numeric || high.kind != ValueRange::Kind::Numeric) return true;
  // Between integers, strict means a distance of one.
  const Rational gap(Integer(strict && low.integral ? 1 : 0));
  if (const std::uint32_t slot = slot_of(lesser); slot != kNoSlot && high.high) {
    ValueRange range = low;
    range.low.reset();
    range.high = *high.high - gap;
    if (!narrow(slot, range)) return false;
  }
  if (const std::uint32_t slot = slot_of(greater); slot != kNoSlot && low.low) {
    ValueRange range = high;
    range.high.reset();
    range.low = *low.low + gap;
    if (!narrow(slot, range)) return false;
  }
  return true;
}

// One of the conditions is `truth`: what all of them that are possible agree on.
bool DepthBounds::assume_some(std::span<const Expr> conditions, bool truth, unsigned nesting) {
  if (nesting >= kMaxNesting || conditions.size() > kMaxDisjuncts) return true;
  std::vector<std::pair<std::uint32_t, ValueRange>> agreed;  // slot, range after each so far
  bool first = true;
  const std::size_t mark = trail_.size();
  for (Expr condition : conditions) {
    if (evaluate(condition).may_be(truth) && assume(condition, truth, nesting + 1)) {
      if (first) {
        for (std::size_t i = mark; i < trail_.size(); ++i) {
          agreed.emplace_back(trail_[i].first, ranges_[trail_[i].first]);
        }
        first = false;
      } else {
        for (auto& [slot, range] : agreed) range = join(range, ranges_[slot]);
      }
    }
    restore(mark);
  }
  if (first) return false;
  for (const auto& [slot, range] : agreed) {
    if (!narrow(slot, range)) return false;
  }
  return true;
}

bool DepthBounds::assume(Expr condition, bool truth, unsigned nesting) {
  if (!evaluate(condition).may_be(truth)) return false;
  if (const std::uint32_t slot = slot_of(condition); slot != kNoSlot) {
    return narrow(slot, ValueRange::truth(!truth, truth));
  }
  const auto children = pool_.children(condition);
  switch (pool_.op(condition)) {
    case Op::Not:
      return nesting >= kMaxNesting || assume(children[0], !truth, nesting + 1);
    case Op::And:
    case Op::Or:
      if ((pool_.op(condition) == Op::And) != truth) return assume_some(children, truth, nesting);
      if (nesting >= kMaxNesting) return true;
      return std::all_of(children.begin(), children.end(),
                         [&](Expr child) { return assume(child, truth, nesting + 1); });
    case Op::Eq:
      if (pool_.kind(pool_.type(children[0])) == TypeKind::Bool) return true;
      // Arrays that differ can have elements in common.
      if (pool_.kind(pool_.type(children[0])) == TypeKind::Array && !truth) return true;
      return assume_equal(children[0], children[1], truth);
    case Op::Lt:
    case Op::Le: {
      const bool strict = (pool_.op(condition) == Op::Lt) == truth;
      return truth ? assume_order(children[0], children[1], strict)
                   : assume_order(children[1], children[0], strict);
    }
    default:
      return true;
  }
}

bool DepthBounds::assume_all(std::span<const Expr> conditions) {
  for (int round = 0; round < 2; ++round) {
    const std::size_t mark = trail_.size();
    for (Expr condition : conditions) {
      if (!assume(condition, true)) return false;
    }
    if (trail_.size() == mark) break;
  }
  return true;
}

bool DepthBounds::enter(std::uint32_t transition) { return assume_all(conditions_[transition]); }

void DepthBounds::find_possible() {
  possible_.clear();
  for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
    // Most are excluded by ranges as they are; this part is shared among transitions.
    const bool excluded =
        std::any_of(conditions_[t].begin(), conditions_[t].end(),
                    [&](Expr condition) { return !evaluate(condition).may_be(true); });
    if (excluded) continue;
    const std::size_t mark = trail_.size();
    if (enter(t)) possible_.push_back(t);
    restore(mark);
  }
}

// requires: entered
void DepthBounds::join_after(std::uint32_t t) {
  const Transition& transition = system_.transitions[t];
  auto touch = [&](std::uint32_t v, const ValueRange& range) {
    touched_[v] = touch_count_[v] == 0 ? range : join(touched_[v], range);
    ++touch_count_[v];
  };
  std::vector<std::uint32_t> written;
  for (const Update& update : transition.updates) {
    touch(update.variable, evaluate(update.value));
    written.push_back(update.variable);
  }
  for (std::uint32_t v : transition.open) {
    touch(v, ranges_[slots_[system_.variables[v].next.index()]]);
    written.push_back(v);
  }
  std::sort(written.begin(), written.end());
  // What the guard narrows and the transition keeps stays narrow.
  std::vector<std::uint32_t> narrowed;
  for (const auto& entry : trail_) {
    if (entry.first < system_.variables.size() &&
        !std::binary_search(written.begin(), written.end(), entry.first)) {
      narrowed.push_back(entry.first);
    }
  }
  std::sort(narrowed.begin(), narrowed.end());
  narrowed.erase(std::unique(narrowed.begin(), narrowed.end()), narrowed.end());
  for (std::uint32_t v : narrowed) touch(v, ranges_[v]);
}

void DepthBounds::advance() {
  remember();
  ++depth_;
  dead_ = dead_ || (possible_.empty() && which_ == Which::Exact);
  std::fill(touch_count_.begin(), touch_count_.end(), 0);
  for (std::uint32_t t : possible_) {
    const std::size_t mark = trail_.size();
    (void)enter(t);
    join_after(t);
    restore(mark);
  }
  bool changed = false;
  for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
    if (touch_count_[v] == 0) continue;
    const bool always = touch_count_[v] == possible_.size() && which_ == Which::Exact;
    ValueRange next = always ? std::move(touched_[v]) : join(touched_[v], ranges_[v]);
    if (next == ranges_[v]) continue;
    ranges_[v] = std::move(next);
    changed = true;
  }
  settled_ = !changed;
  if (!changed) return;
  ++stamp_;
  find_possible();
}

bool DepthBounds::goal_possible() {
  if (dead_) return false;
  const std::size_t mark = trail_.size();
  const bool result = assume_all(goal_);
  restore(mark);
  return result;
}

ValueRange DepthBounds::range_when_taken(std::uint32_t transition, Expr term) {
  const std::size_t mark = trail_.size();
  ValueRange result;
  if (enter(transition)) result = evaluate(term);
  restore(mark);
  return result;
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// A conjunct bounds the symbols in it by what is known of the others (`amount <= balance` bounds
// the amount). A list of conditions is gone through twice, so that what one finds serves the
// others.
#include "absint/interval/range_store.h"

#include <algorithm>

namespace whittle {

namespace {
constexpr unsigned kMaxNesting = 4;        // of connectives that narrowing looks into
constexpr std::size_t kMaxDisjuncts = 64;  // that narrowing tries one by one
}  // namespace

void RangeStore::add_slot(SymbolId symbol) {
  if (symbol.index() >= slots_.size()) slots_.resize(symbol.index() + 1, kNoSlot);
  if (slots_[symbol.index()] != kNoSlot) return;
  slots_[symbol.index()] = static_cast<std::uint32_t>(ranges_.size());
  ranges_.push_back(ValueRange::all(pool_, pool_.info(symbol).type));
}

std::uint32_t RangeStore::slot_of(Expr term) const {
  if (!pool_.is_variable(term)) return kNoSlot;
  const std::uint32_t symbol = pool_.symbol_of(term).index();
  return symbol < slots_.size() ? slots_[symbol] : kNoSlot;
}

ValueRange RangeStore::evaluate(Expr root) {
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

bool RangeStore::narrow(std::uint32_t slot, const ValueRange& range) {
  ValueRange narrower = meet(ranges_[slot], range);
  if (narrower.empty()) return false;
  if (narrower == ranges_[slot]) return true;
  trail_.emplace_back(slot, std::move(ranges_[slot]));
  ranges_[slot] = std::move(narrower);
  ++stamp_;
  return true;
}

void RangeStore::restore(std::size_t mark) {
  while (trail_.size() > mark) {
    ranges_[trail_.back().first] = std::move(trail_.back().second);
    trail_.pop_back();
    ++stamp_;
  }
}

bool RangeStore::assume_equal(Expr a, Expr b, bool truth) {
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
bool RangeStore::assume_order(Expr lesser, Expr greater, bool strict) {
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
bool RangeStore::assume_some(std::span<const Expr> conditions, bool truth, unsigned nesting) {
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

bool RangeStore::assume(Expr condition, bool truth, unsigned nesting) {
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

bool RangeStore::assume_all(std::span<const Expr> conditions) {
  for (int round = 0; round < 2; ++round) {
    const std::size_t mark = trail_.size();
    for (Expr condition : conditions) {
      if (!assume(condition, true)) return false;
    }
    if (trail_.size() == mark) break;
  }
  return true;
}

// The term has a value in the range; narrows the variables of a sum.
bool RangeStore::narrow_term(Expr term, const ValueRange& range) {
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

void RangeStore::set(std::uint32_t slot, ValueRange range) {
  ranges_[slot] = std::move(range);
  ++stamp_;
}

std::vector<std::uint32_t> RangeStore::narrowed_since(std::size_t mark, std::uint32_t end) const {
  std::vector<std::uint32_t> slots;
  for (std::size_t i = mark; i < trail_.size(); ++i) {
    if (trail_[i].first < end) slots.push_back(trail_[i].first);
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

void JoinedRanges::clear() { std::fill(counts_.begin(), counts_.end(), 0); }

void JoinedRanges::add(std::uint32_t variable, const ValueRange& range) {
  ranges_[variable] = counts_[variable] == 0 ? range : join(ranges_[variable], range);
  ++counts_[variable];
}

}  // namespace whittle

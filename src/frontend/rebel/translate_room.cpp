// SPDX-License-Identifier: Apache-2.0
// How large sets and maps can get: what events add, and which of their conditions keep it small.
#include <algorithm>

#include "frontend/rebel/translate.h"

namespace whittle::rebel {

// The conditions without which the event is not possible.
std::unordered_set<Expr> Translator::demanded(EventId event) const {
  std::unordered_set<Expr> result;
  std::vector<Expr> stack;
  for (const Guard& guard : network_->event(event).guards) stack.push_back(guard.condition);
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (!result.insert(e).second || pool_.op(e) != Op::And) continue;
    for (Expr child : pool_.children(e)) stack.push_back(child);
  }
  return result;
}

// How many values a condition `a <= x && x <= b` or `x == c || ...` of the event leaves for x.
std::optional<std::uint64_t> Translator::values_left(EventId event, Expr x) const {
  std::optional<Integer> low;
  std::optional<Integer> high;
  for (Expr e : demanded(event)) {
    const auto children = pool_.children(e);
    auto constant = [&](std::size_t i) {
      return pool_.is_const(children[i]) && pool_.value(children[i]).is_integer();
    };
    const Op op = pool_.op(e);
    if (op == Op::Eq && ((children[0] == x && constant(1)) || (children[1] == x && constant(0)))) {
      return 1;
    }
    if (op == Op::Or) {
      const bool all = std::all_of(children.begin(), children.end(), [&](Expr one) {
        if (pool_.op(one) != Op::Eq) return false;
        const auto sides = pool_.children(one);
        return (sides[0] == x && pool_.is_const(sides[1])) ||
               (sides[1] == x && pool_.is_const(sides[0]));
      });
      if (all) return children.size();
    }
    if (op != Op::Le && op != Op::Lt) continue;
    const Integer strict(op == Op::Lt ? 1 : 0);
    if (children[0] == x && constant(1)) {
      const Integer bound = pool_.value(children[1]).as_integer() - strict;
      if (!high || bound < *high) high = bound;
    } else if (children[1] == x && constant(0)) {
      const Integer bound = pool_.value(children[0]).as_integer() + strict;
      if (!low || bound > *low) low = bound;
    }
  }
  if (!low || !high) return std::nullopt;
  const auto width = (*high - *low).to_int64();
  if (!width || *width > 1000) return std::nullopt;
  return *width < 0 ? 0 : static_cast<std::uint64_t>(*width) + 1;
}

// What an assignment can add to a set or map, and whether a condition of the event keeps it small.
void Translator::account_for_room(EventId event, std::uint32_t s, std::uint32_t field,
                                  const Val& val) {
  const RType type = program_.specs()[s].fields[field].type;
  const std::size_t places = elaborator_.room(type);
  Room& room = rooms_[{s, field}];
  std::uint64_t written_out = 0;
  for (const Entry& entry : *val.entries) written_out += pool_.is_true(entry.present) ? 1 : 0;
  room.literal = std::max(room.literal, written_out);
  if (val.entries->size() <= places) return;
  const std::uint64_t added = val.entries->size() - places;
  std::vector<Expr> parts;
  for (VariableId v : nets_[s].vars[field]) {
    parts.push_back(pool_.symbol(network_->variable(v).current));
  }
  const Expr size = elaborator_.count(elaborator_.assembled(type, parts));
  if (const auto most = largest_left(event, size)) {
    room.limit = std::max(room.limit, *most + added);
    return;
  }
  std::uint64_t values = 0;
  for (std::size_t i = places; i < val.entries->size(); ++i) {
    const Val& key = (*val.entries)[i].key;
    const auto left = key.b.valid() ? std::nullopt : values_left(event, key.a);
    if (!left) {
      room.grows = std::max(room.grows, added);
      return;
    }
    values += *left;
  }
  room.values += values;
}

std::optional<std::uint64_t> Translator::largest_left(EventId event, Expr size) const {
  std::optional<std::uint64_t> result;
  for (Expr e : demanded(event)) {
    const bool negated = pool_.op(e) == Op::Not;
    const Expr inner = negated ? pool_.children(e)[0] : e;
    const Op op = pool_.op(inner);
    if (op != Op::Le && op != Op::Lt && op != Op::Eq) continue;
    const auto sides = pool_.children(inner);
    const bool left = sides[0] == size;
    if ((!left && sides[1] != size) || !pool_.is_const(sides[left ? 1 : 0])) continue;
    const auto bound = pool_.value(sides[left ? 1 : 0]).as_integer().to_int64();
    if (!bound || *bound < 0 || *bound > 100000) continue;
    std::int64_t most = *bound;
    if (op == Op::Eq) {
      if (negated) continue;
    } else if (left != negated) {  // size < c, or not (c <= size)
      const bool strict = (op == Op::Lt) != negated;
      if (strict) --most;
    } else {
      continue;
    }
    const auto found = static_cast<std::uint64_t>(std::max<std::int64_t>(most, 0));
    if (!result || found < *result) result = found;
  }
  return result;
}

}  // namespace whittle::rebel

// SPDX-License-Identifier: Apache-2.0
#include "engine/preimage/cube_store.h"

#include <algorithm>

#include "expr/hash.h"

namespace whittle {

namespace {
// CubeBuilder that allow several numbers are tried one by one; with all of them that would be
// quadratic.
constexpr unsigned kMaxRanges = 32;
}  // namespace

std::uint32_t& CubeStore::slot(const LiteralId* cube, std::size_t size) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < size; ++i) at = hash_mix(at, cube[i]);
  const std::size_t mask = table_.size() - 1;
  for (at &= mask; table_[at] != 0; at = (at + 1) & mask) {
    const CubeNode& node = nodes_[table_[at] - 1];
    if (std::equal(cube, cube + size, stored_.data() + node.begin,
                   stored_.data() + node.begin + node.size))
      break;
  }
  return table_[at];
}

void CubeStore::grow() {
  table_.assign(std::max<std::size_t>(1024, table_.size() * 2), 0);
  for (std::uint32_t n = 0; n < nodes_.size(); ++n)
    slot(stored_.data() + nodes_[n].begin, nodes_[n].size) = n + 1;
}

std::uint32_t CubeStore::find_or_add(const Cube& cube) {
  if (nodes_.size() * 2 >= table_.size()) grow();
  std::uint32_t& entry = slot(cube.data(), cube.size());
  if (entry == 0) {
    CubeNode node;
    node.begin = stored_.size();
    node.size = static_cast<std::uint32_t>(cube.size());
    stored_.insert(stored_.end(), cube.begin(), cube.end());
    nodes_.push_back(node);
    entry = static_cast<std::uint32_t>(nodes_.size());
  }
  return entry - 1;
}

Cube CubeStore::cube(std::uint32_t node) const {
  const auto begin = stored_.begin() + static_cast<std::ptrdiff_t>(nodes_[node].begin);
  return {begin, begin + nodes_[node].size};
}

// Where the place with one literal more is noted; 0: there is none.
std::uint32_t& CubeStore::below(std::uint32_t place, LiteralId literal) {
  const std::size_t mask = below_.size() - 1;
  std::size_t at = hash_mix(place, literal) & mask;
  for (; below_[at] != 0; at = (at + 1) & mask) {
    const Place& found = places_[below_[at]];
    if (found.above == place && found.literal == literal) break;
  }
  return below_[at];
}

void CubeStore::grow_below() {
  below_.assign(std::max<std::size_t>(1024, below_.size() * 2), 0);
  for (std::uint32_t p = 1; p < places_.size(); ++p)
    below(places_[p].above, places_[p].literal) = p;
}

void CubeStore::note_as_larger(std::uint32_t node) {
  std::uint32_t at = 0;
  for (LiteralId id : cube(node)) {
    if (places_.size() * 2 >= below_.size()) grow_below();
    std::uint32_t& entry = below(at, id);
    if (entry == 0) {
      entry = static_cast<std::uint32_t>(places_.size());
      Place fresh;
      fresh.above = at;
      fresh.literal = id;
      const BoundLiteral& literal = builder_.literal(id);
      places_[at].terms |= 1ULL << (literal.term % 64);
      if (literal.low != literal.high) {
        fresh.beside = places_[at].ranges;
        places_[at].ranges = entry;
      }
      places_.push_back(fresh);
    }
    at = entry;
  }
  places_[at].node = node;
}

// Goes down wherever the literal of a place is among the cube's, or allows more than one of them.
bool CubeStore::is_part_of_another(std::uint32_t node) {
  if (below_.empty()) return false;
  const std::uint32_t steps = nodes_[node].steps;
  const LiteralId* part = stored_.data() + nodes_[node].begin;
  const std::uint32_t size = nodes_[node].size;
  stack_.assign(1, {0, 0});  // places, with the number of literals that are done with
  while (!stack_.empty()) {
    const auto [at, done] = stack_.back();
    stack_.pop_back();
    const Place& place = places_[at];
    if (place.node != CubeNode::kNone && place.node != node && nodes_[place.node].steps <= steps)
      return true;
    if (place.terms == 0) continue;
    for (std::uint32_t i = done; i < size; ++i) {
      ++compared_;
      if ((place.terms >> (builder_.literal(part[i]).term % 64) & 1U) == 0) continue;
      if (const std::uint32_t next = below(at, part[i]); next != 0)
        stack_.emplace_back(next, i + 1);
    }
    std::uint32_t range = place.ranges;
    for (unsigned count = 0; range != CubeNode::kNone && count < kMaxRanges; ++count) {
      ++compared_;
      const BoundLiteral& wanted = builder_.literal(places_[range].literal);
      const auto found = std::lower_bound(
          part + done, part + size, wanted.term,
          [&](LiteralId id, std::uint32_t term) { return builder_.literal(id).term < term; });
      if (found != part + size && *found != places_[range].literal) {
        const BoundLiteral& given = builder_.literal(*found);
        if (given.term == wanted.term && wanted.low <= given.low && given.high <= wanted.high)
          stack_.emplace_back(range, static_cast<std::uint32_t>(found - part) + 1);
      }
      range = places_[range].beside;
    }
  }
  return false;
}

}  // namespace whittle

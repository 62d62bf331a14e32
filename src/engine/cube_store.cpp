// SPDX-License-Identifier: Apache-2.0
#include "engine/cube_store.h"

#include <algorithm>

#include "expr/hash.h"

namespace whittle {

std::uint32_t& CubeStore::slot(const FactId* cube, std::size_t size) {
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

void CubeStore::note_as_larger(std::uint32_t node) {
  std::uint32_t parent = CubeNode::kNone;
  for (FactId id : cube(node)) {
    const Fact& fact = facts_.fact(id);
    const std::uint32_t term = fact.term;
    if (parent == CubeNode::kNone && term >= roots_.size())
      roots_.resize(term + 1, CubeNode::kNone);
    auto link = [&](std::uint32_t before) -> std::uint32_t& {
      if (before != CubeNode::kNone) return places_[before].beside;
      return parent == CubeNode::kNone ? roots_[term] : places_[parent].below;
    };
    std::uint32_t before = CubeNode::kNone;
    std::uint32_t at = link(before);
    while (at != CubeNode::kNone && places_[at].fact != fact && places_[at].fact.term <= term) {
      before = at;
      at = places_[at].beside;
    }
    if (at == CubeNode::kNone || places_[at].fact != fact) {
      const auto fresh = static_cast<std::uint32_t>(places_.size());
      places_.push_back({fact, CubeNode::kNone, at, CubeNode::kNone});
      link(before) = fresh;
      at = fresh;
    }
    parent = at;
  }
  if (parent != CubeNode::kNone) places_[parent].node = node;
}

// Goes down wherever the fact of a place follows from one of the cube's.
bool CubeStore::is_part_of_another(std::uint32_t node) {
  const std::uint32_t steps = nodes_[node].steps;
  part_.clear();
  stack_.clear();  // places, with the first fact that may be about their term or a later one
  for (std::uint32_t i = 0; i < nodes_[node].size; ++i) {
    part_.push_back(facts_.fact(stored_[nodes_[node].begin + i]));
    const std::uint32_t term = part_.back().term;
    if (term < roots_.size() && roots_[term] != CubeNode::kNone)
      stack_.emplace_back(roots_[term], i);
  }
  while (!stack_.empty()) {
    auto [at, i] = stack_.back();
    stack_.pop_back();
    for (; at != CubeNode::kNone; at = places_[at].beside) {
      ++compared_;
      const Place& place = places_[at];
      while (i < part_.size() && part_[i].term < place.fact.term) ++i;
      if (i == part_.size()) break;
      const Fact& given = part_[i];
      if (given.term != place.fact.term || given.low < place.fact.low ||
          place.fact.high < given.high)
        continue;
      if (place.node != CubeNode::kNone && place.node != node && nodes_[place.node].steps <= steps)
        return true;
      if (place.below != CubeNode::kNone) stack_.emplace_back(place.below, i + 1);
    }
  }
  return false;
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// The cubes that a search has made, each once, with the shortest way from each to the goal.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/preimage/cube_builder.h"

namespace whittle {

struct CubeNode {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::size_t begin = 0;  // of its literals in the store
  std::uint32_t size = 0;
  std::uint32_t steps = kNone;  // to the goal; kNone: no way is known yet
  std::uint32_t next = kNone;   // the node after the first of them; kNone: this is the goal
  std::uint32_t via = kNone;    // the transition to it
  std::uint64_t distance = 0;   // from the first states, at least, if `known`
  bool known = false;
  bool has_first_state = false;
};

class CubeStore {
 public:
  explicit CubeStore(const CubeBuilder& builder) : builder_(builder) {}

  // The node of the cube, a new one if there is none yet.
  std::uint32_t find_or_add(const Cube& cube);
  [[nodiscard]] CubeNode& operator[](std::uint32_t node) { return nodes_[node]; }
  [[nodiscard]] Cube cube(std::uint32_t node) const;
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  // From now on others may be part of it.
  void note_as_larger(std::uint32_t node);
  // All states of the cube belong to one that was noted and is as close to the goal.
  [[nodiscard]] bool is_part_of_another(std::uint32_t node);
  // How much looking for larger ones has cost so far.
  [[nodiscard]] std::uint64_t compared() const { return compared_; }

 private:
  // Noted cubes in a tree: from the root down, the literals of one after the other, so that those
  // with the same first literals are in the same place.
  struct Place {
    std::uint32_t above = CubeNode::kNone;
    LiteralId literal = 0;    // the last one, here
    std::uint64_t terms = 0;  // of the literals below: a bit each, several terms to a bit
    std::uint32_t ranges =
        CubeNode::kNone;  // first place below whose literal allows several numbers
    std::uint32_t beside = CubeNode::kNone;  // next one of these, below the same place
    std::uint32_t node = CubeNode::kNone;    // whose literals end here; kNone: none
  };
  std::uint32_t& below(std::uint32_t place, LiteralId literal);
  void grow_below();
  std::uint32_t& slot(const LiteralId* cube, std::size_t size);
  void grow();

  const CubeBuilder& builder_;
  std::vector<LiteralId> stored_;
  std::vector<CubeNode> nodes_;
  std::vector<std::uint32_t> table_;       // open addressing over nodes_, index + 1
  std::vector<Place> places_ = {Place()};  // the first is the root
  std::vector<std::uint32_t> below_;       // open addressing over places_
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stack_;  // of a look at the tree
  std::uint64_t compared_ = 0;
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Where a system can be, and which transition leads from where to where: a node is a value for each
// location variable, an edge a transition between two nodes. Only nodes that can be reached along
// edges are there. A system whose locations are too many or not plain has a single node.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "expr/traverse.h"
#include "ir/transition_system.h"

namespace whittle::absint {

struct ControlEdge {
  std::uint32_t transition = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  Expr guard;  // with the locations of `from` put in
};

class ControlGraph {
 public:
  explicit ControlGraph(const TransitionSystem& system);

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] const std::vector<ControlEdge>& edges() const { return edges_; }
  // Indices in edges(), by node.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& out() const { return out_; }
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& in() const { return in_; }
  // Where runs can begin; the first nodes.
  [[nodiscard]] std::size_t start_count() const { return starts_; }
  // Nodes such that components come in condensation order, those of one in reverse postorder.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  // Strongly connected components, in condensation order: each is a part of order().
  [[nodiscard]] std::size_t component_count() const { return component_begin_.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> component(std::uint32_t c) const {
    return {order_.data() + component_begin_[c], order_.data() + component_begin_[c + 1]};
  }
  [[nodiscard]] std::uint32_t component_of(std::uint32_t node) const { return component_of_[node]; }
  // An edge from this node's component leads back to it from a node that is not before it.
  [[nodiscard]] bool is_head(std::uint32_t node) const { return heads_[node] != 0; }
  [[nodiscard]] bool on_cycle(std::uint32_t node) const { return cyclic_[node] != 0; }

  // Puts the locations of a node into terms.
  [[nodiscard]] Substitution locations(std::uint32_t node) const;
  // The condition that the system is at the node; true if locations are not told apart.
  [[nodiscard]] Expr is_at(std::uint32_t node) const;
  // Nodes are told apart by locations.
  [[nodiscard]] bool located() const { return !variables_.empty(); }
  [[nodiscard]] bool single() const { return variables_.size() == 1; }
  // With a single location variable: values that are no node, so that nothing is ever there.
  [[nodiscard]] std::vector<Expr> never_there() const;

 private:
  using Place = std::vector<std::uint32_t>;  // by location variable: a value

  bool build();
  bool add_starts();
  std::uint32_t node(const Place& place);
  bool expand(std::uint32_t node);
  void follow(std::uint32_t node, const std::vector<std::uint32_t>& candidates, bool& plain);
  void sort_nodes();

  const TransitionSystem& system_;
  ExprPool& pool_;
  std::vector<std::uint32_t> variables_;  // state variables that hold locations
  std::vector<Place> nodes_;
  std::vector<ControlEdge> edges_;
  std::vector<std::vector<std::uint32_t>> out_, in_;
  std::size_t starts_ = 0;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> component_of_;     // by node
  std::vector<std::uint32_t> component_begin_;  // in order_; one more at the end
  std::vector<char> heads_, cyclic_;
  std::vector<std::uint32_t> node_by_value_;                   // single(): index + 1
  std::map<Place, std::uint32_t> node_by_place_;               // otherwise
  std::vector<std::vector<std::vector<std::uint32_t>>> from_;  // by variable, by value
  std::vector<std::uint32_t> from_anywhere_;
};

}  // namespace whittle::absint

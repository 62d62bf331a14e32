// SPDX-License-Identifier: Apache-2.0
// The tree of `lazy`: nodes at places of the control graph, each with what is known whenever a run
// gets there along the path to it (its label, a set of clauses), and which nodes another one
// covers.
//
// A node is hidden if it or an ancestor is covered, dead or removed; what lies below it says
// nothing then. A hidden node covers nothing. Who is hidden is kept up to date: each change looks
// at the subtree whose nodes change, no further.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "expr/expr.h"

namespace whittle::proofs {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

using Predicates = std::shared_ptr<const std::vector<Expr>>;

struct LabelNode {
  std::uint32_t place = 0;  // node of the control graph
  NodeId parent = kNoNode;
  std::uint32_t edge = 0;   // from the parent
  std::uint32_t start = 0;  // which first states the path begins in
  std::vector<Expr> label;  // all of them hold
  Predicates precision;     // tracked below it; null: none
  std::vector<NodeId> children;
  std::vector<NodeId> covers;
  NodeId covered_by = kNoNode;
  bool expanded = false;
  bool dead = false;     // its label is false
  bool removed = false;  // rebuilt
  bool hidden = false;
};

class LabelTree {
 public:
  LabelTree(const ExprPool& pool, std::size_t places) : pool_(pool), at_place_(places) {}

  NodeId add_root(std::uint32_t place, std::uint32_t start, std::vector<Expr> label);
  NodeId add_child(NodeId parent, std::uint32_t edge, std::uint32_t place, std::vector<Expr> label);

  [[nodiscard]] const LabelNode& operator[](NodeId n) const { return nodes_[n]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] bool visible(NodeId n) const { return !nodes_[n].hidden; }
  // Ascending; hidden ones as well.
  [[nodiscard]] const std::vector<NodeId>& at(std::uint32_t place) const {
    return at_place_[place];
  }
  // Edges from the root, and the nodes along them, the root first.
  [[nodiscard]] std::vector<std::uint32_t> edges_to(NodeId n) const;
  [[nodiscard]] std::vector<NodeId> nodes_to(NodeId n) const;

  // Leaves to be looked at, the last one first; none: the tree is complete. It is no longer among
  // them.
  [[nodiscard]] NodeId take_open();
  void put_back(NodeId n) { open_.push_back(n); }

  void expanded(NodeId n) { nodes_[n].expanded = true; }
  void set_precision(NodeId n, Predicates precision) { nodes_[n].precision = std::move(precision); }
  // False: it was there.
  bool add_clause(NodeId n, Expr clause);
  // requires: both visible, the same place, `by` no descendant, the label of n implies that of `by`
  void cover(NodeId n, NodeId by);
  void uncover(NodeId n);
  // Everything below n goes; n is to be looked at again.
  void rebuild(NodeId n);

 private:
  NodeId add(LabelNode node);
  void refresh(NodeId root);

  const ExprPool& pool_;
  std::vector<LabelNode> nodes_;
  std::vector<std::vector<NodeId>> at_place_;
  std::vector<NodeId> open_;
};

}  // namespace whittle::proofs

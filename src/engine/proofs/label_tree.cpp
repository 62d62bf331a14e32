// SPDX-License-Identifier: Apache-2.0
#include "engine/proofs/label_tree.h"

#include <algorithm>
#include <utility>

namespace whittle::proofs {

NodeId LabelTree::add(LabelNode node) {
  const auto n = static_cast<NodeId>(nodes_.size());
  node.dead = std::any_of(node.label.begin(), node.label.end(),
                          [&](Expr clause) { return pool_.is_false(clause); });
  node.hidden = node.dead || (node.parent != kNoNode && nodes_[node.parent].hidden);
  at_place_[node.place].push_back(n);
  nodes_.push_back(std::move(node));
  open_.push_back(n);
  return n;
}

NodeId LabelTree::add_root(std::uint32_t place, std::uint32_t start, std::vector<Expr> label) {
  LabelNode root;
  root.place = place;
  root.start = start;
  root.label = std::move(label);
  return add(std::move(root));
}

NodeId LabelTree::add_child(NodeId parent, std::uint32_t edge, std::uint32_t place,
                            std::vector<Expr> label) {
  LabelNode child;
  child.place = place;
  child.parent = parent;
  child.edge = edge;
  child.start = nodes_[parent].start;
  child.precision = nodes_[parent].precision;
  child.label = std::move(label);
  const NodeId n = add(std::move(child));
  nodes_[parent].children.push_back(n);
  return n;
}

std::vector<std::uint32_t> LabelTree::edges_to(NodeId n) const {
  std::vector<std::uint32_t> result;
  for (; nodes_[n].parent != kNoNode; n = nodes_[n].parent) result.push_back(nodes_[n].edge);
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<NodeId> LabelTree::nodes_to(NodeId n) const {
  std::vector<NodeId> result{n};
  while (nodes_[result.back()].parent != kNoNode) result.push_back(nodes_[result.back()].parent);
  std::reverse(result.begin(), result.end());
  return result;
}

// Hidden leaves are left out here and come again when they are visible (refresh).
NodeId LabelTree::take_open() {
  while (!open_.empty()) {
    const NodeId n = open_.back();
    open_.pop_back();
    if (!nodes_[n].hidden && !nodes_[n].expanded) return n;
  }
  return kNoNode;
}

bool LabelTree::add_clause(NodeId n, Expr clause) {
  LabelNode& node = nodes_[n];
  if (pool_.is_true(clause) ||
      std::find(node.label.begin(), node.label.end(), clause) != node.label.end())
    return false;
  node.label.push_back(clause);
  if (pool_.is_false(clause)) {
    node.dead = true;
    refresh(n);
  }
  return true;
}

void LabelTree::cover(NodeId n, NodeId by) {
  nodes_[n].covered_by = by;
  nodes_[by].covers.push_back(n);
  refresh(n);
}

void LabelTree::uncover(NodeId n) {
  if (nodes_[n].covered_by == kNoNode) return;
  std::erase(nodes_[nodes_[n].covered_by].covers, n);
  nodes_[n].covered_by = kNoNode;
  refresh(n);
}

void LabelTree::rebuild(NodeId n) {
  std::vector<NodeId> children = std::move(nodes_[n].children);
  nodes_[n].children.clear();
  for (const NodeId child : children) {
    nodes_[child].removed = true;
    refresh(child);
  }
  nodes_[n].expanded = false;
  open_.push_back(n);
}

// Works out again who is hidden in a subtree. What a hidden node covered is looked at again.
void LabelTree::refresh(NodeId root) {
  std::vector<NodeId> work{root};
  while (!work.empty()) {
    const NodeId n = work.back();
    work.pop_back();
    LabelNode& node = nodes_[n];
    const bool hidden = node.dead || node.removed || node.covered_by != kNoNode ||
                        (node.parent != kNoNode && nodes_[node.parent].hidden);
    if (hidden == node.hidden) continue;
    node.hidden = hidden;
    if (!hidden && !node.expanded) open_.push_back(n);
    if (hidden) {
      for (const NodeId covered : std::exchange(node.covers, {})) {
        nodes_[covered].covered_by = kNoNode;
        work.push_back(covered);
      }
    }
    work.insert(work.end(), node.children.begin(), node.children.end());
  }
}

}  // namespace whittle::proofs

// SPDX-License-Identifier: Apache-2.0
// The control flow of a system with one location variable, and where it is cut into blocks: at
// first and goal locations and at loop heads. What lies between has no cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/transition_system.h"

namespace whittle::simplify {

struct BlockEdge {
  std::uint32_t transition = 0;
  std::uint32_t from = 0, to = 0;  // locations
  std::vector<Expr> conditions;    // guard and relation, over its own symbols
  std::vector<Update> updates;     // without the location; open variables get a symbol
  std::vector<SymbolId> inputs;    // own symbols: of the transition's inputs, then of what is open
  // It is the one that is taken where these symbols have these values; none: its conditions
  // exclude those of the others.
  std::vector<std::pair<SymbolId, bool>> chosen;
};

class BlockGraph {
 public:
  // Empty: there is not one location variable, or a transition says not from where to where.
  [[nodiscard]] static std::optional<BlockGraph> of(const TransitionSystem& system);

  [[nodiscard]] std::uint32_t variable() const { return variable_; }
  [[nodiscard]] std::size_t size() const { return out_.size(); }
  [[nodiscard]] const std::vector<BlockEdge>& edges() const { return edges_; }
  // Only those that lead on to a goal.
  [[nodiscard]] const std::vector<std::uint32_t>& out(std::uint32_t location) const {
    return out_[location];
  }
  [[nodiscard]] bool is_cut(std::uint32_t location) const { return cut_[location] != 0; }
  [[nodiscard]] bool reachable(std::uint32_t location) const {
    return position_[location] != kNowhere;
  }
  [[nodiscard]] bool leads_on(std::uint32_t location) const { return useful_[location] != 0; }
  // Such that edges that do not end at a cut go forward.
  [[nodiscard]] std::uint32_t position(std::uint32_t location) const { return position_[location]; }
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  // Locations between the cuts.
  [[nodiscard]] std::size_t inner_count() const;
  [[nodiscard]] Expr at(std::uint32_t location) const;

 private:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  BlockGraph(const TransitionSystem& system, std::uint32_t variable);
  bool add_edges();
  bool add_edge(std::uint32_t transition);
  void find_useful();
  void sort_locations();
  void choose();
  void cut_shared();
  [[nodiscard]] std::vector<char> first_locations() const;
  [[nodiscard]] bool exclude_each_other(const std::vector<std::uint32_t>& edges) const;

  const TransitionSystem* system_;
  ExprPool* pool_;
  std::uint32_t variable_;
  std::vector<BlockEdge> edges_;
  std::vector<std::vector<std::uint32_t>> out_;  // by location
  std::vector<char> cut_, useful_;
  std::vector<std::uint32_t> position_, order_;
};

}  // namespace whittle::simplify

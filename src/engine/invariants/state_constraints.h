// SPDX-License-Identifier: Apache-2.0
// What is known about every reachable state, node by node: reachable-state constraints (la Fleur
// 2018, chapter 4) that nobody had to write. Other engines use them as lemmas.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "absint/control_graph.h"
#include "engine/env.h"

namespace whittle {

class StateConstraints {
 public:
  StateConstraints(const TransitionSystem& system, Env& env);

  // Polyhedra, of several paths to a node outside of cycles joined to one, or several of them.
  // False: stopped.
  enum class Joins : std::uint8_t { Convex, Disjunctive };
  bool deduce(Joins joins = Joins::Convex);
  // Where the goal is not excluded: instead of what is known, what joins that stay disjunctive
  // say, if they exclude it everywhere. False: they do not, or it was stopped.
  bool deduce_disjunctively();
  // Adds candidates from the text of the system and its hints, those that survive induction.
  void guess();
  // The same with the hints alone.
  void take_hints();
  // Forgets what does not help to exclude the goal. requires: it is excluded everywhere.
  void reduce();
  // Where the goal is not excluded.
  [[nodiscard]] std::vector<std::uint32_t> open_nodes();
  [[nodiscard]] const absint::ControlGraph& graph() const { return graph_; }
  // What is known at a node, over current symbols other than locations.
  [[nodiscard]] Expr at(std::uint32_t node) const { return by_node_[node]; }
  // Inductive.
  [[nodiscard]] Expr invariant() const;

 private:
  [[nodiscard]] std::vector<Expr> candidates() const;
  [[nodiscard]] std::vector<Expr> congruences() const;
  [[nodiscard]] std::vector<Expr> products() const;
  [[nodiscard]] std::unordered_map<Expr, Expr> first_values() const;
  [[nodiscard]] Expr growth(Expr value, Expr variable) const;
  void add_hints(std::vector<std::vector<Expr>>& by_node) const;
  void add_inductive(std::vector<std::vector<Expr>> by_node);
  void keep_initial(std::vector<std::vector<Expr>>& by_node);
  [[nodiscard]] bool keep_inductive(const absint::ControlEdge& edge,
                                    std::vector<std::vector<Expr>>& by_node);
  // The values after the transition of an edge, over those before it.
  void require_step(const absint::ControlEdge& edge);
  smt::Answer broken(const std::vector<Expr>& images, const std::unordered_set<Expr>& given,
                     std::vector<char>& which);
  smt::CheckResult ask(std::span<const Expr> conditions);

  const TransitionSystem& system_;
  Env& env_;
  ExprPool& pool_;
  absint::ControlGraph graph_;
  std::vector<Expr> by_node_;
  std::vector<char> excluded_;  // by node: the goal cannot be there; empty: not known yet
  std::unique_ptr<smt::Solver> solver_;
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// The preimage of a cube (cube_builder.h) under a transition: the states from which the transition
// leads into it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/preimage/cube_builder.h"
#include "expr/traverse.h"
#include "ir/symbol_variables.h"
#include "ir/transition_system.h"

namespace whittle {

class Preimage {
 public:
  using Dnf = std::optional<std::vector<Cube>>;

  Preimage(const TransitionSystem& system, const SymbolVariables& variables, CubeBuilder& builder);

  // There is a transition whose preimages are no cubes: one with a relation between old and new
  // values, or with a guard with too many cases.
  [[nodiscard]] bool unsupported() const { return unsupported_; }
  // The cubes of the goal. Empty: there are too many, or inputs that cannot be eliminated.
  [[nodiscard]] Dnf goals();
  // Transitions that write a variable of the cube and may make a literal true. Until the next
  // call.
  [[nodiscard]] const std::vector<std::uint32_t>& writers(const Cube& cube);
  // The states from which the transition leads into the cube. Empty: as for `goals`.
  [[nodiscard]] Dnf of(const Cube& cube, std::uint32_t transition);

 private:
  void find_writers();
  void add_writers(const std::vector<std::uint32_t>& transitions);
  [[nodiscard]] bool touches(std::uint32_t transition, const LiteralTerm& term) const;
  const Dnf& of_literal(LiteralId literal, std::uint32_t transition);
  [[nodiscard]] Dnf propagated(const std::vector<Cube>& cubes);
  [[nodiscard]] Dnf finished(std::vector<Cube> cubes);
  [[nodiscard]] bool is_simple(const Cube& cube) const;

  [[nodiscard]] std::optional<SymbolId> input_in(const Cube& cube) const;
  [[nodiscard]] Dnf eliminated(SymbolId input, const Cube& cube);

  const TransitionSystem& system_;
  const SymbolVariables& variables_;
  CubeBuilder& builder_;
  ExprPool& pool_;
  bool unsupported_ = false;
  std::vector<std::vector<Cube>> guards_;                     // by transition
  std::vector<std::unique_ptr<Substitution>> updates_;        // by transition; null: not needed yet
  std::unordered_map<std::uint64_t, Dnf> literal_preimages_;  // by literal and transition
  std::vector<std::vector<SymbolId>> written_;                // by transition, ascending
  std::vector<std::vector<std::uint32_t>> writers_;  // by variable, but for those that follow
  // By location and value: transitions that lead there.
  std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<std::uint32_t>> leading_to_;
  std::vector<std::uint32_t> found_;
  std::vector<std::uint32_t> stamps_;  // by transition: when it was found last
  std::uint32_t stamp_ = 0;
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// One step of a system backwards: from where does a transition lead into a cube (facts.h)?
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/preimage/facts.h"
#include "expr/traverse.h"
#include "ir/symbol_variables.h"
#include "ir/transition_system.h"

namespace whittle {

class StepsBack {
 public:
  using Ways = std::optional<std::vector<Cube>>;

  StepsBack(const TransitionSystem& system, const SymbolVariables& variables, Facts& facts);

  // There is a transition that it has no way to deal with: a relation between old and new values,
  // or a guard with too many cases.
  [[nodiscard]] bool beyond() const { return beyond_; }
  // The cubes of the goal. Empty: there are too many, or inputs that cannot be eliminated.
  [[nodiscard]] Ways goals();
  // Transitions that write something that the cube speaks of and may make it so. Until the next
  // call.
  [[nodiscard]] const std::vector<std::uint32_t>& writers(const Cube& cube);
  // The states from which the transition leads into the cube. Empty: as for `goals`.
  [[nodiscard]] Ways before(const Cube& cube, std::uint32_t transition);

 private:
  void find_writers();
  void add_writers(const std::vector<std::uint32_t>& transitions);
  [[nodiscard]] bool touches(std::uint32_t transition, const FactTerm& term) const;
  const Ways& before(FactId fact, std::uint32_t transition);
  [[nodiscard]] Ways settled(const std::vector<Cube>& cubes);
  [[nodiscard]] Ways finished(std::vector<Cube> cubes);
  [[nodiscard]] bool is_simple(const Cube& cube) const;

  [[nodiscard]] std::optional<SymbolId> input_in(const Cube& cube) const;
  [[nodiscard]] Ways without(SymbolId input, const Cube& cube);

  const TransitionSystem& system_;
  const SymbolVariables& variables_;
  Facts& facts_;
  ExprPool& pool_;
  bool beyond_ = false;
  std::vector<std::vector<Cube>> guards_;               // by transition
  std::vector<std::unique_ptr<Substitution>> updates_;  // by transition; null: not needed yet
  std::unordered_map<std::uint64_t, Ways> before_;      // by fact and transition
  std::vector<std::vector<SymbolId>> written_;          // by transition, ascending
  std::vector<std::vector<std::uint32_t>> writers_;     // by variable, but for those that follow
  // By location and value: transitions that lead there.
  std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<std::uint32_t>> leading_to_;
  std::vector<std::uint32_t> found_;
  std::vector<std::uint32_t> stamps_;  // by transition: when it was found last
  std::uint32_t stamp_ = 0;
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// A program counter that is a number like any other, as in systems that were translated from
// programs, becomes the location of the system: transitions say from where to where they lead, and
// what engines do per location (polyhedra for each loop, relations for each place) works for them.
//
// A variable is taken for a program counter if it begins with a number, most transitions ask for
// one of its values (or, where equations say all in one, these do), and none sets it to anything
// but numbers; a choice of what it or another number is set to is a transition for each. Where
// there is none, truth values are taken for one together if every transition asks for each of them
// and sets it to a constant, if at all (control_bits.h makes such transitions). First states from
// which nothing can happen, as such translations have them, are left out where they are no goal.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "expr/traverse.h"
#include "ir/transition_system.h"

namespace whittle {

class ControlLocations {
 public:
  explicit ControlLocations(const TransitionSystem& original);

  // With locations; the original if there is no program counter.
  [[nodiscard]] const TransitionSystem& system() const { return any_ ? located_ : original_; }
  [[nodiscard]] bool any() const { return any_; }
  // Back to the original. An invariant that cannot be said there is invalid.
  [[nodiscard]] FlatTrace trace(FlatTrace trace) const;
  [[nodiscard]] Expr invariant(Expr invariant) const;

 private:
  using Values = std::vector<Expr>;  // one constant for each variable of the counter
  // A part of a transition; `next` is of the counter.
  struct Case {
    Expr guard;
    std::vector<Update> updates;
    Values next;
  };

  void leave_out_stuck();
  [[nodiscard]] bool set_to_numbers(std::uint32_t variable) const;
  void count_asked(Expr condition, std::unordered_set<Expr>& before,
                   std::unordered_map<Expr, std::uint32_t>& asked) const;
  [[nodiscard]] Case assuming(const Case& piece, Expr condition, bool truth) const;
  [[nodiscard]] std::optional<std::uint32_t> program_counter() const;
  [[nodiscard]] std::vector<std::uint32_t> bits_of_counter() const;
  [[nodiscard]] std::optional<Value> first_value(std::uint32_t variable) const;
  bool build(std::vector<std::uint32_t> counter);
  bool collect_values();
  void make_location();
  bool specialise(std::uint32_t value, std::uint32_t transition);
  std::optional<std::uint32_t> index_of(const Values& values);
  [[nodiscard]] Substitution known(const Values& values) const;
  [[nodiscard]] Expr at(std::uint32_t value) const;
  [[nodiscard]] Expr by_location(Expr condition);

  const TransitionSystem& original_;
  ExprPool& pool_;
  TransitionSystem located_;
  bool any_ = false;
  Expr init_;                              // without those that are stuck
  Expr stuck_;                             // these
  std::vector<std::uint32_t> counter_;     // its variables; the location stands for the first
  std::vector<Values> values_;             // of the counter, by location
  std::vector<std::uint32_t> place_;       // of a variable among those that are left, by original
  std::vector<std::uint32_t> transition_;  // the original, by transition
  StateVariable location_;
};

}  // namespace whittle

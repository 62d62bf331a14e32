// SPDX-License-Identifier: Apache-2.0
// Which values the variables of a system can have after exactly k steps, for k = 0, 1, 2, ...,
// without a solver: an interval per number, a subset per location and truth value. Cheap, and often
// enough to see that a depth cannot reach the goal or that a transition is not possible yet.
//
//   DepthBounds bounds(system);          // depth 0
//   bounds.possible();                   // transitions that may be taken from there
//   bounds.advance();                    // depth 1
//   bounds.goal_possible();
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absint/interval/value_range.h"
#include "expr/term_places.h"
#include "ir/transition_system.h"

namespace whittle {

// What a goal at some depth says about the depths before it.
struct LookedBack {
  bool possible = true;
  struct Excluded {
    std::uint64_t depth;
    std::uint32_t transition;
  };
  struct Narrowed {
    std::uint64_t depth;
    std::uint32_t variable;
    ValueRange range;
  };
  // On every run that has the goal at that depth: these transitions are not taken from these
  // depths, and these variables have these ranges there.
  std::vector<Excluded> excluded;
  std::vector<Narrowed> narrowed;
};

class DepthBounds {
 public:
  enum class Which : std::uint8_t {
    Exact,    // after exactly as many steps
    Growing,  // after at most as many steps; once settled the ranges are an inductive invariant
  };
  explicit DepthBounds(const TransitionSystem& system, Which which = Which::Exact);

  void advance();
  [[nodiscard]] std::uint64_t depth() const { return depth_; }
  // No run has so many steps.
  [[nodiscard]] bool dead() const { return dead_; }
  // Nothing has changed since the depth before, and so nothing ever will.
  [[nodiscard]] bool settled() const { return settled_; }
  // Transitions that may lead from this depth to the next, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& possible() const { return possible_; }
  [[nodiscard]] bool goal_possible();
  // Follows the goal at this depth back to the beginning (goal_bounds.cpp). Gives up, and says
  // nothing, where that has cost too much already.
  [[nodiscard]] LookedBack look_back();
  // What a state variable may be at this depth.
  [[nodiscard]] const ValueRange& range(std::uint32_t variable) const { return ranges_[variable]; }
  // What a term over current symbols and inputs may be when the transition is taken from here.
  [[nodiscard]] ValueRange range_when_taken(std::uint32_t transition, Expr term);

 private:
  // Variables, inputs and next values of open variables have a slot each in ranges_.
  static constexpr std::uint32_t kNoSlot = UINT32_MAX;

  void add_slot(SymbolId symbol);
  [[nodiscard]] std::uint32_t slot_of(Expr term) const;
  [[nodiscard]] ValueRange evaluate(Expr term);
  void find_possible();
  void join_after(std::uint32_t transition);

  // Narrowing ranges by a condition that holds; false when it cannot. Undone by `restore`.
  bool assume(Expr condition, bool truth, unsigned nesting = 0);
  bool assume_all(std::span<const Expr> conditions);
  bool assume_some(std::span<const Expr> conditions, bool truth, unsigned nesting);
  bool assume_order(Expr lesser, Expr greater, bool strict);
  bool assume_equal(Expr a, Expr b, bool truth);
  bool narrow(std::uint32_t slot, const ValueRange& range);
  bool enter(std::uint32_t transition);
  void restore(std::size_t mark);

  // Looking back: variables with their ranges at the later depth.
  using Wanted = std::vector<std::pair<std::uint32_t, ValueRange>>;
  void remember();
  [[nodiscard]] Wanted narrowed_since(std::size_t mark) const;
  bool leads_to(std::uint32_t transition, const Wanted& wanted);
  bool narrow_term(Expr term, const ValueRange& range);
  [[nodiscard]] bool step_back(std::uint64_t depth, Wanted& wanted, LookedBack& result);

  const TransitionSystem& system_;
  const ExprPool& pool_;
  Which which_;
  std::uint64_t depth_ = 0;
  bool settled_ = false;
  bool dead_ = false;                          // no state is possible at this depth
  std::vector<std::uint32_t> slots_;           // by symbol
  std::vector<ValueRange> ranges_;             // by slot; state variables first
  std::vector<std::vector<Expr>> conditions_;  // by transition: conjuncts of guard and relation
  std::vector<Expr> goal_;                     // its conjuncts
  std::vector<std::uint32_t> possible_;
  std::vector<std::pair<std::uint32_t, ValueRange>> trail_;  // what narrowing replaced

  // Results of evaluate, valid while nothing is narrowed or restored.
  TermPlaces places_;
  std::vector<ValueRange> memo_;
  std::vector<std::uint64_t> stamps_;
  std::uint64_t stamp_ = 1;

  // By depth: what was known there; empty once it would be too much.
  struct Known {
    std::vector<ValueRange> ranges;
    std::vector<std::uint32_t> possible;
  };
  std::vector<Known> history_;
  bool remembers_ = true;
  std::uint64_t looked_at_ = 0;  // transitions, in all looking back so far

  // While joining over transitions: what those that touch a variable leave in it.
  std::vector<ValueRange> touched_;
  std::vector<std::uint32_t> touch_count_;
};

}  // namespace whittle

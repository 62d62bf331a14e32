// SPDX-License-Identifier: Apache-2.0
// A range for each of some symbols, narrowed by conditions that hold and widened again: what is
// replaced stands on a trail.
//
//   const std::size_t mark = store.mark();
//   if (store.assume_all(conditions)) ... store.evaluate(term) ...   // where they hold
//   store.restore(mark);
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absint/interval/value_range.h"
#include "expr/expr.h"
#include "expr/term_places.h"

namespace whittle {

class RangeStore {
 public:
  explicit RangeStore(const ExprPool& pool) : pool_(pool), places_(pool) {}

  // Each symbol has a slot, numbered in the order in which they are added; it may have any value.
  static constexpr std::uint32_t kNoSlot = UINT32_MAX;
  void add_slot(SymbolId symbol);
  [[nodiscard]] std::uint32_t slot(SymbolId symbol) const { return slots_[symbol.index()]; }
  [[nodiscard]] const ValueRange& operator[](std::uint32_t slot) const { return ranges_[slot]; }
  // For good: no restoring undoes it.
  void set(std::uint32_t slot, ValueRange range);

  [[nodiscard]] ValueRange evaluate(Expr term);

  // Narrowing by what holds; false when it cannot.
  bool assume(Expr condition, bool truth) { return assume(condition, truth, 0); }
  bool assume_all(std::span<const Expr> conditions);
  bool narrow(std::uint32_t slot, const ValueRange& range);
  // The term has a value in the range; narrows the variables of a sum.
  bool narrow_term(Expr term, const ValueRange& range);

  [[nodiscard]] std::size_t mark() const { return trail_.size(); }
  void restore(std::size_t mark);
  // What was narrowed stays so.
  void commit() { trail_.clear(); }
  // The slots below `end` that were narrowed, ascending.
  [[nodiscard]] std::vector<std::uint32_t> narrowed_since(std::size_t mark,
                                                          std::uint32_t end) const;

 private:
  [[nodiscard]] std::uint32_t slot_of(Expr term) const;
  bool assume(Expr condition, bool truth, unsigned nesting);
  bool assume_some(std::span<const Expr> conditions, bool truth, unsigned nesting);
  bool assume_order(Expr lesser, Expr greater, bool strict);
  bool assume_equal(Expr a, Expr b, bool truth);

  const ExprPool& pool_;
  std::vector<std::uint32_t> slots_;                         // by symbol
  std::vector<ValueRange> ranges_;                           // by slot
  std::vector<std::pair<std::uint32_t, ValueRange>> trail_;  // what narrowing replaced

  // Results of evaluate, valid while nothing changes.
  TermPlaces places_;
  std::vector<ValueRange> memo_;
  std::vector<std::uint64_t> stamps_;
  std::uint64_t stamp_ = 1;
};

// The join of ranges by variable, over several transitions.
class JoinedRanges {
 public:
  explicit JoinedRanges(std::size_t variables) : ranges_(variables), counts_(variables) {}
  void clear();
  void add(std::uint32_t variable, const ValueRange& range);
  [[nodiscard]] std::uint32_t count(std::uint32_t variable) const { return counts_[variable]; }
  // requires: count(variable) > 0
  [[nodiscard]] const ValueRange& operator[](std::uint32_t variable) const {
    return ranges_[variable];
  }

 private:
  std::vector<ValueRange> ranges_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace whittle

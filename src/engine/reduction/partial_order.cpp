// SPDX-License-Identifier: Apache-2.0
// Partial-order reduction as a constraint on neighbouring steps, in the manner of monotonic
// partial-order reduction (Kahlon, Wang, Gupta: "Monotonic Partial Order Reduction", CAV 2009).
//
// Transitions are divided into numbered groups, one per program counter or whatever comes closest.
// Two neighbouring steps conflict if one of them writes a cell that the other reads or writes. The
// constraint: a step of a lower group directly after a step of a higher one conflicts with it.
//
// Theorem. For every run there is one of the same length, from the same first to the same last
// state, that satisfies the constraint.
// Proof. If neighbours t u do not conflict, then u was possible before t already (t writes nothing
// that u reads), t is possible after u, each writes the same values as before into the same cells,
// and these differ: u t leads to the same state. Among all runs that come from the given one by
// such exchanges, take the one whose sequence of group numbers is least in lexicographic order. If
// it had neighbours without a conflict, the second of a lower group, exchanging them would give a
// smaller one.  []
//
// So questions about exact numbers of steps stay as they are, too. Projections (projection.cpp) go
// together with it: they hold for every shortest run to the goal, hence for the rearranged one,
// which is as short and ends in the same state. Projections also want each step that only its own
// thread notices directly before the next step of that thread (`late`). Such steps and the one that
// they stand before are a block, and whole blocks are exchanged: a block can pass a single step if
// the last step of the block does not conflict with it. So the constraint is not for a step that
// begins a block of several.
//
// Conflicts only over values that are needed later would be fewer (where live(v, k) of
// projection.cpp says so), and their neighbours could be exchanged, too. That cost as much as it
// saved (16 random programs of 5 to 8 processes: 22 s, and 20 s without).
//
// Encoding, linear in the sizes of the transitions per step. later(h, k): step k is of group h or a
// higher one. For each variable that several groups use, two symbols say that the steps k - 1 and k
// conflict there; for arrays `cell(a, k)` is the index that step k uses.
#include "engine/reduction/partial_order.h"

#include <algorithm>
#include <map>

namespace whittle {

namespace {
constexpr std::size_t kFewTransitions = 64;
}

PartialOrder::PartialOrder(const TransitionSystem& system, const Accesses& accesses,
                           Unroller& unroller, const StepEncoder& steps, bool late)
    : system_(system),
      accesses_(accesses),
      pool_(*system.pool),
      unroller_(unroller),
      steps_(steps),
      late_(late) {
  find_groups();
  if (!some_commute()) groups_ = 1;
  if (groups_ > 1) find_shared();
}

// Are there steps of different groups that can change places? In a single machine mostly not: each
// reads the location or writes the variable that another one writes. Asked only where it is cheap.
bool PartialOrder::some_commute() const {
  const std::size_t count = system_.transitions.size();
  if (count > kFewTransitions) return true;
  auto writes_all_of = [&](std::uint32_t t, std::uint32_t variable) {
    const std::vector<AccessedCell>& writes = accesses_.of(t).writes;
    return std::any_of(writes.begin(), writes.end(), [&](const AccessedCell& cell) {
      return cell.variable == variable && !cell.index.valid();
    });
  };
  // The one writes all of a variable that the other one uses.
  auto disturbs = [&](std::uint32_t t, std::uint32_t u) {
    const TransitionAccess& other = accesses_.of(u);
    auto touched = [&](const AccessedCell& cell) { return writes_all_of(t, cell.variable); };
    return std::any_of(other.reads.begin(), other.reads.end(), touched) ||
           std::any_of(other.writes.begin(), other.writes.end(), touched) ||
           std::any_of(other.value_reads.begin(), other.value_reads.end(),
                       [&](const auto& read) { return touched(read.cell); });
  };
  for (std::uint32_t t = 0; t < count; ++t) {
    for (std::uint32_t u = 0; u < t; ++u) {
      if (group_[t] != group_[u] && !disturbs(t, u) && !disturbs(u, t)) return true;
    }
  }
  return false;
}

// By program counter; else by a variable that is written. Steps that write nothing can stand
// anywhere.
void PartialOrder::find_groups() {
  std::map<std::uint32_t, std::uint32_t> numbers;
  std::vector<std::uint32_t> keys;
  for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
    std::uint32_t key = accesses_.thread_of(t);
    if (key == Accesses::kNone) {
      for (const AccessedCell& cell : accesses_.of(t).writes) key = std::min(key, cell.variable);
    }
    keys.push_back(key);
    numbers.emplace(key, 0);
  }
  for (auto& [key, number] : numbers) number = groups_++;
  for (std::uint32_t key : keys) group_.push_back(numbers.at(key));
}

void PartialOrder::find_shared() {
  std::vector<std::vector<Use>> uses(system_.variables.size());
  for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
    auto add = [&](const AccessedCell& cell, bool writes) {
      std::vector<Use>& list = uses[cell.variable];
      if (list.empty() || list.back().transition != t) {
        list.push_back({t, writes, !writes, cell.index});
        return;
      }
      Use& use = list.back();
      use.writes |= writes;
      use.reads |= !writes;
      if (use.index != cell.index) use.index = Expr();
    };
    const TransitionAccess& access = accesses_.of(t);
    for (const AccessedCell& cell : access.reads) add(cell, false);
    for (const auto& read : access.value_reads) add(read.cell, false);
    for (const AccessedCell& cell : access.writes) add(cell, true);
  }
  for (std::uint32_t v = 0; v < uses.size(); ++v) {
    bool several = false;
    bool written = false;
    bool cells = false;
    for (const Use& use : uses[v]) {
      several |= group_[use.transition] != group_[uses[v].front().transition];
      written |= use.writes;
      cells |= use.index.valid();
    }
    if (several && written) shared_.push_back({v, cells, std::move(uses[v])});
  }
}

void PartialOrder::encode(std::uint64_t k, std::vector<Expr>& out) {
  if (groups_ < 2) return;
  before_ = std::move(now_);
  cells_before_ = std::move(cells_now_);
  place_in_order(k, out);
  name_cells(k, out);
  if (k == 0) return;
  std::vector<Expr> conflicts;
  for (std::size_t s = 0; s < shared_.size(); ++s) {
    for (const bool write_first : {true, false}) {
      const Expr c = conflict(k, s, write_first, out);
      if (!pool_.is_false(c)) conflicts.push_back(c);
    }
  }
  const Expr conflicting = unroller_.fresh("conflict", Type::boolean(), k);
  std::vector<Expr> parts = conflicts;
  parts.push_back(pool_.negate(conflicting));
  for (const StepEncoder::Selected& selected : steps_.selected(k)) {
    if (late_ && selected.transition != StepEncoder::kWait &&
        accesses_.unnoticed(selected.transition))
      parts.push_back(selected.selector);
  }
  out.push_back(pool_.disj(parts));
  for (std::uint32_t h = 1; h < groups_; ++h) {
    if (!before_[h].valid() || !now_[h].valid()) continue;
    out.push_back(pool_.disj(std::vector<Expr>{pool_.negate(before_[h]), now_[h], conflicting}));
  }
}

// taken t of group g  ->  later(h, k) exactly for h <= g
void PartialOrder::place_in_order(std::uint64_t k, std::vector<Expr>& out) {
  now_.assign(groups_ + 1, Expr());
  for (std::uint32_t h = 1; h < groups_; ++h) {
    now_[h] = unroller_.fresh("later", Type::boolean(), k);
    if (h > 1) out.push_back(pool_.implies(now_[h], now_[h - 1]));
  }
  for (const StepEncoder::Selected& selected : steps_.selected(k)) {
    const std::uint32_t g = group_of(selected);
    if (g > 0) out.push_back(pool_.implies(selected.selector, now_[g]));
    if (g + 1 < groups_) out.push_back(pool_.implies(selected.selector, pool_.negate(now_[g + 1])));
  }
}

// taken t, which uses the cell i of an array  ->  cell(a, k) = i
void PartialOrder::name_cells(std::uint64_t k, std::vector<Expr>& out) {
  cells_now_.assign(shared_.size(), Expr());
  for (std::size_t s = 0; s < shared_.size(); ++s) {
    if (!shared_[s].cells) continue;
    for (const Use& use : shared_[s].uses) {
      if (!use.index.valid()) continue;
      const Expr selector = steps_.selector(k, use.transition);
      if (!selector.valid()) continue;
      if (!cells_now_[s].valid()) {
        cells_now_[s] = unroller_.fresh("cell:" + system_.variables[shared_[s].variable].name,
                                        pool_.type(use.index), k);
      }
      out.push_back(
          pool_.implies(selector, pool_.eq(cells_now_[s], unroller_.at_time(use.index, k))));
    }
  }
}

// The steps k - 1 and k use the same cell; `write_first`: the first one writes it, else the first
// one reads it and the second one writes.
Expr PartialOrder::conflict(std::uint64_t k, std::size_t s, bool write_first,
                            std::vector<Expr>& out) {
  std::vector<Expr> first, second, unnamed;
  for (const Use& use : shared_[s].uses) {
    auto note = [&](std::uint64_t at, bool wanted, std::vector<Expr>& list) {
      const Expr selector = wanted ? steps_.selector(at, use.transition) : Expr();
      if (!selector.valid()) return;
      list.push_back(selector);
      if (!use.index.valid()) unnamed.push_back(selector);
    };
    note(k - 1, write_first ? use.writes : use.reads, first);
    note(k, write_first || use.writes, second);
  }
  if (first.empty() || second.empty()) return pool_.boolean(false);
  const Expr c = unroller_.fresh("conflict:" + system_.variables[shared_[s].variable].name,
                                 Type::boolean(), k);
  const Expr not_c = pool_.negate(c);
  first.push_back(not_c);
  second.push_back(not_c);
  out.push_back(pool_.disj(first));
  out.push_back(pool_.disj(second));
  if (shared_[s].cells && cells_before_[s].valid() && cells_now_[s].valid()) {
    unnamed.push_back(not_c);
    unnamed.push_back(pool_.eq(cells_before_[s], cells_now_[s]));
    out.push_back(pool_.disj(unnamed));
  }
  return c;
}

}  // namespace whittle

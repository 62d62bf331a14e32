// SPDX-License-Identifier: Apache-2.0
// Projections as their authors encode them (Saissi, Bokor, Suri 2015, section 5.2), to measure
// against; projection.cpp has the theorem and a smaller encoding of something stronger.
//
//   d(i, j)   :  the transition taken at j reads what the one taken at i writes,
//                where cells of arrays are the same if their indices are equal
//   C(F)      :  each step i writes something that the goal reads, or d(i, j) for some j > i
//
// Here d(i, j) is added when step j is, as a chain: needed(i, j) -> needed(i, j - 1) or d(i, j).
// Every pair of steps and every pair of transitions costs something; nothing is ever overwritten.
#include <algorithm>

#include "engine/reduction/projection.h"

namespace whittle {

namespace {

class Dependency final : public Projection {
 public:
  Dependency(const TransitionSystem& system, const Accesses& accesses, Unroller& unroller,
             const StepEncoder& steps)
      : system_(system),
        accesses_(accesses),
        pool_(*system.pool),
        unroller_(unroller),
        steps_(steps) {
    find_dependent();
  }

  void encode(std::uint64_t j, std::vector<Expr>& out) override {
    remember_indices(j);
    // needed(j, j)  ->  what is taken writes something that the goal reads
    const Expr now = unroller_.fresh("needed", Type::boolean(), j);
    std::vector<Expr> parts = {pool_.negate(now)};
    for (const StepEncoder::Selected& selected : steps_.selected(j)) {
      if (selected.transition == StepEncoder::kWait || accesses_.writes_goal(selected.transition))
        parts.push_back(selected.selector);
    }
    out.push_back(pool_.disj(parts));
    for (std::uint64_t i = 0; i < j; ++i) {
      const Expr dependent = depends(i, j, out);
      const Expr needed = unroller_.fresh("needed", Type::boolean(), i);
      out.push_back(pool_.disj(std::vector<Expr>{pool_.negate(needed), needed_[i], dependent}));
      needed_[i] = needed;
    }
    needed_.push_back(now);
  }

  void at_goal(std::uint64_t k, Expr goal, std::vector<Expr>& out) override {
    for (std::uint64_t i = 0; i < k; ++i) out.push_back(pool_.implies(goal, needed_[i]));
  }

 private:
  struct Pair {
    Expr written;  // index before the first step; invalid: all cells
    Expr read;     // index before the second step
  };
  struct Dependent {
    std::uint32_t transition;
    std::vector<Pair> cells;  // some pair is the same cell; empty: whatever the indices are
  };

  // Which transitions read what a transition writes (definition 1).
  void find_dependent() {
    struct Reader {
      std::uint32_t transition;
      Expr index;
    };
    std::vector<std::vector<Reader>> readers(system_.variables.size());
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      const TransitionAccess& access = accesses_.of(t);
      for (const AccessedCell& cell : access.reads)
        readers[cell.variable].push_back({t, cell.index});
      for (const auto& read : access.value_reads)
        readers[read.cell.variable].push_back({t, read.cell.index});
    }
    dependent_.resize(system_.transitions.size());
    std::vector<std::uint32_t> place(system_.transitions.size());
    std::vector<char> always(system_.transitions.size(), 0);
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      std::vector<Dependent>& list = dependent_[t];
      place.assign(system_.transitions.size(), UINT32_MAX);
      std::fill(always.begin(), always.end(), 0);
      for (const AccessedCell& written : accesses_.of(t).writes) {
        for (const Reader& reader : readers[written.variable]) {
          std::uint32_t& where = place[reader.transition];
          if (where == UINT32_MAX) {
            where = static_cast<std::uint32_t>(list.size());
            list.push_back({reader.transition, {}});
          }
          if (written.index.valid() && reader.index.valid())
            list[where].cells.push_back({written.index, reader.index});
          else
            always[reader.transition] = 1;
        }
      }
      for (Dependent& one : list)
        if (always[one.transition] != 0) one.cells.clear();
    }
  }

  // Copies of index terms are made while the unroller is at their time.
  void remember_indices(std::uint64_t j) {
    auto& at = indices_.emplace_back();
    auto copy = [&](Expr index) {
      if (index.valid()) at.emplace(index, unroller_.at_time(index, j));
    };
    for (const auto& list : dependent_)
      for (const Dependent& one : list)
        for (const Pair& pair : one.cells) {
          copy(pair.written);
          copy(pair.read);
        }
  }

  // d(i, j)  ->  a pair of dependent transitions is taken at i and j
  Expr depends(std::uint64_t i, std::uint64_t j, std::vector<Expr>& out) {
    const Expr d = unroller_.fresh("d", Type::boolean(), j);
    std::vector<Expr> some = {pool_.negate(d)};
    for (const StepEncoder::Selected& first : steps_.selected(i)) {
      if (first.transition == StepEncoder::kWait) continue;
      std::vector<Expr> parts = {pool_.negate(d), pool_.negate(first.selector)};
      for (const Dependent& one : dependent_[first.transition]) {
        const Expr second = steps_.selector(j, one.transition);
        if (!second.valid()) continue;
        std::vector<Expr> equal;
        for (const Pair& pair : one.cells)
          equal.push_back(pool_.eq(indices_[i].at(pair.written), indices_[j].at(pair.read)));
        parts.push_back(one.cells.empty() ? second : pool_.conj(second, pool_.disj(equal)));
      }
      out.push_back(pool_.disj(parts));
      some.push_back(first.selector);
    }
    out.push_back(pool_.disj(some));
    return d;
  }

  const TransitionSystem& system_;
  const Accesses& accesses_;
  ExprPool& pool_;
  Unroller& unroller_;
  const StepEncoder& steps_;
  std::vector<std::vector<Dependent>> dependent_;        // by transition
  std::vector<Expr> needed_;                             // by step: needed by the steps so far
  std::vector<std::unordered_map<Expr, Expr>> indices_;  // by step
};

}  // namespace

std::unique_ptr<Projection> dependency_projection(const TransitionSystem& system,
                                                  const Accesses& accesses, Unroller& unroller,
                                                  const StepEncoder& steps) {
  return std::make_unique<Dependency>(system, accesses, unroller, steps);
}

}  // namespace whittle

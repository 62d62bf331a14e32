// SPDX-License-Identifier: Apache-2.0
#include "absint/packs.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "expr/traverse.h"

namespace whittle::absint {

namespace {

constexpr std::size_t kMaxPacks = 64;

using Pack = std::vector<std::uint32_t>;  // ascending

class Relations {
 public:
  Relations(const TransitionSystem& system, const std::vector<std::uint32_t>& numbers,
            std::size_t most)
      : pool_(*system.pool), most_(most) {
    for (const std::uint32_t v : numbers) {
      variable_[system.variables[v].current] = v;
      variable_[system.variables[v].next] = v;
    }
    add_term(system.goal.condition);  // as a whole, if it is not about too many
    add_comparisons(system.goal.condition);
    for (const Transition& t : system.transitions) {
      add_comparisons(t.guard);
      add_comparisons(t.relation);
      for (const Update& update : t.updates) {
        if (variable_.contains(system.variables[update.variable].current))
          add_term(update.value, update.variable);
      }
    }
    add_comparisons(system.init);
  }

  // In the order of their distance from the goal.
  std::vector<Pack> run() {
    std::vector<char> used(sets_.size(), 0);
    std::unordered_set<std::uint32_t> near;
    if (!sets_.empty()) near.insert(sets_[0].begin(), sets_[0].end());
    for (bool all = false;;) {
      bool any = false;
      for (std::size_t i = 0; i < sets_.size() && result_.size() < kMaxPacks; ++i) {
        const Pack& set = sets_[i];
        if (used[i] != 0) continue;
        const bool touches =
            std::any_of(set.begin(), set.end(), [&](std::uint32_t v) { return near.contains(v); });
        if (!touches && !all) continue;
        used[i] = 1;
        any = true;
        all = false;  // from here on it is the nearest ones again
        near.insert(set.begin(), set.end());
        place(set);
      }
      if (any) continue;
      if (all) return std::move(result_);
      all = true;
    }
  }

 private:
  void add_comparisons(Expr condition) {
    if (!condition.valid()) return;
    for_each_subterm(pool_, condition, [&](Expr e) {
      const Op op = pool_.op(e);
      if (op == Op::Eq || op == Op::Lt || op == Op::Le) add_term(e);
    });
  }

  void add_term(Expr term, std::uint32_t target = UINT32_MAX) {
    Pack set;
    if (target != UINT32_MAX) set.push_back(target);
    for (const SymbolId symbol : symbols(pool_, term)) {
      if (const auto v = variable_.find(symbol); v != variable_.end()) set.push_back(v->second);
    }
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    if (set.size() < 2 || set.size() > most_) return;
    if (known_.insert(set).second) sets_.push_back(std::move(set));
  }

  // Into the pack that it has most in common with, if there is room; else a pack of its own.
  void place(const Pack& set) {
    Pack* best = nullptr;
    std::size_t best_common = 0;
    for (Pack& pack : result_) {
      Pack common;
      std::set_intersection(pack.begin(), pack.end(), set.begin(), set.end(),
                            std::back_inserter(common));
      if (common.size() == set.size()) return;
      if (common.size() <= best_common || pack.size() + set.size() - common.size() > most_)
        continue;
      best = &pack;
      best_common = common.size();
    }
    if (best == nullptr) {
      result_.push_back(set);
      return;
    }
    Pack both;
    std::set_union(best->begin(), best->end(), set.begin(), set.end(), std::back_inserter(both));
    *best = std::move(both);
  }

  const ExprPool& pool_;
  std::size_t most_;
  std::unordered_map<SymbolId, std::uint32_t> variable_;
  std::vector<Pack> sets_;  // as they were found
  std::set<Pack> known_;    // the same
  std::vector<Pack> result_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> packs(const TransitionSystem& system,
                                              const std::vector<std::uint32_t>& numbers,
                                              std::size_t most) {
  return Relations(system, numbers, most).run();
}

}  // namespace whittle::absint

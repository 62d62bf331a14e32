// SPDX-License-Identifier: Apache-2.0
// The textbook way to check a formula on a finite graph, for comparison with everything else: the
// tableau of Gerth, Peled, Vardi, Wolper (Simple on-the-fly automatic verification of linear
// temporal logic, PSTV 1995), degeneralised, and the nested depth-first search of Courcoubetis,
// Vardi, Wolper, Yannakakis (FMSD 1992). Shares nothing with src/ltl; recursive; slow.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/ltl.h"

namespace whittle::test {

struct LetterGraph {
  std::vector<std::uint32_t> letters;                  // per state: the atoms that hold, as bits
  std::vector<std::vector<std::uint32_t>> successors;  // per state; at least one
  std::uint32_t initial = 0;
};

class TextbookChecker {
 public:
  // `f` is in negation normal form, without past.
  TextbookChecker(const LtlPool& ltl, LtlFormula f) : ltl_(ltl) {
    for (LtlFormula g : ltl.subformulas(f))
      if (ltl.op(g) == LtlOp::Until) untils_.push_back(g);
    nodes_.push_back({});  // where runs begin
    expand(0, {f}, {}, {});
  }

  // Is there an infinite path from the first state on which the formula holds?
  bool some_path(const LetterGraph& graph) {
    graph_ = &graph;
    outer_.clear();
    inner_.clear();
    for (std::uint32_t node : nodes_[0].successors) {
      const State first{graph.initial, node, 0};
      if (fits(first) && search(first)) return true;
    }
    return false;
  }

 private:
  using Set = std::set<LtlFormula>;
  struct Node {
    Set old, next;
    std::set<std::uint32_t> successors;
  };
  using State = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // state, node, counter

  // From node `from` on all of `open` has to hold; `old` is dealt with already.
  void expand(std::uint32_t from, Set open, Set old, Set next) {
    if (open.empty()) {
      const auto [place, added] =
          index_.emplace(std::pair(old, next), static_cast<std::uint32_t>(nodes_.size()));
      nodes_[from].successors.insert(place->second);
      if (!added) return;
      const std::uint32_t node = place->second;
      nodes_.push_back({old, next, {}});
      expand(node, next, {}, {});
      return;
    }
    const LtlFormula f = *open.begin();
    open.erase(open.begin());
    if (old.contains(f)) return expand(from, open, old, next);
    const auto with = [&](std::initializer_list<LtlFormula> now,
                          std::initializer_list<LtlFormula> later) {
      Set o = open, d = old, n = next;
      o.insert(now);
      d.insert(f);
      n.insert(later);
      expand(from, o, d, n);
    };
    const auto child = [&](std::size_t i) { return ltl_.child(f, i); };
    switch (ltl_.op(f)) {
      case LtlOp::False:
        return;
      case LtlOp::Atom:
      case LtlOp::Not:
        for (LtlFormula g : old)
          if ((ltl_.op(g) == LtlOp::Not && ltl_.child(g, 0) == f) ||
              (ltl_.op(f) == LtlOp::Not && child(0) == g))
            return;
        return with({}, {});
      case LtlOp::True:
        return with({}, {});
      case LtlOp::And: {
        open.insert(ltl_.children(f).begin(), ltl_.children(f).end());
        return with({}, {});
      }
      case LtlOp::Or:
        for (LtlFormula g : ltl_.children(f)) with({g}, {});
        return;
      case LtlOp::Next:
        return with({}, {child(0)});
      case LtlOp::Until:
        with({child(0)}, {f});
        return with({child(1)}, {});
      case LtlOp::Release:
        with({child(1)}, {f});
        return with({child(0), child(1)}, {});
      default:
        throw InternalError("no past here");
    }
  }

  [[nodiscard]] bool fits(const State& s) const {
    const std::uint32_t letter = graph_->letters[std::get<0>(s)];
    for (LtlFormula f : nodes_[std::get<1>(s)].old) {
      if (!ltl_.is_literal(f)) continue;
      const bool negative = ltl_.op(f) == LtlOp::Not;
      const Expr atom = ltl_.condition(negative ? ltl_.child(f, 0) : f);
      if ((((letter >> atom.id()) & 1U) != 0) == negative) return false;
    }
    return true;
  }

  // The counter waits for the set of the `counter`th until; the last value is the accepting one.
  [[nodiscard]] bool accepting(const State& s) const { return std::get<2>(s) == untils_.size(); }
  [[nodiscard]] std::uint32_t counted(std::uint32_t node, std::uint32_t counter) const {
    if (counter == untils_.size()) counter = 0;
    while (counter < untils_.size()) {
      const LtlFormula u = untils_[counter];
      if (nodes_[node].old.contains(u) && !nodes_[node].old.contains(ltl_.child(u, 1))) break;
      ++counter;
    }
    return counter;
  }
  [[nodiscard]] std::vector<State> successors(const State& s) const {
    std::vector<State> result;
    const auto [state, node, counter] = s;
    for (std::uint32_t to : graph_->successors[state]) {
      for (std::uint32_t next : nodes_[node].successors) {
        const State t{to, next, counted(node, counter)};
        if (fits(t)) result.push_back(t);
      }
    }
    return result;
  }

  bool search(const State& s) {
    if (!outer_.insert(s).second) return false;
    for (const State& t : successors(s))
      if (search(t)) return true;
    return accepting(s) && cycle(s, s);
  }
  bool cycle(const State& s, const State& seed) {
    for (const State& t : successors(s)) {
      if (t == seed) return true;
      if (inner_.insert(t).second && cycle(t, seed)) return true;
    }
    return false;
  }

  const LtlPool& ltl_;
  std::vector<LtlFormula> untils_;
  std::vector<Node> nodes_;
  std::map<std::pair<Set, Set>, std::uint32_t> index_;
  const LetterGraph* graph_ = nullptr;
  std::set<State> outer_, inner_;
};

}  // namespace whittle::test

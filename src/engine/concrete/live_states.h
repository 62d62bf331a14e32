// SPDX-License-Identifier: Apache-2.0
// The states of a finite system as a graph whose steps carry the acceptance sets that they meet:
// what the engine scc searches, and where its run is put together.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/concrete/state_store.h"
#include "engine/concrete/word_system.h"
#include "ir/lowering/relation_cases.h"

namespace whittle {

// Sets as bits: acceptance sets first, then units of strong fairness that are taken. `possible`:
// the units that are possible in a state.
struct LiveMarks {
  std::uint64_t met = 0;
  std::uint64_t possible = 0;

  void join(const LiveMarks& other) {
    met |= other.met;
    possible |= other.possible;
  }
};

struct LiveArc {
  std::uint32_t target = 0;
  LiveMarks marks;
  WordSystem::Step step;
};

class LiveStates {
 public:
  // requires: the question of the system is live, and no relation is left
  LiveStates(const TransitionSystem& system, std::uint64_t bytes);

  std::optional<Reason> prepare(const Env& env);
  // Why searching makes no sense any more.
  [[nodiscard]] const std::optional<Reason>& problem() const { return problem_; }

  [[nodiscard]] const std::vector<std::uint32_t>& first() const { return first_; }
  [[nodiscard]] std::uint32_t size() const { return store_.size(); }
  // Appends the steps that leave the state.
  void successors(std::uint32_t state, std::vector<LiveArc>& arcs);
  // What holds in the state itself. requires: successors() was called for it last
  [[nodiscard]] LiveMarks marks_of(std::uint32_t state);

  // Do these marks, of a component, allow a run that meets every set and is fair?
  [[nodiscard]] bool accepting(const LiveMarks& marks) const {
    return could_accept(marks) && (marks.possible & ~marks.met) == 0;
  }
  // Perhaps a part of it.
  [[nodiscard]] bool could_accept(const LiveMarks& marks) const {
    return (marks.met & sets_) == sets_;
  }
  // A strongly connected part of a component that is fair and meets every set; empty: there is
  // none.
  [[nodiscard]] std::vector<std::uint32_t> fair_part(std::vector<std::uint32_t> component);

  // A run into the component that then stays there and meets all that it can.
  [[nodiscard]] FlatTrace lasso(const std::vector<std::uint32_t>& component);

 private:
  struct Inside;
  [[nodiscard]] LiveMarks of_now();
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> parts(
      const std::vector<std::uint32_t>& states);
  [[nodiscard]] LiveMarks marks_inside(const std::vector<std::uint32_t>& part);
  void note_problem();

  const TransitionSystem& system_;
  std::uint64_t limit_;  // bytes
  WordSystem words_;
  StateStore store_{0};
  const Env* env_ = nullptr;
  std::optional<Reason> problem_;
  std::vector<std::uint32_t> first_;
  std::uint64_t sets_ = 0;                                      // the bits of acceptance sets
  std::vector<std::uint64_t> by_transition_;                    // bits that its steps have
  std::vector<std::pair<WordCode, std::uint64_t>> conditions_;  // of acceptance sets
  std::vector<std::pair<WordCode, std::uint64_t>> possible_;    // of strong units
  LiveMarks now_;
  std::uint32_t expanded_ = UINT32_MAX;
  std::uint64_t looks_ = 0;
  std::vector<std::uint32_t> inside_;  // by state: the number of the set it is in
  std::uint32_t inside_count_ = 0;
};

}  // namespace whittle

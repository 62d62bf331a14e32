// SPDX-License-Identifier: Apache-2.0
// Tarjan, Depth-first search and linear graph algorithms, 1972, without recursion.
#include "ltl/components.h"

#include <algorithm>
#include <utility>

namespace whittle::ltl {

namespace {

class Tarjan {
 public:
  explicit Tarjan(const Automaton& automaton) : automaton_(automaton) {
    const std::size_t n = automaton.size();
    of_.assign(n, kNone);
    number_.assign(n, kNone);
    lowest_.assign(n, 0);
  }

  // The component of each state; the number of components is left in `count`.
  std::vector<std::uint32_t> operator()(std::uint32_t& count) {
    for (std::uint32_t root = 0; root < automaton_.size(); ++root) {
      if (number_[root] != kNone) continue;
      open(root);
      while (!path_.empty()) step();
    }
    count = components_;
    return std::move(of_);
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void open(std::uint32_t state) {
    number_[state] = lowest_[state] = visited_++;
    stack_.push_back(state);
    path_.emplace_back(state, 0);
  }

  void step() {
    auto& [state, next] = path_.back();
    if (next < automaton_.edges[state].size()) {
      const std::uint32_t target = automaton_.edges[state][next++].target;
      if (number_[target] == kNone) {
        open(target);
      } else if (of_[target] == kNone) {
        lowest_[state] = std::min(lowest_[state], number_[target]);
      }
      return;
    }
    const std::uint32_t done = state;
    path_.pop_back();
    if (!path_.empty()) {
      const std::uint32_t parent = path_.back().first;
      lowest_[parent] = std::min(lowest_[parent], lowest_[done]);
    }
    if (lowest_[done] == number_[done]) close(done);
  }

  void close(std::uint32_t root) {
    while (true) {
      const std::uint32_t member = stack_.back();
      stack_.pop_back();
      of_[member] = components_;
      if (member == root) break;
    }
    ++components_;
  }

  const Automaton& automaton_;
  std::vector<std::uint32_t> of_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> lowest_;
  std::vector<std::uint32_t> stack_;
  std::vector<std::pair<std::uint32_t, std::size_t>> path_;  // state, next edge to look at
  std::uint32_t visited_ = 0;
  std::uint32_t components_ = 0;
};

}  // namespace

Components components(const Automaton& automaton) {
  std::uint32_t count = 0;
  Components result;
  result.of = Tarjan(automaton)(count);
  std::vector<NumberSet> marks(count);
  std::vector<bool> cyclic(count, false);
  for (std::uint32_t state = 0; state < automaton.size(); ++state) {
    const std::uint32_t component = result.of[state];
    for (const Automaton::Edge& edge : automaton.edges[state]) {
      if (result.of[edge.target] != component) continue;
      cyclic[component] = true;
      marks[component] = united(marks[component], edge.marks);
    }
  }
  for (std::uint32_t c = 0; c < count; ++c)
    result.accepting.push_back(cyclic[c] && marks[c].size() == automaton.acceptance);
  // What a component reaches has a smaller number.
  result.productive = result.accepting;
  std::vector<std::vector<std::uint32_t>> members(count);
  for (std::uint32_t state = 0; state < automaton.size(); ++state)
    members[result.of[state]].push_back(state);
  for (std::uint32_t c = 0; c < count; ++c) {
    for (std::uint32_t state : members[c]) {
      for (const Automaton::Edge& edge : automaton.edges[state])
        if (result.productive[result.of[edge.target]]) result.productive[c] = true;
    }
  }
  return result;
}

}  // namespace whittle::ltl

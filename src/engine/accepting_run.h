// SPDX-License-Identifier: Apache-2.0
// Is there an infinite run that meets every acceptance set infinitely often? Asked of a graph that
// is made while it is searched; the core of the engine `scc`.
//
//   AcceptingRunSearch search(graph);
//   std::optional<LassoRun> run = search();  // none: no run is accepting
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace whittle {

// Acceptance sets as bits.
using AcceptanceMarks = std::uint64_t;

// States are numbered by whoever knows what they are; equal states have equal numbers.
class MarkedGraph {
 public:
  struct Arc {
    std::uint32_t target = 0;
    AcceptanceMarks marks = 0;  // the sets that the step belongs to
  };

  virtual ~MarkedGraph() = default;
  [[nodiscard]] virtual AcceptanceMarks all_marks() const = 0;
  [[nodiscard]] virtual std::vector<std::uint32_t> initial() = 0;
  // Called again for some states when a run is put together.
  [[nodiscard]] virtual std::vector<Arc> successors(std::uint32_t state) = 0;
};

// The states of a run; behind the last comes the one at `loop` again.
struct LassoRun {
  std::vector<std::uint32_t> states;
  std::size_t loop = 0;
};

class AcceptingRunSearch {
 public:
  explicit AcceptingRunSearch(MarkedGraph& graph) : graph_(graph) {}

  // Stops at the first accepting component; the stem is a shortest one among the states seen by
  // then, the loop goes from one missing set to the nearest next one.
  [[nodiscard]] std::optional<LassoRun> operator()();

  [[nodiscard]] std::size_t states() const { return number_.size(); }

 private:
  // A component in the making: what is above `root` on the stack of states, and the sets that its
  // inner steps belong to.
  struct Component {
    std::uint32_t root = 0;  // depth-first number
    AcceptanceMarks marks = 0;
    AcceptanceMarks entered_by = 0;  // the step that led to its root
  };
  struct Visit {
    std::uint32_t state = 0;
    std::vector<MarkedGraph::Arc> arcs;
    std::size_t next = 0;
  };

  void open(std::uint32_t state, AcceptanceMarks entered_by);
  bool step();  // true: an accepting component is on top
  bool merge(std::uint32_t root, AcceptanceMarks marks);
  void close();
  [[nodiscard]] LassoRun run();

  MarkedGraph& graph_;
  std::unordered_map<std::uint32_t, std::uint32_t> number_;  // depth-first, from 1; 0: closed
  std::vector<Visit> path_;
  std::vector<Component> components_;
  std::vector<std::uint32_t> open_;  // states of open components, in the order of their numbers
  std::uint32_t visited_ = 0;
};

}  // namespace whittle

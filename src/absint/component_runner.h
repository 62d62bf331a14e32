// SPDX-License-Identifier: Apache-2.0
// Work on the components of a control graph, each as soon as those before it are done: components
// with no path between them at the same time, in processes of their own. Processes and not threads,
// because terms belong to a pool and PPL 1.2 keeps scratch memory in static variables; and a
// process that was forked has all that is known already, so that only results are handed over.
//
// Most components are so small that a process would cost more than it saves. So all work begins in
// this process, and is handed over only where a component on a cycle takes long and another one is
// ready. What is found does not depend on where it was found.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <set>
#include <vector>

#include "absint/control_graph.h"

namespace whittle::absint {

// Which components can be worked on: all components that have an edge to them are done.
class ReadyComponents {
 public:
  explicit ReadyComponents(const ControlGraph& graph);
  // The first one in condensation order that is on a cycle (or not).
  [[nodiscard]] std::optional<std::uint32_t> take(bool on_cycle);
  void put_back(std::uint32_t component);
  // requires: it was taken
  void done(std::uint32_t component);
  [[nodiscard]] std::size_t on_cycles() const { return on_cycles_.size(); }

 private:
  const ControlGraph& graph_;
  std::vector<std::uint32_t> edges_left_;  // by component: from others that are not done
  std::set<std::uint32_t> others_, on_cycles_;
};

struct ComponentWork {
  // Works on a component from the beginning, using nothing but the results for those before it.
  // False: it was told to stop; nothing is kept.
  std::function<bool(std::uint32_t component, const std::function<bool()>& stop)> run;
  // Its result, in the process that has it, and in the one that wants it.
  std::function<void(std::uint32_t component, std::ostream& out)> write;
  std::function<void(std::uint32_t component, std::istream& in)> read;
};

struct Parallelism {
  unsigned processes = 1;
  std::optional<std::uint64_t> memory_mb;  // of each
  // A component that takes so long is expensive.
  std::chrono::microseconds patience{20'000};
  // After that a process hands over what it has done.
  std::chrono::microseconds slice{100'000};
};

// False: stopped.
[[nodiscard]] bool for_each_component(const ControlGraph& graph, const ComponentWork& work,
                                      const Parallelism& parallelism,
                                      const std::function<bool()>& stop);

}  // namespace whittle::absint

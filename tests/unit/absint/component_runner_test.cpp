// SPDX-License-Identifier: Apache-2.0
#include "absint/component_runner.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <istream>
#include <ostream>
#include <set>
#include <thread>

#include "absint/reachable.h"
#include "unit/absint/control_systems.h"

namespace whittle::absint {
namespace {

using test::ControlSystem;

constexpr bool kOnCycle = true;

// Nodes of the components that are ready, in the order in which they are taken.
std::vector<std::uint32_t> taken(ReadyComponents& ready, const ControlGraph& graph, bool on_cycle) {
  std::vector<std::uint32_t> result;
  while (const auto component = ready.take(on_cycle))
    result.push_back(graph.component(*component).front());
  return result;
}

// Everything goes to another process as soon as there is a choice.
Parallelism eager(unsigned processes) {
  Parallelism result;
  result.processes = processes;
  result.patience = std::chrono::microseconds(0);
  result.slice = std::chrono::microseconds(0);
  return result;
}

TEST(ReadyComponents, ChainHasOneAtATime) {
  ControlSystem made(4, 0);
  for (std::uint32_t n = 0; n < 3; ++n) made.edge(n, n + 1);
  const ControlGraph graph(made.system());
  ReadyComponents ready(graph);
  for (std::uint32_t n = 0; n < 4; ++n) {
    const auto component = ready.take(!kOnCycle);
    ASSERT_TRUE(component.has_value());
    EXPECT_EQ(graph.component(*component).front(), n);
    EXPECT_FALSE(ready.take(!kOnCycle).has_value());
    ready.done(*component);
  }
  EXPECT_FALSE(ready.take(!kOnCycle).has_value());
}

TEST(ReadyComponents, EndOfADiamondWaitsForBothSides) {
  ControlSystem made(4, 0);
  made.edge(0, 1);
  made.edge(0, 2);
  made.edge(1, 3);
  made.edge(2, 3);
  const ControlGraph graph(made.system());
  ReadyComponents ready(graph);
  ready.done(*ready.take(!kOnCycle));
  const auto first = ready.take(!kOnCycle), second = ready.take(!kOnCycle);
  ASSERT_TRUE(first && second);
  ready.done(*second);
  EXPECT_FALSE(ready.take(!kOnCycle).has_value());
  ready.done(*first);
  EXPECT_EQ(taken(ready, graph, !kOnCycle), std::vector<std::uint32_t>{3});
}

TEST(ReadyComponents, FanIsReadyAtOnce) {
  ControlSystem made(9, 1);
  for (std::uint32_t n = 1; n < 9; ++n) {
    made.edge(0, n);
    made.loop(n, 0, 1, 5);
  }
  const ControlGraph graph(made.system());
  ReadyComponents ready(graph);
  EXPECT_EQ(ready.on_cycles(), 0U);
  ready.done(*ready.take(!kOnCycle));
  EXPECT_EQ(ready.on_cycles(), 8U);
  EXPECT_FALSE(ready.take(!kOnCycle).has_value());
  EXPECT_EQ(taken(ready, graph, kOnCycle).size(), 8U);
}

TEST(ReadyComponents, CycleIsOneComponent) {
  ControlSystem made(5, 0);
  made.edge(0, 1);
  made.edge(1, 2);
  made.edge(2, 3);
  made.edge(3, 1);
  made.edge(2, 4);
  made.edge(3, 4);
  const ControlGraph graph(made.system());
  ASSERT_EQ(graph.component_count(), 3U);
  ReadyComponents ready(graph);
  ready.done(*ready.take(!kOnCycle));
  const auto cycle = ready.take(kOnCycle);
  ASSERT_TRUE(cycle.has_value());
  EXPECT_EQ(graph.component(*cycle).size(), 3U);
  EXPECT_FALSE(ready.take(!kOnCycle).has_value());
  ready.done(*cycle);
  EXPECT_EQ(taken(ready, graph, !kOnCycle), std::vector<std::uint32_t>{4});
}

// The number of runs to each component, loops not counted.
class Paths {
 public:
  explicit Paths(const ControlGraph& graph) : graph_(graph), count_(graph.component_count(), 0) {}

  ComponentWork work() {
    return {[this](std::uint32_t c, const std::function<bool()>& stop) { return run(c, stop); },
            [this](std::uint32_t c, std::ostream& out) { out << count_[c] << '\n'; },
            [this](std::uint32_t c, std::istream& in) {
              in >> count_[c];
              ++elsewhere_;
            }};
  }
  [[nodiscard]] const std::vector<long>& count() const { return count_; }
  [[nodiscard]] int elsewhere() const { return elsewhere_; }
  bool die_elsewhere = false;

 private:
  bool run(std::uint32_t component, const std::function<bool()>& stop) {
    if (die_elsewhere && getpid() != home_) _exit(3);
    count_[component] = component == 0 ? 1 : 0;
    for (std::uint32_t node : graph_.component(component)) {
      for (std::uint32_t e : graph_.in()[node]) {
        const std::uint32_t from = graph_.component_of(graph_.edges()[e].from);
        if (from != component) count_[component] += count_[from];
      }
    }
    if (graph_.on_cycle(graph_.component(component).front()))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return !stop();
  }

  const ControlGraph& graph_;
  std::vector<long> count_;
  int elsewhere_ = 0;
  pid_t home_ = getpid();
};

// Layers of loops, each node leads to all of the next layer.
ControlSystem layers(std::uint32_t count, std::uint32_t width) {
  ControlSystem made(1 + count * width, 1);
  for (std::uint32_t l = 0; l < count; ++l) {
    for (std::uint32_t i = 0; i < width; ++i) {
      const std::uint32_t node = 1 + l * width + i;
      made.loop(node, 0, 1, 3);
      if (l == 0) made.edge(0, node);
      for (std::uint32_t j = 0; l > 0 && j < width; ++j) made.edge(node - i - width + j, node);
    }
  }
  return made;
}

TEST(ForEachComponent, ResultsAreTheSameWhoeverFindsThem) {
  ControlSystem made = layers(4, 5);
  const ControlGraph graph(made.system());
  Paths alone(graph), together(graph);
  EXPECT_TRUE(for_each_component(graph, alone.work(), eager(1), [] { return false; }));
  EXPECT_TRUE(for_each_component(graph, together.work(), eager(3), [] { return false; }));
  EXPECT_EQ(alone.elsewhere(), 0);
  EXPECT_GT(together.elsewhere(), 10);
  EXPECT_EQ(alone.count(), together.count());
  EXPECT_EQ(*std::max_element(alone.count().begin(), alone.count().end()), 125);
}

TEST(ForEachComponent, SmallComponentsStayHere) {
  ControlSystem made = layers(3, 4);
  const ControlGraph graph(made.system());
  Parallelism patient = eager(4);
  patient.patience = std::chrono::seconds(100);
  Paths paths(graph);
  EXPECT_TRUE(for_each_component(graph, paths.work(), patient, [] { return false; }));
  EXPECT_EQ(paths.elsewhere(), 0);
}

TEST(ForEachComponent, WorkOfProcessesThatDieIsDoneHere) {
  ControlSystem made = layers(3, 4);
  const ControlGraph graph(made.system());
  Paths alone(graph), together(graph);
  together.die_elsewhere = true;
  EXPECT_TRUE(for_each_component(graph, alone.work(), eager(1), [] { return false; }));
  EXPECT_TRUE(for_each_component(graph, together.work(), eager(3), [] { return false; }));
  EXPECT_EQ(together.elsewhere(), 0);
  EXPECT_EQ(alone.count(), together.count());
}

TEST(ForEachComponent, StopsWhenTold) {
  ControlSystem made = layers(3, 4);
  const ControlGraph graph(made.system());
  for (const unsigned processes : {1U, 3U}) {
    Paths paths(graph);
    int asked = 0;
    EXPECT_FALSE(
        for_each_component(graph, paths.work(), eager(processes), [&] { return ++asked > 5; }));
  }
}

TEST(ReachableStates, LoopsSideBySideAreFoundExactly) {
  ControlSystem made(5, 2);
  ExprPool& pool = made.pool();
  for (std::uint32_t n = 1; n < 4; ++n) {
    made.edge(0, n);
    made.loop(n, 0, 1, static_cast<int>(10 * n));
    made.edge(n, 4, pool.ge(made.number(0), pool.integer(static_cast<int>(10 * n))));
  }
  const ControlGraph graph(made.system());
  for (const unsigned processes : {1U, 2U}) {
    ReachableOptions options;
    options.parallelism = eager(processes);
    const auto found = reachable_states(made.system(), graph, options, [] { return false; });
    ASSERT_TRUE(found.has_value());
    for (std::uint32_t n = 0; n < graph.size(); ++n) {
      if (graph.is_at(n) != made.at(4)) continue;
      const Expr x = made.number(0);
      const std::vector<Expr> parts = conjuncts(pool, found->conditions[n]);
      EXPECT_EQ(std::set<Expr>(parts.begin(), parts.end()),
                std::set<Expr>({pool.le(x, pool.integer(30)), pool.ge(x, pool.integer(10)),
                                pool.eq(made.number(1), pool.integer(0))}))
          << processes;
    }
  }
}

// To the order of the constraints.
TEST(ReachableStates, AreTheSameWithAnyNumberOfProcesses) {
  int elsewhere = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    ControlSystem made = test::random_control_system(seed);
    const ControlGraph graph(made.system());
    for (const std::size_t polyhedra : {std::size_t{8}, std::size_t{0}}) {
      ReachableOptions options;
      options.polyhedra = polyhedra;
      options.parallelism = eager(1);
      const auto alone = reachable_states(made.system(), graph, options, [] { return false; });
      options.parallelism = eager(4);
      const auto together = reachable_states(made.system(), graph, options, [] { return false; });
      ASSERT_TRUE(alone && together);
      EXPECT_EQ(alone->conditions, together->conditions) << "seed " << seed;
    }
    ReadyComponents ready(graph);
    ready.done(*ready.take(graph.on_cycle(graph.component(0).front())));
    elsewhere += ready.on_cycles() > 1 ? 1 : 0;
  }
  EXPECT_GT(elsewhere, 3);  // some of them have loops side by side
}

}  // namespace
}  // namespace whittle::absint

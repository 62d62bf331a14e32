// SPDX-License-Identifier: Apache-2.0
#include "engine/accepting_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace whittle {
namespace {

class WrittenGraph : public MarkedGraph {
 public:
  AcceptanceMarks all = 0;
  std::vector<std::uint32_t> first{0};
  std::vector<std::vector<Arc>> arcs;
  std::size_t asked = 0;

  [[nodiscard]] AcceptanceMarks all_marks() const override { return all; }
  [[nodiscard]] std::vector<std::uint32_t> initial() override { return first; }
  [[nodiscard]] std::vector<Arc> successors(std::uint32_t state) override {
    ++asked;
    return arcs[state];
  }
};

// Whether the run is one of the graph and can be given steps so that its loop meets every set.
bool is_accepting(const WrittenGraph& graph, const LassoRun& run) {
  if (run.states.empty() || run.loop >= run.states.size()) return false;
  if (std::find(graph.first.begin(), graph.first.end(), run.states[0]) == graph.first.end())
    return false;
  AcceptanceMarks met = 0;
  for (std::size_t i = 0; i < run.states.size(); ++i) {
    const std::uint32_t to = run.states[i + 1 < run.states.size() ? i + 1 : run.loop];
    bool possible = false;
    for (const MarkedGraph::Arc& arc : graph.arcs[run.states[i]]) {
      if (arc.target != to) continue;
      possible = true;
      if (i >= run.loop) met |= arc.marks;
    }
    if (!possible) return false;
  }
  return met == graph.all;
}

// By the definition: some reachable state lies on closed walks whose steps belong to every set.
bool has_accepting_run(const WrittenGraph& graph) {
  const std::size_t n = graph.arcs.size();
  std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n, false));
  for (std::size_t from = 0; from < n; ++from) {
    for (const MarkedGraph::Arc& arc : graph.arcs[from]) reaches[from][arc.target] = true;
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        reaches[i][j] = reaches[i][j] || (reaches[i][k] && reaches[k][j]);
    }
  }
  for (std::size_t root = 0; root < n; ++root) {
    const bool reached = std::any_of(graph.first.begin(), graph.first.end(), [&](std::uint32_t s) {
      return s == root || reaches[s][root];
    });
    if (!reached || !reaches[root][root]) continue;
    AcceptanceMarks met = 0;
    for (std::size_t s = 0; s < n; ++s) {
      if (!reaches[root][s] || !reaches[s][root]) continue;
      for (const MarkedGraph::Arc& arc : graph.arcs[s])
        if (reaches[arc.target][root]) met |= arc.marks;
    }
    if (met == graph.all) return true;
  }
  return false;
}

TEST(AcceptingRun, FindsALoopThroughAllSets) {
  WrittenGraph graph;
  graph.all = 3;
  graph.arcs = {{{1, 0}}, {{2, 1}}, {{3, 0}}, {{1, 2}}};
  const auto run = AcceptingRunSearch(graph)();
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->states, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(run->loop, 1U);
}

TEST(AcceptingRun, MarksOutsideComponentsDoNotCount) {
  WrittenGraph graph;
  graph.all = 3;
  graph.arcs = {{{1, 3}}, {{1, 1}, {2, 2}}, {{2, 1}}};
  EXPECT_FALSE(AcceptingRunSearch(graph)().has_value());
}

TEST(AcceptingRun, WithoutSetsAnyLoopWillDo) {
  WrittenGraph graph;
  graph.arcs = {{{1, 0}}, {{1, 0}}};
  const auto run = AcceptingRunSearch(graph)();
  ASSERT_TRUE(run.has_value());
  EXPECT_TRUE(is_accepting(graph, *run));
  graph.arcs = {{{1, 0}}, {}};
  EXPECT_FALSE(AcceptingRunSearch(graph)().has_value());
}

TEST(AcceptingRun, TheMarkOfTheStepIntoAComponentCountsOnceItIsInside) {
  WrittenGraph graph;
  graph.all = 3;
  graph.arcs = {{{1, 1}}, {{0, 2}}};
  const auto run = AcceptingRunSearch(graph)();
  ASSERT_TRUE(run.has_value());
  EXPECT_TRUE(is_accepting(graph, *run));
}

TEST(AcceptingRun, AgreesWithTheDefinitionOnRandomGraphs) {
  int with_run = 0;
  const int rounds = 4'000;
  for (int round = 0; round < rounds; ++round) {
    std::mt19937 random(static_cast<unsigned>(round));
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    WrittenGraph graph;
    graph.all = (AcceptanceMarks{1} << below(4)) - 1;
    const unsigned states = 1 + below(8);
    graph.first = {below(states)};
    if (below(3) == 0) graph.first.push_back(below(states));
    graph.arcs.resize(states);
    for (auto& arcs : graph.arcs) {
      for (std::uint32_t n = below(4); n > 0; --n)
        arcs.push_back({below(states), below(8) & graph.all});
    }
    AcceptingRunSearch search(graph);
    const auto run = search();
    ASSERT_EQ(run.has_value(), has_accepting_run(graph)) << round;
    if (!run) continue;
    ++with_run;
    EXPECT_TRUE(is_accepting(graph, *run)) << round;
  }
  EXPECT_GT(with_run, rounds / 5);
  EXPECT_LT(with_run, rounds - rounds / 5);
}

// No recursion: a path of many states.
TEST(AcceptingRun, LongPaths) {
  WrittenGraph graph;
  graph.all = 1;
  const std::uint32_t states = 200'000;
  graph.arcs.resize(states);
  for (std::uint32_t s = 0; s + 1 < states; ++s) graph.arcs[s] = {{s + 1, 0}};
  graph.arcs[states - 1] = {{states - 2, 1}};
  AcceptingRunSearch search(graph);
  const auto run = search();
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->states.size(), states);
  EXPECT_EQ(search.states(), states);
  EXPECT_TRUE(is_accepting(graph, *run));
}

}  // namespace
}  // namespace whittle

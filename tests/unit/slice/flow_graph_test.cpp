// SPDX-License-Identifier: Apache-2.0
#include "slice/flow_graph.h"

#include <gtest/gtest.h>

namespace whittle::slice {
namespace {

using Arcs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

FlowGraph graph_of(std::size_t nodes, const Arcs& arcs) {
  FlowGraph graph(nodes);
  for (const auto& [from, to] : arcs) graph.connect(from, to);
  return graph;
}

std::vector<char> only(const FlowGraph& graph, std::uint32_t node) {
  std::vector<char> marks(graph.size(), 0);
  marks[node] = 1;
  return marks;
}

using Nodes = std::vector<std::uint32_t>;

TEST(FlowGraph, ALoopThatMayGoOnForEverDecides) {
  // 0 -> 1, 1 -> 1 or 2: whether 2 is met depends on 1, although every path to the end meets it.
  const FlowGraph graph = graph_of(3, {{0, 1}, {1, 1}, {1, 2}});
  const std::vector<char> meets = always_meets(graph, only(graph, 2));
  EXPECT_EQ(meets, (std::vector<char>{0, 0, 1}));
  EXPECT_EQ(deciders(graph, meets), Nodes{1});
}

TEST(FlowGraph, ABranchThatMeetsAgainDoesNotDecide) {
  const FlowGraph graph = graph_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const std::vector<char> meets = always_meets(graph, only(graph, 3));
  EXPECT_EQ(meets, (std::vector<char>{1, 1, 1, 1}));
  EXPECT_TRUE(deciders(graph, meets).empty());
  EXPECT_EQ(deciders(graph, always_meets(graph, only(graph, 1))), Nodes{0});
}

TEST(FlowGraph, WhatMayBlockDecides) {
  FlowGraph graph = graph_of(3, {{0, 1}, {1, 2}});
  graph.may_end[1] = 1;
  EXPECT_EQ(deciders(graph, always_meets(graph, only(graph, 2))), Nodes{1});
}

TEST(FlowGraph, ALocationDependsOnTheLoopItIsIn) {
  const FlowGraph graph = graph_of(3, {{0, 1}, {0, 2}, {1, 0}});
  EXPECT_EQ(deciders(graph, always_meets(graph, only(graph, 0))), Nodes{0});
}

TEST(FlowGraph, WhatIsMetFirst) {
  // 0 goes to 1 or 2, which lead to 3; 4 goes to 3 or 5.
  const FlowGraph graph = graph_of(6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {4, 3}, {4, 5}});
  std::vector<char> kept(6, 0);
  kept[3] = kept[5] = 1;
  EXPECT_EQ(first_met(graph, kept), (Nodes{3, 3, 3, 3, FirstMet::kSeveral, 5}));
  kept[3] = 0;
  EXPECT_EQ(first_met(graph, kept), (Nodes{FirstMet::kNothing, FirstMet::kNothing,
                                           FirstMet::kNothing, FirstMet::kNothing, 5, 5}));
}

TEST(FlowGraph, StepsInBetweenAreCounted) {
  const FlowGraph graph = graph_of(5, {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {4, 4}});
  std::vector<char> kept(5, 0);
  kept[3] = 1;
  const Nodes longest = longest_before(graph, kept);
  EXPECT_EQ(longest[0], 3U);
  EXPECT_EQ(longest[1], 2U);
  EXPECT_EQ(longest[2], 1U);
  EXPECT_EQ(longest[4], UINT32_MAX);  // round and round
}

TEST(FlowGraph, AnArcIsThereOnce) {
  const FlowGraph graph = graph_of(2, {{0, 1}, {0, 1}});
  EXPECT_EQ(graph.successors[0].size(), 1U);
  EXPECT_EQ(graph.predecessors[1].size(), 1U);
}

}  // namespace
}  // namespace whittle::slice

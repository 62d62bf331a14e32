// SPDX-License-Identifier: Apache-2.0
// Control dependence in graphs whose paths may go on for ever, or end anywhere. A path is maximal
// if it is infinite or ends in a node without successors or in one where paths may end.
//
// A node t depends on p if one successor of p meets t on every maximal path and another does not
// (non-termination sensitive: Ranganath et al., TOPLAS 2007; the algorithm printed there is wrong,
// see Chalupa et al., CAV 2021). The nodes that always meet t are found by counting, backwards from
// t, the successors that do not: linear in the graph.
#pragma once

#include <cstdint>
#include <vector>

namespace whittle::slice {

struct FlowGraph {
  explicit FlowGraph(std::size_t nodes) : successors(nodes), predecessors(nodes), may_end(nodes) {}

  void connect(std::uint32_t from, std::uint32_t to);  // once, however often it is called
  [[nodiscard]] std::size_t size() const { return successors.size(); }

  std::vector<std::vector<std::uint32_t>> successors, predecessors;
  std::vector<char> may_end;  // by node: a path may end here although there are successors
};

// By node: every maximal path from it meets a target; targets themselves do.
[[nodiscard]] std::vector<char> always_meets(const FlowGraph& graph,
                                             const std::vector<char>& targets);

// The nodes on which a node with these `always_meets` depends.
[[nodiscard]] std::vector<std::uint32_t> deciders(const FlowGraph& graph,
                                                  const std::vector<char>& meets);

// The first kept node on the paths from a node: the node itself if it is kept.
struct FirstMet {
  static constexpr std::uint32_t kNothing = UINT32_MAX;
  static constexpr std::uint32_t kSeveral = UINT32_MAX - 1;
};
// By node: the only kept node that can be met first, kNothing or kSeveral.
[[nodiscard]] std::vector<std::uint32_t> first_met(const FlowGraph& graph,
                                                   const std::vector<char>& kept);

// By node that is not kept: the most steps along nodes that are not kept before one of them ends in
// a kept node or the path ends; UINT32_MAX: it can go round for ever.
[[nodiscard]] std::vector<std::uint32_t> longest_before(const FlowGraph& graph,
                                                        const std::vector<char>& kept);

}  // namespace whittle::slice

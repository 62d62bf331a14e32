// SPDX-License-Identifier: Apache-2.0
#include "slice/flow_graph.h"

#include <algorithm>

#include "base/checkpoint.h"

namespace whittle::slice {

void FlowGraph::connect(std::uint32_t from, std::uint32_t to) {
  auto& list = successors[from];
  if (std::find(list.begin(), list.end(), to) != list.end()) return;
  list.push_back(to);
  predecessors[to].push_back(from);
}

std::vector<char> always_meets(const FlowGraph& graph, const std::vector<char>& targets) {
  std::vector<char> meets = targets;
  std::vector<std::uint32_t> open(graph.size());  // successors that are not known to meet one
  std::vector<std::uint32_t> work;
  for (std::uint32_t n = 0; n < graph.size(); ++n) {
    open[n] = static_cast<std::uint32_t>(graph.successors[n].size());
    if (targets[n]) work.push_back(n);
  }
  while (!work.empty()) {
    checkpoint();
    const std::uint32_t n = work.back();
    work.pop_back();
    for (const std::uint32_t p : graph.predecessors[n]) {
      if (--open[p] > 0 || meets[p] || graph.may_end[p]) continue;
      meets[p] = 1;
      work.push_back(p);
    }
  }
  return meets;
}

std::vector<std::uint32_t> deciders(const FlowGraph& graph, const std::vector<char>& meets) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t p = 0; p < graph.size(); ++p) {
    const auto& next = graph.successors[p];
    const auto in =
        std::count_if(next.begin(), next.end(), [&](std::uint32_t s) { return meets[s] != 0; });
    const bool out = graph.may_end[p] != 0 || in < static_cast<std::ptrdiff_t>(next.size());
    if (in > 0 && out) result.push_back(p);
  }
  return result;
}

std::vector<std::uint32_t> first_met(const FlowGraph& graph, const std::vector<char>& kept) {
  std::vector<std::uint32_t> first(graph.size(), FirstMet::kNothing);
  std::vector<std::uint32_t> work;
  for (std::uint32_t n = 0; n < graph.size(); ++n) {
    if (!kept[n]) continue;
    first[n] = n;
    work.push_back(n);
  }
  // A node changes at most twice.
  while (!work.empty()) {
    checkpoint();
    const std::uint32_t n = work.back();
    work.pop_back();
    for (const std::uint32_t p : graph.predecessors[n]) {
      if (kept[p] || first[p] == first[n] || first[p] == FirstMet::kSeveral) continue;
      first[p] = first[p] == FirstMet::kNothing ? first[n] : FirstMet::kSeveral;
      work.push_back(p);
    }
  }
  return first;
}

std::vector<std::uint32_t> longest_before(const FlowGraph& graph, const std::vector<char>& kept) {
  // Nodes are finished when all their successors that are not kept are; on a cycle, none is.
  std::vector<std::uint32_t> longest(graph.size(), UINT32_MAX);
  std::vector<std::uint32_t> open(graph.size(), 0);
  std::vector<std::uint32_t> work;
  for (std::uint32_t n = 0; n < graph.size(); ++n) {
    if (kept[n]) continue;
    for (const std::uint32_t s : graph.successors[n]) open[n] += kept[s] ? 0 : 1;
    if (open[n] == 0) work.push_back(n);
  }
  while (!work.empty()) {
    checkpoint();
    const std::uint32_t n = work.back();
    work.pop_back();
    longest[n] = 1;
    for (const std::uint32_t s : graph.successors[n])
      if (!kept[s]) longest[n] = std::max(longest[n], longest[s] + 1);
    for (const std::uint32_t p : graph.predecessors[n])
      if (!kept[p] && --open[p] == 0) work.push_back(p);
  }
  return longest;
}

}  // namespace whittle::slice

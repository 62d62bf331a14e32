// SPDX-License-Identifier: Apache-2.0
// Tarjan's algorithm with a stack of its own.
#include "engine/live/components.h"

#include <algorithm>

namespace whittle::live {

namespace {

class Tarjan {
 public:
  Tarjan(std::size_t nodes, std::span<const GraphEdge> edges, const std::vector<char>& out)
      : edges_(edges),
        leaving_(nodes),
        number_(nodes, 0),
        low_(nodes, 0),
        component_(nodes, kNone) {
    for (std::uint32_t e = 0; e < edges.size(); ++e)
      if (out[e] == 0) leaving_[edges[e].from].push_back(e);
    for (std::uint32_t n = 0; n < nodes; ++n)
      if (number_[n] == 0) visit(n);
  }
  [[nodiscard]] std::uint32_t of(std::uint32_t node) const { return component_[node]; }
  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Frame {
    std::uint32_t node;
    std::size_t next;
  };

  void visit(std::uint32_t root) {
    std::vector<Frame> frames;
    const auto enter = [&](std::uint32_t node) {
      number_[node] = low_[node] = ++last_;
      stack_.push_back(node);
      frames.push_back({node, 0});
    };
    enter(root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      if (frame.next < leaving_[frame.node].size()) {
        const std::uint32_t to = edges_[leaving_[frame.node][frame.next++]].to;
        if (number_[to] == 0) {
          enter(to);
        } else if (component_[to] == kNone) {
          low_[frame.node] = std::min(low_[frame.node], number_[to]);
        }
        continue;
      }
      const std::uint32_t node = frame.node;
      frames.pop_back();
      if (!frames.empty())
        low_[frames.back().node] = std::min(low_[frames.back().node], low_[node]);
      if (low_[node] == number_[node]) close(node);
    }
  }

  void close(std::uint32_t root) {
    std::uint32_t node = kNone;
    do {
      node = stack_.back();
      stack_.pop_back();
      component_[node] = count_;
    } while (node != root);
    ++count_;
  }

  std::span<const GraphEdge> edges_;
  std::vector<std::vector<std::uint32_t>> leaving_;
  std::vector<std::uint32_t> number_, low_, component_, stack_;
  std::uint32_t last_ = 0, count_ = 0;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> cyclic_components(std::size_t nodes,
                                                          std::span<const GraphEdge> edges,
                                                          const std::vector<char>& out) {
  const Tarjan tarjan(nodes, edges, out);
  std::vector<std::vector<std::uint32_t>> result(tarjan.count());
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    if (out[e] == 0 && tarjan.of(edges[e].from) == tarjan.of(edges[e].to))
      result[tarjan.of(edges[e].from)].push_back(e);
  }
  std::erase_if(result, [](const auto& component) { return component.empty(); });
  return result;
}

}  // namespace whittle::live

// SPDX-License-Identifier: Apache-2.0
// Strongly connected components of a graph of which edges are taken out again and again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace whittle::live {

struct GraphEdge {
  std::uint32_t from = 0, to = 0;
};

// The edges of each component that has any, as positions in `edges`; of those that are not `out`.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> cyclic_components(
    std::size_t nodes, std::span<const GraphEdge> edges, const std::vector<char>& out);

}  // namespace whittle::live

// SPDX-License-Identifier: Apache-2.0
// What is left of a program when only some of its statements are kept (Dwyer, Hatcliff 1999,
// definition 11): assignments stay, become `skip` or go; a test that decides nothing any more
// becomes a jump to what is met next; jumps through blocks that are just a jump lead where these
// lead; blocks that nothing reaches go.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/fcl/ast.h"

namespace whittle::fcl {

// A statement by its block and its place in it.
using StatementAt = std::pair<std::size_t, std::size_t>;

enum class Stays : std::uint8_t {
  Gone,
  Idle,  // runs pass it: an assignment without effect, a test that decides nothing
  Acts,
};

struct Remaining {
  std::map<StatementAt, Stays> statements;  // none: gone
  bool halt = false;                        // it matters whether a run ends
  std::set<std::string> asked;              // labels that conditions speak of
};

struct ResidualStatement {
  StatementAt of;
  StatementKind kind = StatementKind::Skip;
  std::string target, otherwise;  // labels, of jumps
  std::uint64_t number = 0;
};

struct ResidualBlock {
  std::string label;
  std::vector<ResidualStatement> statements;
};

[[nodiscard]] std::vector<ResidualBlock> residual(const File& file, const Remaining& remaining);

}  // namespace whittle::fcl

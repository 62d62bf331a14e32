// SPDX-License-Identifier: Apache-2.0
// Variables that get any value where they are declared, though they are set before anybody reads
// them: most of those in programs that declare everything first. Found by liveness, backwards over
// the instructions.
#include <unordered_map>

#include "base/checkpoint.h"
#include "expr/traverse.h"
#include "frontend/program/code.h"

namespace whittle::program {

namespace {

using Bits = std::vector<std::uint64_t>;

void set_bit(Bits& bits, std::size_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }
bool has_bit(const Bits& bits, std::size_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; }

// Whatever is written after it was read stays read.
struct Accesses {
  Bits reads;
  Bits writes;
};

}  // namespace

void Code::drop_unread() {
  const ExprPool& pool = network_.pool();
  std::unordered_map<std::uint32_t, std::size_t> numbers;  // of variables that are forgotten
  std::unordered_map<std::uint32_t, std::size_t> by_symbol;
  for (const Instruction& i : instructions_) {
    if (!i.forgets || !numbers.emplace(i.variable.index(), numbers.size()).second) continue;
    by_symbol.emplace(network_.variable(i.variable).current.index(), numbers.size() - 1);
  }
  if (numbers.empty()) return;
  const Bits none((numbers.size() + 63) / 64, 0);
  const std::size_t count = instructions_.size();
  std::vector<Accesses> accesses(count, {none, none});
  std::vector<std::vector<std::size_t>> before(count + 1);
  const auto leads = [&](std::size_t from, std::size_t to) {
    before[std::min(to, count)].push_back(from);
  };
  std::unordered_map<Expr, Bits> known;
  for (std::size_t at = 0; at < count; ++at) {
    checkpoint();
    const Instruction& i = instructions_[at];
    const auto read = [&](Expr e) {
      if (!e.valid() || pool.is_const(e)) return;
      auto [entry, fresh] = known.emplace(e, none);
      if (fresh)
        for (const SymbolId symbol : symbols(pool, e))
          if (const auto found = by_symbol.find(symbol.index()); found != by_symbol.end())
            set_bit(entry->second, found->second);
      for (std::size_t w = 0; w < none.size(); ++w) accesses[at].reads[w] |= entry->second[w];
    };
    const auto write = [&](VariableId variable) {
      const auto found = numbers.find(variable.index());
      if (found != numbers.end()) set_bit(accesses[at].writes, found->second);
    };
    for (const Expr e : i.action.assumptions) read(e);
    for (const Hazard& hazard : i.action.hazards) read(hazard.condition);
    for (const auto& [variable, value] : i.action.values) {
      read(value);
      write(variable);
    }
    for (const Way& way : i.ways) {
      read(way.condition);
      leads(at, places_[way.to]);
    }
    for (const Sync& sync : i.syncs)
      for (const Expr e : sync.arguments) read(e);
    if (i.kind == Kind::Input) write(i.variable);
    if (i.kind == Kind::Assume || i.kind == Kind::Branch) read(i.condition);
    if (i.kind == Kind::Branch || i.kind == Kind::Jump) leads(at, places_[i.other]);
    if (i.kind == Kind::Step || i.kind == Kind::Input || i.kind == Kind::Assume ||
        i.kind == Kind::Branch)
      leads(at, at + 1);
  }
  // Who is read at some time after the instruction.
  std::vector<Bits> live_after(count, none);
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < count; ++at) open.push_back(at);
  while (!open.empty()) {
    checkpoint();
    const std::size_t at = open.back();
    open.pop_back();
    Bits live = live_after[at];
    for (std::size_t w = 0; w < live.size(); ++w)
      live[w] = (live[w] & ~accesses[at].writes[w]) | accesses[at].reads[w];
    for (const std::size_t from : before[at]) {
      bool more = false;
      for (std::size_t w = 0; w < live.size(); ++w) {
        more |= (live[w] & ~live_after[from][w]) != 0;
        live_after[from][w] |= live[w];
      }
      if (more) open.push_back(from);
    }
  }
  for (std::size_t at = 0; at < count; ++at) {
    Instruction& i = instructions_[at];
    if (!i.forgets || has_bit(live_after[at], numbers.at(i.variable.index()))) continue;
    i.kind = Kind::Jump;
    i.other = place();
    places_.back() = at + 1;
  }
}

}  // namespace whittle::program

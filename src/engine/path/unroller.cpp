// SPDX-License-Identifier: Apache-2.0
// The terms of a system are few and fixed, the times are many: each term gets a place in a dense
// table once, and making the copies of one time is a walk over that table without hashing.
#include "engine/path/unroller.h"

#include <fmt/format.h>

#include "expr/traverse.h"

namespace whittle {

Unroller::Unroller(const TransitionSystem& system)
    : pool_(*system.pool), system_(system), places_(*system.pool) {
  for (std::uint32_t i = 0; i < system.variables.size(); ++i) {
    learn(system.variables[i].current, Kind::Current, i);
    learn(system.variables[i].next, Kind::Next, i);
  }
  auto add_inputs = [&](const std::vector<SymbolId>& inputs) {
    for (SymbolId input : inputs) {
      if (meaning(input).kind == Kind::Input) continue;
      learn(input, Kind::Input, static_cast<std::uint32_t>(inputs_.size()));
      inputs_.push_back(input);
    }
  };
  for (const Transition& transition : system.transitions) add_inputs(transition.inputs);
  add_inputs(system.goal.inputs);
}

void Unroller::learn(SymbolId symbol, Kind kind, std::uint32_t index) {
  if (symbol.index() >= meanings_.size()) meanings_.resize(symbol.index() + 1);
  meanings_[symbol.index()] = {kind, index};
}

Unroller::Meaning Unroller::meaning(SymbolId symbol) const {
  return symbol.index() < meanings_.size() ? meanings_[symbol.index()] : Meaning{};
}

Expr& Unroller::slot(std::vector<std::vector<Expr>>& table, std::uint64_t k, std::uint32_t index,
                     std::size_t size) {
  if (k >= table.size()) table.resize(k + 1);
  if (table[k].empty()) table[k].resize(size);
  return table[k][index];
}

Expr Unroller::fresh(std::string_view name, Type type, std::uint64_t k) {
  return pool_.symbol(pool_.declare(fmt::format("{}@{}", name, k), type));
}

Expr Unroller::variable(std::uint32_t variable, std::uint64_t k) {
  Expr& copy = slot(variables_, k, variable, system_.variables.size());
  if (!copy.valid()) {
    const StateVariable& info = system_.variables[variable];
    copy = fresh(info.name, info.type, k);
  }
  return copy;
}

void Unroller::define(std::uint32_t variable, std::uint64_t k, Expr value) {
  Expr& copy = slot(variables_, k, variable, system_.variables.size());
  WHITTLE_REQUIRE(!copy.valid(), "a variable is defined before it is used");
  copy = value;
}

Expr Unroller::input(std::uint32_t input, std::uint64_t k) {
  Expr& copy = slot(input_copies_, k, input, inputs_.size());
  if (!copy.valid()) {
    const SymbolInfo& info = pool_.info(inputs_[input]);
    copy = fresh(std::string(info.name), info.type, k);
  }
  return copy;
}

Expr Unroller::symbol(SymbolId symbol, std::uint64_t k) {
  const Meaning what = meaning(symbol);
  switch (what.kind) {
    case Kind::Foreign:
      return pool_.symbol(symbol);
    case Kind::Current:
      return variable(what.index, k);
    case Kind::Next:
      return variable(what.index, k + 1);
    case Kind::Input:
      return input(what.index, k);
  }
  return {};
}

Expr Unroller::at_time(Expr root, std::uint64_t k) {
  if (k != time_) {
    time_ = k;
    copies_.assign(places_.count(), Expr());
  }
  auto copy_of = [&](Expr term) -> Expr& {
    const std::uint32_t where = places_[term];
    if (where >= copies_.size()) copies_.resize(where + 1);
    return copies_[where];
  };
  std::vector<Expr> stack = {root};
  std::vector<Expr> arguments;
  while (!stack.empty()) {
    const Expr term = stack.back();
    if (copy_of(term).valid()) {
      stack.pop_back();
      continue;
    }
    if (pool_.is_variable(term)) {
      const Expr copy = symbol(pool_.symbol_of(term), k);
      copy_of(term) = copy;
      stack.pop_back();
      continue;
    }
    bool ready = true;
    arguments.clear();
    const std::size_t count = pool_.children(term).size();
    for (std::size_t i = 0; i < count; ++i) {
      const Expr child = pool_.child(term, i);
      const Expr copy = copy_of(child);
      if (!copy.valid()) {
        stack.push_back(child);
        ready = false;
      }
      arguments.push_back(copy);
    }
    if (!ready) continue;
    bool same = true;
    for (std::size_t i = 0; i < count; ++i) same = same && arguments[i] == pool_.child(term, i);
    const Expr copy = same ? term : with_arguments(pool_, term, arguments);
    copy_of(term) = copy;
    stack.pop_back();
  }
  return copy_of(root);
}

}  // namespace whittle

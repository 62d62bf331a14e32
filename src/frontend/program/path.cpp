// SPDX-License-Identifier: Apache-2.0
#include "frontend/program/path.h"

#include <algorithm>

#include "expr/traverse.h"

namespace whittle::program {

Expr Path::now(Expr e) const {
  if (!e.valid() || values_.empty()) return e;
  Substitution assigned(network_->pool());
  for (const auto& [variable, value] : values_)
    assigned.set(network_->variable(variable).current, value);
  return assigned(e);
}

Expr Path::read(VariableId variable) const {
  const auto assigned = values_.find(variable);
  if (assigned != values_.end()) return assigned->second;
  return network_->pool().symbol(network_->variable(variable).current);
}

Expr Path::read(VariableId array, Expr index) const {
  return network_->pool().select(read(array), index);
}

void Path::assign(VariableId array, Expr index, Expr value) {
  values_[array] = network_->pool().store(read(array), index, value);
}

Expr Path::input(Type type, std::string name) {
  const SymbolId symbol = network_->pool().declare("value", type);
  inputs_.push_back({symbol, type, std::move(name)});
  return network_->pool().symbol(symbol);
}

Path Path::failing(Expr condition, Span origin) const {
  Path result = *this;
  result.values_.clear();
  result.assume(condition, origin);
  return result;
}

bool Path::impossible() const {
  return std::any_of(guards_.begin(), guards_.end(), [&](const Guard& guard) {
    return network_->pool().is_false(guard.condition);
  });
}

}  // namespace whittle::program

// SPDX-License-Identifier: Apache-2.0
#include "ir/lowering/next_values.h"

#include <algorithm>

#include "expr/traverse.h"

namespace whittle::lowering {

namespace {

constexpr std::size_t kSolvingRounds = 8;  // equations whose values depend on each other

}  // namespace

void NextValues::assign(std::uint32_t variable, Expr value) {
  const auto [it, fresh] = next_.emplace(variable, value);
  if (!fresh && it->second != value) guard_.push_back(pool_.eq(it->second, value));
}

void NextValues::open(std::span<const std::uint32_t> variables) {
  open_.insert(variables.begin(), variables.end());
}

void NextValues::require(std::span<const RelationConjunct> conjuncts) {
  relation_.insert(relation_.end(), conjuncts.begin(), conjuncts.end());
}

bool NextValues::solve() {
  for (std::size_t round = 0; round < kSolvingRounds && !relation_.empty(); ++round) {
    const std::size_t before = relation_.size();
    std::erase_if(relation_, [&](const RelationConjunct& c) { return take_equation(c); });
    if (relation_.size() == before && round > 0) break;
    if (!substitute_known()) return false;
  }
  const bool open_ended = std::any_of(relation_.begin(), relation_.end(), [&](const auto& c) {
    return flat_.mentions_next(c.condition);
  });
  if (!open_ended) {
    for (const RelationConjunct& conjunct : relation_) guard_.push_back(conjunct.condition);
    relation_.clear();
  }
  return true;
}

// True: it was an equation for a value that was still to be found.
bool NextValues::take_equation(const RelationConjunct& conjunct) {
  const Expr e = conjunct.condition;
  switch (pool_.op(e)) {
    case Op::Apply:
      return define(e, pool_.boolean(true), conjunct);
    case Op::Not:
      return define(pool_.child(e, 0), pool_.boolean(false), conjunct);
    case Op::Eq:
      return define(pool_.child(e, 0), pool_.child(e, 1), conjunct) ||
             define(pool_.child(e, 1), pool_.child(e, 0), conjunct);
    default:
      return false;
  }
}

bool NextValues::define(Expr next_symbol, Expr value, const RelationConjunct& conjunct) {
  if (!pool_.is_variable(next_symbol) || flat_.mentions_next(value)) return false;
  const std::uint32_t v = flat_.variable_of_next(pool_.symbol_of(next_symbol));
  if (v == kNoVariable || !open_.contains(v) || next_.contains(v)) return false;
  if (conjunct.targets[0] != v && conjunct.targets[1] != v) return false;
  const Expr defined = definedness(pool_, value);
  if (!pool_.is_true(defined)) guard_.push_back(defined);
  next_.emplace(v, value);
  return true;
}

// Known next values, and the current ones of what keeps its value, replace next symbols.
bool NextValues::substitute_known() {
  Rewriter known(pool_, [&](Expr e, std::span<const Expr>) {
    if (!pool_.is_variable(e)) return Expr();
    const std::uint32_t v = flat_.variable_of_next(pool_.symbol_of(e));
    if (v == kNoVariable) return Expr();
    if (auto it = next_.find(v); it != next_.end()) return it->second;
    return open_.contains(v) ? Expr() : pool_.symbol(flat_.variables()[v].current);
  });
  std::vector<RelationConjunct> rest;
  for (const RelationConjunct& conjunct : relation_) {
    for (Expr part : conjuncts(pool_, known(conjunct.condition))) {
      if (pool_.is_false(part)) return false;
      if (flat_.mentions_next(part) || !pool_.total(part)) {
        rest.push_back({part, conjunct.targets});
      } else {
        guard_.push_back(part);
      }
    }
  }
  relation_ = std::move(rest);
  return true;
}

std::vector<std::pair<std::uint32_t, Expr>> NextValues::updates() const {
  std::vector<std::pair<std::uint32_t, Expr>> result;
  for (const auto& [v, value] : next_) {
    if (value != pool_.symbol(flat_.variables()[v].current)) result.emplace_back(v, value);
  }
  return result;
}

std::vector<std::uint32_t> NextValues::still_open() const {
  std::vector<std::uint32_t> result;
  for (std::uint32_t v : open_) {
    if (!next_.contains(v)) result.push_back(v);
  }
  std::sort(result.begin(), result.end());
  return result;
}

Expr NextValues::relation() const {
  std::vector<Expr> conditions;
  conditions.reserve(relation_.size());
  for (const RelationConjunct& conjunct : relation_) conditions.push_back(conjunct.condition);
  return pool_.conj(conditions);
}

}  // namespace whittle::lowering

// SPDX-License-Identifier: Apache-2.0
#include "ir/run/finite_choices.h"

#include <algorithm>

#include "expr/traverse.h"

namespace whittle {

FiniteChoices::FiniteChoices(const ExprPool& pool, Expr condition) : pool_(pool) {
  for (Expr conjunct : conjuncts(pool, condition)) learn(conjunct, false);
}

// Of a symbol, or of a cell that a constant names.
FiniteChoices::Bounds* FiniteChoices::about(Expr term) {
  if (pool_.is_variable(term)) return &symbols_[pool_.symbol_of(term)];
  if (pool_.op(term) != Op::Select || !pool_.is_variable(pool_.child(term, 0))) return nullptr;
  const Expr index = pool_.child(term, 1);
  if (!pool_.is_const(index) || !pool_.value(index).is_integer()) return nullptr;
  const auto place = pool_.value(index).as_integer().to_int64();
  if (!place || *place < 0) return nullptr;
  return &cells_[pool_.symbol_of(pool_.child(term, 0))][static_cast<std::uint64_t>(*place)];
}

void FiniteChoices::learn(Expr conjunct, bool negated) {
  const Op op = pool_.op(conjunct);
  if (op == Op::Not && !negated) return learn(pool_.child(conjunct, 0), true);
  if (op == Op::Apply || op == Op::Select) {
    if (Bounds* bounds = about(conjunct)) bounds->only = Value(!negated);
    return;
  }
  if (op == Op::Eq && !negated) {
    Expr term = pool_.child(conjunct, 0);
    Expr value = pool_.child(conjunct, 1);
    if (pool_.is_const(term)) std::swap(term, value);
    if (!pool_.is_const(value)) return;
    if (Bounds* bounds = about(term)) bounds->only = pool_.value(value);
    return;
  }
  if (op != Op::Lt && op != Op::Le) return;
  // a < b;  not (a < b) is b <= a
  const Expr smaller = pool_.child(conjunct, negated ? 1 : 0);
  const Expr larger = pool_.child(conjunct, negated ? 0 : 1);
  const bool strict = (op == Op::Lt) != negated;
  if (pool_.type(smaller) != Type::integer()) return;
  if (pool_.is_const(larger)) {
    Bounds* bounds = about(smaller);
    if (bounds == nullptr) return;
    bounds->integers.restrict_high(Rational(pool_.value(larger).as_integer()), strict);
  } else if (pool_.is_const(smaller)) {
    Bounds* bounds = about(larger);
    if (bounds == nullptr) return;
    bounds->integers.restrict_low(Rational(pool_.value(smaller).as_integer()), strict);
  }
}

std::optional<std::vector<Value>> FiniteChoices::values(const Bounds* bounds, Type type,
                                                        std::size_t most) const {
  if (bounds != nullptr && bounds->only) return std::vector<Value>{*bounds->only};
  std::vector<Value> all;
  switch (pool_.kind(type)) {
    case TypeKind::Bool:
      return std::vector<Value>{Value(false), Value(true)};
    case TypeKind::Enum:
      for (std::uint32_t i = 0; i < pool_.info(type).values.size(); ++i)
        all.emplace_back(EnumValue{i});
      break;
    case TypeKind::Int: {
      if (bounds == nullptr) return std::nullopt;
      const Interval& range = bounds->integers;
      if (!range.low || !range.high) return std::nullopt;
      const auto count = (*range.high - *range.low).numerator().to_int64();
      if (!count || *count >= static_cast<std::int64_t>(most)) return std::nullopt;
      for (std::int64_t i = 0; i <= *count; ++i)
        all.emplace_back(range.low->numerator() + Integer(static_cast<long>(i)));
      break;
    }
    default:
      return std::nullopt;
  }
  if (all.size() > most) return std::nullopt;
  return all;
}

std::optional<std::vector<Value>> FiniteChoices::of(SymbolId symbol, std::size_t most) const {
  const Type type = pool_.info(symbol).type;
  const auto found = symbols_.find(symbol);
  const Bounds* bounds = found != symbols_.end() ? &found->second : nullptr;
  const TypeInfo& info = pool_.info(type);
  if (info.kind != TypeKind::Array || (bounds != nullptr && bounds->only))
    return values(bounds, type, most);
  if (!info.length || pool_.kind(info.index) != TypeKind::Int || *info.length > most)
    return std::nullopt;
  // Cell by cell.
  const auto cells = cells_.find(symbol);
  std::vector<ArrayValue> arrays = {{pool_.default_value(info.element), {}}};
  for (std::uint64_t i = 0; i < *info.length; ++i) {
    const Bounds* cell = nullptr;
    if (cells != cells_.end()) {
      if (const auto known = cells->second.find(i); known != cells->second.end())
        cell = &known->second;
    }
    const auto choices = values(cell, info.element, most);
    if (!choices || arrays.size() * choices->size() > most) return std::nullopt;
    if (choices->size() == 1) {
      for (ArrayValue& array : arrays) array.put(Value(Integer(i)), choices->front());
      continue;
    }
    std::vector<ArrayValue> longer;
    for (const ArrayValue& array : arrays) {
      for (const Value& value : *choices) longer.emplace_back(array).put(Value(Integer(i)), value);
    }
    arrays = std::move(longer);
  }
  std::vector<Value> all;
  all.reserve(arrays.size());
  for (ArrayValue& array : arrays)
    all.push_back(pool_.normalized(Value::array(std::move(array)), type));
  return all;
}

std::optional<std::vector<std::vector<Value>>> finite_tuples(const FiniteChoices& choices,
                                                             const std::vector<SymbolId>& symbols,
                                                             std::size_t most) {
  std::vector<std::vector<Value>> all(1);
  for (SymbolId symbol : symbols) {
    const auto values = choices.of(symbol, most);
    if (!values || all.size() * values->size() > most) return std::nullopt;
    if (values->size() == 1) {
      for (std::vector<Value>& tuple : all) tuple.push_back(values->front());
      continue;
    }
    std::vector<std::vector<Value>> longer;
    for (const std::vector<Value>& tuple : all) {
      for (const Value& value : *values) longer.emplace_back(tuple).push_back(value);
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<SymbolId> chosen_symbols(const TransitionSystem& system, const Transition& transition) {
  std::vector<SymbolId> result = transition.inputs;
  for (std::uint32_t v : transition.open) result.push_back(system.variables[v].next);
  return result;
}

FlatStep chosen_step(const TransitionSystem& system, std::uint32_t transition,
                     const std::vector<Value>& choice) {
  const Transition& taken = system.transitions[transition];
  FlatStep step;
  step.transition = transition;
  const auto inputs = static_cast<std::ptrdiff_t>(taken.inputs.size());
  step.inputs.assign(choice.begin(), choice.begin() + inputs);
  for (std::size_t i = 0; i < taken.open.size(); ++i)
    step.open.emplace_back(taken.open[i], choice[taken.inputs.size() + i]);
  return step;
}

PlacedTransitions place_transitions(const TransitionSystem& system) {
  const ExprPool& pool = *system.pool;
  PlacedTransitions result;
  std::unordered_map<SymbolId, std::size_t> places;  // by location: place
  for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
    const StateVariable& variable = system.variables[v];
    if (!variable.is_location || pool.kind(variable.type) != TypeKind::Enum) continue;
    places.emplace(variable.current, result.places.size());
    result.places.push_back({v, {}});
    result.places.back().there.resize(pool.info(variable.type).values.size());
  }
  for (std::uint32_t t = 0; t < system.transitions.size(); ++t) {
    std::vector<std::uint32_t>* list = &result.anywhere;
    for (Expr conjunct : conjuncts(pool, system.transitions[t].guard)) {
      if (pool.op(conjunct) != Op::Eq) continue;
      Expr location = pool.child(conjunct, 0);
      Expr value = pool.child(conjunct, 1);
      if (pool.is_const(location)) std::swap(location, value);
      if (!pool.is_variable(location) || !pool.is_const(value)) continue;
      const auto found = places.find(pool.symbol_of(location));
      if (found == places.end()) continue;
      list = &result.places[found->second].there.at(pool.value(value).as_enum().index);
      break;
    }
    list->push_back(t);
  }
  return result;
}

std::optional<std::vector<FlatState>> finite_first_states(const TransitionSystem& system,
                                                          FlatRun& run, std::size_t most) {
  std::vector<SymbolId> symbols;
  for (const StateVariable& variable : system.variables) symbols.push_back(variable.current);
  auto states = finite_tuples(FiniteChoices(*system.pool, system.init), symbols, most);
  if (!states) return std::nullopt;
  std::erase_if(*states, [&](const FlatState& state) { return !run.holds(system.init, state); });
  return states;
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/lengths.h"

#include <vector>

#include "frontend/c/constants.h"

namespace whittle::c {

namespace {

// By object: something may change it after its declaration.
std::vector<char> changed_objects(const Unit& unit) {
  std::vector<char> result(unit.objects.size(), 0);
  for (const Expression& e : unit.expressions) {
    const bool changes = e.kind == ExpressionKind::Assign || e.kind == ExpressionKind::Compound ||
                         e.kind == ExpressionKind::Step || e.kind == ExpressionKind::Address;
    if (!changes || e.a == kNone) continue;
    const Expression& target = unit.expressions[e.a];
    if (target.kind == ExpressionKind::Object) result[target.ref] = 1;
  }
  return result;
}

std::optional<Integer> length_of(const Unit& unit, const Constants& constants,
                                 const std::vector<char>& changed, ExpressionId size) {
  const Expression* e = &unit.expressions[size];
  while (e->kind == ExpressionKind::Cast && e->implicit) e = &unit.expressions[e->a];
  if (e->kind != ExpressionKind::Object || changed[e->ref]) return std::nullopt;
  const Object& object = unit.objects[e->ref];
  if (object.is_volatile || object.parameter || object.initializer == kNone ||
      !unit.types.is_integer(object.type))
    return std::nullopt;
  const ExpressionId first = unit.initializers[object.initializer].expression;
  auto value = first == kNone ? std::nullopt : constants.value(first);
  if (!value || *value < unit.types.least(object.type) || unit.types.greatest(object.type) < *value)
    return std::nullopt;
  return value;
}

}  // namespace

void settle_lengths(Unit& unit) {
  std::vector<TypeId> open;
  for (TypeId id = 0; id < unit.types.count(); ++id)
    if (unit.types[id].variable && unit.types[id].size != kNone) open.push_back(id);
  if (open.empty()) return;
  const Constants constants(unit);
  const std::vector<char> changed = changed_objects(unit);
  for (const TypeId id : open) {
    const auto length = length_of(unit, constants, changed, unit.types[id].size);
    if (!length || length->sign() <= 0 || !length->to_int64()) continue;
    unit.types.entry(id).length = static_cast<std::uint64_t>(*length->to_int64());
    unit.types.entry(id).variable = false;
  }
}

}  // namespace whittle::c

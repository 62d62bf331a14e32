// SPDX-License-Identifier: Apache-2.0
#include "export/numbered_enums.h"

namespace whittle {

NumberedEnums::NumberedEnums(ExprPool& pool)
    : pool_(pool), rewrite_(pool, [this](Expr e, std::span<const Expr> arguments) -> Expr {
        if (pool_.is_variable(e)) return pool_.symbol(symbol(pool_.symbol_of(e)));
        if (pool_.is_const(e))
          return pool_.value(e).is_enum() ? pool_.integer(Integer(pool_.value(e).as_enum().index))
                                          : e;
        switch (pool_.op(e)) {
          case Op::Ite:
          case Op::Eq:
            return pool_.make(pool_.op(e), arguments);
          default:
            return with_arguments(pool_, e, arguments);
        }
      }) {}

SymbolId NumberedEnums::symbol(SymbolId original) {
  const SymbolInfo info = pool_.info(original);
  if (pool_.kind(info.type) != TypeKind::Enum || !info.params.empty()) return original;
  auto [it, fresh] = numbers_.try_emplace(original);
  if (fresh) it->second = pool_.declare(info.name, Type::integer());
  return it->second;
}

std::vector<SymbolId> NumberedEnums::symbols(std::span<const SymbolId> originals) {
  std::vector<SymbolId> result;
  result.reserve(originals.size());
  for (SymbolId s : originals) result.push_back(symbol(s));
  return result;
}

Value NumberedEnums::value(const Value& original) {
  return original.is_enum() ? Value(Integer(original.as_enum().index)) : original;
}

Expr NumberedEnums::ranges(std::span<const SymbolId> originals) {
  std::vector<Expr> parts;
  for (SymbolId s : originals) {
    const Type type = pool_.info(s).type;
    if (pool_.kind(type) != TypeKind::Enum) continue;
    const Expr x = pool_.symbol(symbol(s));
    const Integer count(static_cast<unsigned long>(pool_.info(type).values.size()));
    parts.push_back(pool_.le(pool_.integer(0), x));
    parts.push_back(pool_.lt(x, pool_.integer(count)));
  }
  return pool_.conj(parts);
}

TransitionSystem NumberedEnums::system(const TransitionSystem& original) {
  TransitionSystem result = original;
  std::vector<SymbolId> state;
  for (StateVariable& v : result.variables) {
    state.push_back(v.current);
    v.current = symbol(v.current);
    v.next = symbol(v.next);
    v.type = pool_.info(v.current).type;
  }
  result.init = pool_.conj(ranges(state), rewrite_(original.init));
  for (std::size_t i = 0; i < result.transitions.size(); ++i) {
    Transition& t = result.transitions[i];
    const Transition& from = original.transitions[i];
    t.guard = pool_.conj(ranges(from.inputs), rewrite_(from.guard));
    t.inputs = symbols(from.inputs);
    for (Update& u : t.updates) u.value = rewrite_(u.value);
    std::vector<SymbolId> open;
    for (std::uint32_t v : t.open) open.push_back(original.variables[v].next);
    const Expr in_range = ranges(open);
    if (from.relation.valid())
      t.relation = pool_.conj(in_range, rewrite_(from.relation));
    else if (!pool_.is_true(in_range))
      t.relation = in_range;
  }
  result.goal.condition =
      pool_.conj(ranges(original.goal.inputs), rewrite_(original.goal.condition));
  result.goal.inputs = symbols(original.goal.inputs);
  for (Expr& hint : result.hints) hint = rewrite_(hint);
  return result;
}

}  // namespace whittle

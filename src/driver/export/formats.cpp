// SPDX-License-Identifier: Apache-2.0
#include "driver/export/export.h"

#include <unordered_map>

#include "expr/traverse.h"
#include "ir/lower.h"
#include "smt/simplify.h"

namespace whittle {

namespace {

const ExportFormat kFormats[] = {
    {"smtlib", ".smt2",
     "SMT-LIB 2: the formula of bounded model checking; sat: the goal is reached within the bound",
     &export_smtlib, true},
    {"chc", ".smt2",
     "constrained Horn clauses in SMT-LIB 2 (logic HORN); sat: the goal is never reached",
     &export_chc},
    {"smv", ".smv", "the language of nuXmv: the goal is never reached where INVARSPEC holds",
     &export_smv},
    {"promela", ".pml", "Promela for SPIN: an assertion fails where the goal is reached",
     &export_promela},
    {"vmt", ".vmt", "VMT-LIB: the transition system with annotated SMT-LIB terms", &export_vmt},
};

}  // namespace

std::span<const ExportFormat> export_formats() { return kFormats; }

const ExportFormat* find_export_format(std::string_view id) {
  for (const ExportFormat& format : kFormats)
    if (format.id == id) return &format;
  return nullptr;
}

std::string exported(Network& network, PropertyId property, const std::string& name,
                     const ExportFormat& format, const ExportOptions& options) {
  LowerOptions lowering;
  lowering.eliminate = smt::elimination(network.pool(), smt::Limits());
  return format.write(lower(network, property, lowering).system, name, options);
}

TransitionSystem without_enums(const TransitionSystem& system) {
  TransitionSystem result = system;
  ExprPool& pool = *system.pool;
  std::unordered_map<SymbolId, SymbolId> numbers;
  auto number = [&](SymbolId symbol) {
    const SymbolInfo info = pool.info(symbol);
    if (pool.kind(info.type) != TypeKind::Enum || !info.params.empty()) return symbol;
    auto [it, fresh] = numbers.try_emplace(symbol);
    if (fresh) it->second = pool.declare(info.name, Type::integer());
    return it->second;
  };
  Rewriter rewrite(pool, [&](Expr e, std::span<const Expr> arguments) -> Expr {
    if (pool.is_variable(e)) return pool.symbol(number(pool.symbol_of(e)));
    if (pool.is_const(e))
      return pool.value(e).is_enum() ? pool.integer(Integer(pool.value(e).as_enum().index)) : e;
    switch (pool.op(e)) {
      case Op::Ite:
      case Op::Eq:
        return pool.make(pool.op(e), arguments);
      default:
        return with_arguments(pool, e, arguments);
    }
  });
  auto in_range = [&](SymbolId original) {
    const auto& values = pool.info(pool.info(original).type).values;
    const Expr x = pool.symbol(number(original));
    return pool.conj(pool.le(pool.integer(0), x),
                     pool.lt(x, pool.integer(Integer(static_cast<unsigned long>(values.size())))));
  };
  auto ranges = [&](std::span<const SymbolId> symbols) {
    std::vector<Expr> parts;
    for (SymbolId s : symbols)
      if (pool.kind(pool.info(s).type) == TypeKind::Enum) parts.push_back(in_range(s));
    return pool.conj(parts);
  };
  std::vector<SymbolId> state;
  for (StateVariable& v : result.variables) {
    state.push_back(v.current);
    v.current = number(v.current);
    v.next = number(v.next);
    v.type = pool.info(v.current).type;
  }
  result.init = pool.conj(ranges(state), rewrite(system.init));
  for (std::size_t i = 0; i < result.transitions.size(); ++i) {
    Transition& t = result.transitions[i];
    const Transition& original = system.transitions[i];
    t.guard = pool.conj(ranges(original.inputs), rewrite(original.guard));
    for (SymbolId& s : t.inputs) s = number(s);
    for (Update& u : t.updates) u.value = rewrite(u.value);
    std::vector<SymbolId> open;
    for (std::uint32_t v : t.open) open.push_back(system.variables[v].next);
    if (t.relation.valid()) t.relation = pool.conj(ranges(open), rewrite(original.relation));
  }
  result.goal.condition = pool.conj(ranges(system.goal.inputs), rewrite(system.goal.condition));
  for (SymbolId& s : result.goal.inputs) s = number(s);
  return result;
}

}  // namespace whittle

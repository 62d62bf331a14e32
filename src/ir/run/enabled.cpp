// SPDX-License-Identifier: Apache-2.0
#include "ir/run/enabled.h"

#include <algorithm>
#include <map>
#include <set>

#include "expr/traverse.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxSuggestions = 64;  // values per type

// All terms in which constants of interest stand.
std::vector<Expr> terms_of(const Network& network) {
  std::vector<Expr> roots;
  auto add = [&](Expr e) {
    if (e.valid()) roots.push_back(e);
  };
  for (const Variable& v : network.variables()) add(v.initial);
  for (const Machine& m : network.machines()) {
    for (const Start& start : m.starts) add(start.condition);
  }
  for (const Event& event : network.events()) {
    for (const Guard& guard : event.guards) add(guard.condition);
    for (const Effect& effect : event.effects) add(effect.expr);
    for (const Sync& sync : event.syncs) {
      add(sync.key);
      for (Expr e : sync.arguments) add(e);
    }
  }
  for (const Property& p : network.properties()) add(p.condition());
  return roots;
}

void add_with_neighbours(const Value& value, std::set<Value>& values) {
  if (value.is_integer()) {
    for (int d : {-1, 0, 1}) values.insert(Value(value.as_integer() + Integer(d)));
  } else if (value.is_real()) {
    for (int d : {-1, 0, 1}) values.insert(Value(value.as_real() + Rational(Integer(d))));
  } else {
    values.insert(value);
  }
}

}  // namespace

Candidates finite_candidates(const ExprPool& pool) {
  return [&pool](Type type, SymbolId) -> std::optional<std::vector<Value>> {
    if (pool.kind(type) == TypeKind::Bool) return std::vector<Value>{Value(false), Value(true)};
    if (pool.kind(type) != TypeKind::Enum) return std::nullopt;
    std::vector<Value> all;
    for (std::uint32_t i = 0; i < pool.info(type).values.size(); ++i) {
      all.emplace_back(EnumValue{i});
    }
    return all;
  };
}

Candidates suggested_candidates(const Network& network, UniverseId universe) {
  const ExprPool& pool = network.pool();
  std::map<std::uint32_t, std::set<Value>> by_type;
  by_type[Type::integer().id()] = {Value(0), Value(1)};
  by_type[Type::real().id()] = {Value(Rational(0)), Value(Rational(1))};
  by_type[Type::string().id()] = {Value::string("")};
  for (InstanceId id : network.universe(universe).instances) {
    const VariableId key = network.machine(network.instance(id).machine).key;
    if (key.valid()) by_type[network.variable(key).type.id()].insert(network.instance(id).key);
  }
  for_each_subterm(pool, terms_of(network), [&](Expr e) {
    if (!pool.is_const(e)) return;
    std::set<Value>& values = by_type[pool.type(e).id()];
    if (values.size() < kMaxSuggestions) add_with_neighbours(pool.value(e), values);
  });
  std::map<std::uint32_t, std::vector<Value>> lists;
  for (const auto& [type, values] : by_type) lists[type].assign(values.begin(), values.end());
  return [finite = finite_candidates(pool), lists = std::move(lists)](
             Type type, SymbolId symbol) -> std::optional<std::vector<Value>> {
    if (auto all = finite(type, symbol)) return all;
    auto it = lists.find(type.id());
    if (it == lists.end()) return std::nullopt;
    return it->second;
  };
}

Tuples tuples(const ExprPool& pool, const std::vector<SymbolId>& symbols,
              const Candidates& candidates, std::size_t limit) {
  Tuples result;
  result.all.emplace_back();
  for (SymbolId symbol : symbols) {
    auto values = candidates(pool.info(symbol).type, symbol);
    if (!values) {
      result.complete = false;
      values = std::vector<Value>{pool.default_value(pool.info(symbol).type)};
    }
    std::vector<std::vector<Value>> longer;
    for (const auto& tuple : result.all) {
      for (const Value& value : *values) {
        if (longer.size() == limit) {
          result.complete = false;
          break;
        }
        longer.push_back(tuple);
        longer.back().push_back(value);
      }
    }
    result.all = std::move(longer);
  }
  return result;
}

std::vector<EventStatus> event_statuses(Stepper& stepper, const State& state,
                                        const EnabledOptions& options) {
  const Network& network = stepper.network();
  stepper.set_candidates(options.candidates);
  std::vector<EventStatus> result;
  for (std::size_t p = 0; p < stepper.layout().instance_count(); ++p) {
    const InstanceId instance = stepper.layout().instance(p);
    for (EventId id : network.machine(network.instance(instance).machine).events) {
      const Event& event = network.event(id);
      if (!event.root) continue;
      EventStatus status{instance, id, {}, std::nullopt, true};
      std::vector<SymbolId> parameters;
      for (const Parameter& parameter : event.parameters) parameters.push_back(parameter.symbol);
      const Tuples arguments =
          tuples(network.pool(), parameters, options.candidates, options.tuples);
      status.complete = arguments.complete;
      for (const auto& tuple : arguments.all) {
        const bool any =
            stepper.each_step(state, instance, id, tuple, [&](const TraceStep& step, const State&) {
              status.steps.push_back(step);
              return status.steps.size() < options.steps;
            });
        if (!any && !status.refusal) status.refusal = stepper.refusal();
        // Where the location is wrong, other arguments do not help.
        if (!any && status.refusal->kind == Refusal::Kind::Location &&
            status.refusal->instance == instance) {
          break;
        }
        if (status.steps.size() >= options.steps) {
          status.complete = false;
          break;
        }
      }
      if (!status.steps.empty()) status.refusal.reset();
      result.push_back(std::move(status));
    }
  }
  return result;
}

}  // namespace whittle

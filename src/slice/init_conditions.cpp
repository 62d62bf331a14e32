// SPDX-License-Identifier: Apache-2.0
#include "slice/init_conditions.h"

#include <unordered_map>

#include "expr/traverse.h"
#include "slice/uses.h"

namespace whittle::slice {

namespace {

// `x op c`, `c op x` or `a[i] == c`, with constants c and i.
struct Shape {
  SymbolId symbol;
  std::optional<Value> index;  // of an array element
  Op op = Op::Eq;
  Value constant;
  bool variable_left = true;  // x < c as against c < x
};

std::optional<Shape> shape_of(const ExprPool& pool, Expr e) {
  if (pool.is_variable(e)) return Shape{pool.symbol_of(e), std::nullopt, Op::Eq, Value(true), true};
  if (pool.op(e) == Op::Not && pool.is_variable(pool.child(e, 0)))
    return Shape{pool.symbol_of(pool.child(e, 0)), std::nullopt, Op::Eq, Value(false), true};
  Op op = pool.op(e);
  if (op != Op::Eq && op != Op::Lt && op != Op::Le) return std::nullopt;
  Expr left = pool.child(e, 0);
  Expr right = pool.child(e, 1);
  bool variable_left = pool.is_const(right);
  if (!variable_left) std::swap(left, right);
  if (!pool.is_const(right)) return std::nullopt;
  if (pool.is_variable(left))
    return Shape{pool.symbol_of(left), std::nullopt, op, pool.value(right), variable_left};
  if (op == Op::Eq && pool.op(left) == Op::Select && pool.is_variable(pool.child(left, 0)) &&
      pool.is_const(pool.child(left, 1)) && pool.total(left))
    return Shape{pool.symbol_of(pool.child(left, 0)), pool.value(pool.child(left, 1)), op,
                 pool.value(right), true};
  return std::nullopt;
}

}  // namespace

InitConditions::InitConditions(const Network& network, UniverseId universe) {
  std::vector<char> present(network.machines().size(), 0);
  for (InstanceId i : network.universe(universe).instances)
    present[network.instance(i).machine.index()] = 1;
  for (std::uint32_t m = 0; m < network.machines().size(); ++m) {
    if (!present[m]) continue;
    const Machine& machine = network.machines()[m];
    for (std::uint32_t s = 0; s < machine.starts.size(); ++s)
      collect(network, machine.starts[s].condition, MachineId(m), s, machine.starts[s].origin);
  }
  for (Expr e : network.universe(universe).init) collect(network, e, MachineId(), 0, Span{});
  find_removable(network);

  first_.assign(network.variables().size() + 1, 0);
  for (const InitCondition& c : conditions_)
    for (VariableId v : c.variables) ++first_[v.index() + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  by_variable_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < conditions_.size(); ++i)
    for (VariableId v : conditions_[i].variables) by_variable_[next[v.index()]++] = i;
}

std::span<const std::uint32_t> InitConditions::about(VariableId v) const {
  return {by_variable_.data() + first_[v.index()], by_variable_.data() + first_[v.index() + 1]};
}

void InitConditions::collect(const Network& network, Expr condition, MachineId machine,
                             std::uint32_t start, Span origin) {
  if (!condition.valid()) return;
  UseTable uses(network);
  for (Expr part : conjuncts(network.pool(), condition)) {
    if (network.pool().is_true(part)) continue;
    InitCondition c;
    c.condition = part;
    c.machine = machine;
    c.start = start;
    c.origin = origin;
    const Uses& u = uses.of(part);
    c.variables.insert(c.variables.end(), u.own.begin(), u.own.end());
    c.variables.insert(c.variables.end(), u.shared.begin(), u.shared.end());
    c.variables.insert(c.variables.end(), u.remote.begin(), u.remote.end());
    c.locations = u.own_locations;
    c.locations.insert(c.locations.end(), u.remote_locations.begin(), u.remote_locations.end());
    c.machines = u.machines;
    conditions_.push_back(std::move(c));
  }
}

// Removable: the shape has a solution, and no other condition on the same start state speaks of the
// same thing (the variable, or that element of it).
void InitConditions::find_removable(const Network& network) {
  const ExprPool& pool = network.pool();
  std::unordered_map<std::uint64_t, std::uint32_t> mentions;  // (start, symbol) -> conditions
  std::unordered_map<std::uint64_t, std::vector<Value>> elements;
  auto key = [](const InitCondition& c, SymbolId s) {
    std::uint64_t start = c.machine.valid() ? c.start + 1 : 0;
    return (start << 32) | s.index();
  };
  for (const InitCondition& c : conditions_) {
    auto shape = shape_of(pool, c.condition);
    for (SymbolId s : symbols(pool, c.condition)) {
      // Different elements of one array do not get into each other's way.
      if (shape && shape->index) {
        auto& seen = elements[key(c, s)];
        bool again = std::find(seen.begin(), seen.end(), *shape->index) != seen.end();
        seen.push_back(*shape->index);
        if (!again) continue;
      }
      mentions[key(c, s)] += shape && !shape->index ? 1 : 2;
    }
  }
  for (InitCondition& c : conditions_) {
    auto shape = shape_of(pool, c.condition);
    if (!shape || c.variables.size() != 1) continue;
    // A reference may dangle; only what surely exists can be given a value.
    const RoleKind role = network.role(shape->symbol).kind;
    if (role != RoleKind::Current && role != RoleKind::InstanceCurrent) continue;
    const Variable& v = network.variable(c.variables[0]);
    if (v.initial.valid()) continue;
    if (v.machine.valid() && network.machine(v.machine).key == c.variables[0]) continue;  // fixed
    std::uint32_t others = 0;
    if (auto it = mentions.find(key(c, shape->symbol)); it != mentions.end()) others = it->second;
    bool alone =
        shape->index ? others == 0 : others <= 1 && !elements.contains(key(c, shape->symbol));
    c.removable = alone;
  }
}

Value satisfying_value(const Network& network, Expr condition, const Value& base) {
  auto shape = shape_of(network.pool(), condition);
  WHITTLE_REQUIRE(shape.has_value(), "only removable conditions have a value of their own");
  if (shape->index) {
    ArrayValue array = base.as_array();
    array.put(*shape->index, shape->constant);
    return Value::array(std::move(array));
  }
  if (shape->op != Op::Lt) return shape->constant;
  Integer step(shape->variable_left ? -1 : 1);
  if (shape->constant.is_integer()) return Value(shape->constant.as_integer() + step);
  return Value(shape->constant.as_real() + Rational(step));
}

}  // namespace whittle::slice

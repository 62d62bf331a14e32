// SPDX-License-Identifier: Apache-2.0
#include "frontend/proc/property_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "expr/traverse.h"
#include "frontend/expectation.h"
#include "frontend/ltl_property.h"

namespace whittle::proc {

void PropertyBuilder::inits() {
  Network& network = context_.network;
  // First values that are known, in terms of what `init` can name.
  Substitution known(pool_);
  auto learn = [&](SymbolId symbol, VariableId variable) {
    const Expr initial = network.variable(variable).initial;
    if (initial.valid() && pool_.is_const(initial)) known.set(symbol, initial);
  };
  for (const auto& [name, shared] : context_.names.shared)
    learn(network.variable(shared.id).current, shared.id);
  for (const Process& process : context_.names.processes)
    for (const auto& [name, local] : process.locals)
      learn(network.of_instance(process.instance, local), local);
  for (const InitDeclaration& declaration : context_.file.inits) {
    StateScope scope(context_.names, context_.diagnostics, network, false);
    const Expr e = typer_.typed(declaration.condition, scope, Type::boolean(), "`init`");
    if (!e.valid()) continue;
    if (pool_.is_false(known(e))) {
      context_.diagnostics.report("proc-014", context_.tree.span(declaration.condition),
                                  "nothing satisfies this condition",
                                  "the program has no first state");
    }
    network.universe(context_.universe).init.push_back(e);
  }
}

void PropertyBuilder::properties(bool deadlock) {
  std::optional<std::uint64_t> deepest;
  bool unbounded = false;
  std::unordered_map<std::string, Span> seen;
  for (const PropertyDeclaration& declaration : context_.file.properties) {
    const auto [it, fresh] = seen.emplace(declaration.name.text, declaration.name.span);
    if (!fresh) context_.declared_twice(declaration.name, it->second);
    context_.symbols.declare(SymbolKind::Property, declaration.name.text, declaration.name.span);
    const bool runs = declaration.runs || declaration.recoverable;
    if (!runs) unbounded = unbounded || !declaration.depth;
    if (declaration.depth) deepest = std::max(deepest.value_or(0), *declaration.depth);
    Property property = demand(declaration.name.text, PropertyKind::Invariant);
    property.origin = declaration.span;
    if (!(runs ? about_runs(declaration, property) : about_states(declaration, property))) continue;
    frontend::expect_of(property, declaration.expected, context_.diagnostics);
    add(std::move(property), declaration.depth);
  }
  if (unbounded) deepest.reset();
  assertions(deepest);
  safe_operations(deepest);
  if (!deadlock) return;
  Property property = demand("deadlock", PropertyKind::Deadlock);
  property.goal = DeadlockGoal{};
  add(std::move(property), deepest);
}

bool PropertyBuilder::about_states(const PropertyDeclaration& declaration, Property& property) {
  StateScope scope(context_.names, context_.diagnostics, context_.network, true);
  const Expr e = typer_.typed(declaration.condition, scope, Type::boolean(), "a property");
  if (!e.valid()) return false;
  property.kind = declaration.reach ? PropertyKind::Reach : PropertyKind::Invariant;
  property.demand = !declaration.reach;
  property.set_condition(declaration.reach ? e : unless_stopped(e, scope.asked()));
  return true;
}

bool PropertyBuilder::about_runs(const PropertyDeclaration& declaration, Property& property) {
  FormulaScope scope(context_.names, context_.diagnostics, context_.network);
  if (declaration.recoverable) {
    const Expr e = typer_.typed(declaration.condition, scope, Type::boolean(), "`recoverable`");
    property.kind = PropertyKind::Recoverable;
    property.goal = RecoveryGoal{e};
    return e.valid();
  }
  property.kind = PropertyKind::Ltl;
  auto goal =
      frontend::run_goal(*declaration.runs, typer_, scope, context_.network, context_.diagnostics);
  if (goal) property.goal = std::move(*goal);
  return goal.has_value();
}

void PropertyBuilder::add(Property property, std::optional<std::uint64_t> depth) {
  property.bound.max = depth;
  context_.network.add_property(std::move(property));
}

// Holds, or one of these processes has stopped with an error.
Expr PropertyBuilder::unless_stopped(Expr e, std::vector<std::uint32_t> processes) {
  std::sort(processes.begin(), processes.end());
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  std::vector<Expr> parts;
  for (std::uint32_t p : processes) {
    const Process& process = context_.names.processes[p];
    for (LocationId l : process.errors)
      parts.push_back(pool_.symbol(context_.network.at_instance(process.instance, l)));
  }
  parts.push_back(e);
  return pool_.disj(parts);
}

Property PropertyBuilder::demand(std::string name, PropertyKind kind) const {
  Property property;
  property.name = std::move(name);
  property.kind = kind;
  property.universe = context_.universe;
  property.origin = context_.file.name.span;
  return property;
}

// No process is at any of these locations.
Expr PropertyBuilder::nowhere(const std::vector<LocationId>& locations) {
  std::vector<Expr> parts;
  for (LocationId l : locations)
    for (const Process& p : context_.names.processes)
      if (context_.network.location(l).machine == p.machine)
        parts.push_back(pool_.negate(pool_.symbol(context_.network.at_instance(p.instance, l))));
  return pool_.conj(parts);
}

void PropertyBuilder::assertions(std::optional<std::uint64_t> depth) {
  std::unordered_map<std::string, unsigned> names;
  for (const Statement& s : context_.file.statements) {
    if (s.kind != StatementKind::Assert) continue;
    std::string name = assertion_name(context_, s);
    if (const unsigned count = ++names[name]; count > 1) name += fmt::format(" #{}", count);
    Property property = demand(std::move(name), PropertyKind::Assert);
    const auto failed = errors_.failed.find(&s);
    property.set_condition(
        nowhere(failed == errors_.failed.end() ? std::vector<LocationId>() : failed->second));
    property.origin = s.span;
    frontend::expect_of(property, s.expected, context_.diagnostics);
    add(std::move(property), depth);
  }
}

// Indices are within their arrays, and nothing is divided by zero: where there is any.
void PropertyBuilder::safe_operations(std::optional<std::uint64_t> depth) {
  const frontend::SyntaxTree& tree = context_.tree;
  bool indexes = false;
  bool divides = false;
  for (SyntaxId id = 0; id < tree.size(); ++id) {
    const auto kind = tree.node(id).kind;
    // `P[2]` chooses a process; only arrays have bounds.
    indexes |= kind == frontend::SyntaxKind::Index &&
               !context_.names.families.contains(frontend::name_of(tree, tree.left(id)));
    divides |= kind == frontend::SyntaxKind::Divide || kind == frontend::SyntaxKind::Remainder;
  }
  auto safe = [&](const char* name, PropertyKind kind, const std::vector<LocationId>& places) {
    Property property = demand(name, kind);
    property.set_condition(nowhere(places));
    add(std::move(property), depth);
  };
  if (indexes) safe("bounds", PropertyKind::Bounds, errors_.bounds);
  if (divides) safe("division", PropertyKind::Division, errors_.division);
}

}  // namespace whittle::proc

// SPDX-License-Identifier: Apache-2.0
// What an event puts into a field is made of whole collections (fields, parameters) and of single
// elements; conditions of the event may say how large the field is, or which elements are possible:
// constants, numbers of a range, keys of instances.
#include "frontend/rebel/collection_capacity.h"

#include <algorithm>

namespace whittle::rebel {

namespace {

constexpr std::uint64_t kMaxCapacity = 20;
constexpr std::uint64_t kUnboundedCapacity = 8;  // where nothing bounds what a field may hold
constexpr std::uint64_t kUnbounded = 1'000'000;
constexpr std::int64_t kWidestRange = 1000;

}  // namespace

std::unordered_set<Expr> CollectionCapacity::demanded(EventId event, bool relations) const {
  std::unordered_set<Expr> result;
  std::vector<Expr> stack;
  for (const Guard& guard : network_.event(event).guards) stack.push_back(guard.condition);
  if (relations) {
    for (const Effect& effect : network_.event(event).effects) {
      if (effect.kind == EffectKind::Relation) stack.push_back(effect.expr);
    }
  }
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (!result.insert(e).second || pool_.op(e) != Op::And) continue;
    for (Expr child : pool_.children(e)) stack.push_back(child);
  }
  return result;
}

// Where a single element comes from; false: from anywhere.
bool CollectionCapacity::element_sources(EventId event, const std::unordered_set<Expr>& conditions,
                                         const TypedTerm& key, Elements& result) const {
  const bool one_part = !key.b.valid();
  if (pool_.is_const(key.a) && (one_part || pool_.is_const(key.b))) {
    result.constants.emplace(key.a, one_part ? key.a : key.b);
    return true;
  }
  if (!one_part) return false;
  const Expr x = key.a;
  for (const Sync& sync : network_.event(event).syncs) {
    if (sync.negated || sync.key != x) continue;
    result.machines.insert(sync.machine.index());
    return true;
  }
  std::optional<Integer> low;
  std::optional<Integer> high;
  for (Expr e : conditions) {
    const auto children = pool_.children(e);
    const Op op = pool_.op(e);
    auto constant = [&](std::size_t i) {
      return pool_.is_const(children[i]) && pool_.value(children[i]).is_integer();
    };
    // x == c, either way around; the constant.
    auto equation = [&](Expr one) -> Expr {
      if (pool_.op(one) != Op::Eq) return {};
      const auto sides = pool_.children(one);
      if (sides[0] == x && pool_.is_const(sides[1])) return sides[1];
      return sides[1] == x && pool_.is_const(sides[0]) ? sides[0] : Expr();
    };
    if (const Expr c = equation(e); c.valid()) {
      result.constants.emplace(c, c);
      return true;
    }
    if (op == Op::Apply && children.size() == 1 && children[0] == x) {
      const Role role = network_.role(pool_.symbol_of(e));
      if (role.kind == RoleKind::Known) {
        result.machines.insert(role.id);
        return true;
      }
      if (role.kind == RoleKind::RemoteAt) {
        result.machines.insert(network_.location(LocationId(role.id)).machine.index());
        return true;
      }
    }
    if (op == Op::Or && std::all_of(children.begin(), children.end(),
                                    [&](Expr c) { return equation(c).valid(); })) {
      for (Expr one : children) result.constants.emplace(equation(one), equation(one));
      return true;
    }
    if (op != Op::Le && op != Op::Lt) continue;
    const Integer strict(op == Op::Lt ? 1 : 0);
    if (children[0] == x && constant(1)) {
      const Integer bound = pool_.value(children[1]).as_integer() - strict;
      if (!high || bound < *high) high = bound;
    } else if (children[1] == x && constant(0)) {
      const Integer bound = pool_.value(children[0]).as_integer() + strict;
      if (!low || bound > *low) low = bound;
    }
  }
  if (!low || !high) return false;
  const auto width = (*high - *low).to_int64();
  if (!width || *width > kWidestRange) return false;
  for (Integer i = *low; i <= *high; i += Integer(1)) {
    const Expr c = pool_.integer(i);
    result.constants.emplace(c, c);
  }
  return true;
}

// The field or parameter that an entry was read from; kNone: none that is known.
std::uint32_t CollectionCapacity::variable_of(Expr slot) const {
  if (pool_.op(slot) != Op::Apply) return kNone;
  const SymbolId symbol = pool_.symbol_of(slot);
  const Role role = network_.role(symbol);
  if (role.kind == RoleKind::Input) {
    const auto it = of_parameter_.find(symbol.index());
    return it == of_parameter_.end() ? kNone : it->second;
  }
  if (role.kind != RoleKind::Current && role.kind != RoleKind::RemoteCurrent) return kNone;
  const auto it = of_variable_.find(role.id);
  return it == of_variable_.end() ? kNone : it->second;
}

CollectionCapacity::Inflow CollectionCapacity::inflow(EventId event, std::uint32_t target,
                                                      const TypedTerm& val) {
  Inflow result;
  result.target = target;
  const std::unordered_set<Expr> conditions = demanded(event);
  std::set<std::pair<Expr, Expr>> single;
  std::set<std::uint32_t> sources;
  for (const Entry& entry : *val.entries) {
    if (entry.slot.valid()) {
      const std::uint32_t source = variable_of(entry.slot);
      if (source == kNone) result.anything = true;
      sources.insert(source);
      continue;
    }
    if (!single.emplace(entry.key.a, entry.key.b.valid() ? entry.key.b : entry.key.a).second) {
      continue;
    }
    if (!element_sources(event, conditions, entry.key, result.elements)) ++result.growth;
  }
  result.sources.assign(sources.begin(), sources.end());
  if (target == kNone) return result;
  // |this.s| < 3 and the like: whatever happened before, this is how large it can be now.
  if (sources.size() == 1 && *sources.begin() == target) {
    if (const auto most = largest_left(conditions, elaborator_.count(variables_[target].value))) {
      result.limit = *most + single.size();
    }
  }
  return result;
}

std::optional<std::uint64_t> CollectionCapacity::largest_left(
    const std::unordered_set<Expr>& conditions, Expr size) const {
  std::optional<std::uint64_t> result;
  for (Expr e : conditions) {
    const bool negated = pool_.op(e) == Op::Not;
    const Expr inner = negated ? pool_.children(e)[0] : e;
    const Op op = pool_.op(inner);
    if (op != Op::Le && op != Op::Lt && op != Op::Eq) continue;
    const auto sides = pool_.children(inner);
    const bool left = sides[0] == size;
    if ((!left && sides[1] != size) || !pool_.is_const(sides[left ? 1 : 0])) continue;
    const auto bound = pool_.value(sides[left ? 1 : 0]).as_integer().to_int64();
    if (!bound || *bound < 0 || *bound > 100000) continue;
    std::int64_t most = *bound;
    if (op == Op::Eq) {
      if (negated) continue;
    } else if (left != negated) {  // size < c, or not (c <= size)
      const bool strict = (op == Op::Lt) != negated;
      if (strict) --most;
    } else {
      continue;
    }
    const auto found = static_cast<std::uint64_t>(std::max<std::int64_t>(most, 0));
    if (!result || found < *result) result = found;
  }
  return result;
}

void CollectionCapacity::add_variable(RType type, MachineId machine, EventId event,
                                      const std::vector<SymbolId>& symbols) {
  const auto index = static_cast<std::uint32_t>(variables_.size());
  Variable variable{type, machine, event, {}};
  std::vector<Expr> parts;
  for (SymbolId symbol : symbols) {
    parts.push_back(pool_.symbol(symbol));
    const Role role = network_.role(symbol);
    if (role.kind == RoleKind::Input) {
      of_parameter_[symbol.index()] = index;
    } else {
      of_variable_[role.id] = index;
    }
  }
  variable.value = elaborator_.assembled(type, parts);
  variables_.push_back(std::move(variable));
}

// What conditions say about a collection that is not made of others: a parameter, or a field after
// the step.
CollectionCapacity::Inflow CollectionCapacity::bounded(EventId event,
                                                       const std::unordered_set<Expr>& conditions,
                                                       std::uint32_t target,
                                                       const TypedTerm& variable) {
  Inflow result;
  result.target = target;
  if (const auto most = largest_left(conditions, elaborator_.count(variable))) {
    result.limit = *most;
    return result;
  }
  for (const Elaborator::Inclusion& one : elaborator_.inclusions(variable.entries->front().slot)) {
    const bool demands = std::all_of(one.clauses.begin(), one.clauses.end(),
                                     [&](Expr clause) { return conditions.contains(clause); });
    if (!demands) continue;
    result = inflow(event, kNone, one.in);
    result.target = target;
    return result;
  }
  result.anything = true;
  return result;
}

void CollectionCapacity::find_inflows() {
  for (const FieldValue& one : assigned_) {
    inflows_.push_back(inflow(one.event, of_variable_.at(one.field.index()), one.val));
  }
  for (const FieldValue& one : related_) {
    inflows_.push_back(
        bounded(one.event, demanded(one.event, true), of_variable_.at(one.field.index()), one.val));
  }
  for (std::uint32_t h = 0; h < variables_.size(); ++h) {
    const EventId event = variables_[h].event;
    if (event.valid()) inflows_.push_back(bounded(event, demanded(event), h, variables_[h].value));
  }
}

// Elements of which there are only so many, wherever they come from: by variable.
std::vector<CollectionCapacity::Elements> CollectionCapacity::known_elements() const {
  std::vector<Elements> elements(variables_.size());
  for (bool more = true; more;) {
    more = false;
    for (const Inflow& f : inflows_) {
      if (f.limit) continue;
      Elements& into = elements[f.target];
      const std::size_t before = into.constants.size() + into.machines.size();
      into.constants.insert(f.elements.constants.begin(), f.elements.constants.end());
      into.machines.insert(f.elements.machines.begin(), f.elements.machines.end());
      for (std::uint32_t source : f.sources) {
        if (source == kNone || source == f.target) continue;
        const Elements& from = elements[source];
        into.constants.insert(from.constants.begin(), from.constants.end());
        into.machines.insert(from.machines.begin(), from.machines.end());
      }
      more = more || into.constants.size() + into.machines.size() != before;
    }
  }
  return elements;
}

// Elements that each variable may have to hold, within so many steps.
std::vector<std::uint64_t> CollectionCapacity::sizes(UniverseId universe,
                                                     std::optional<std::uint64_t> steps) const {
  const std::size_t count = variables_.size();
  const std::vector<Elements> elements = known_elements();
  std::vector<std::uint64_t> others(count, 0);  // further elements
  for (std::uint64_t step = 0; !steps || step < *steps; ++step) {
    std::vector<std::uint64_t> next = others;
    for (const bool parameters : {true, false}) {  // parameters are chosen before the step
      for (const Inflow& f : inflows_) {
        if (variables_[f.target].event.valid() != parameters) continue;
        std::uint64_t most = f.growth;
        if (f.anything) most = kUnbounded;
        if (f.limit) {
          most = *f.limit;
        } else {
          for (std::uint32_t source : f.sources) {
            if (source != kNone) most += (variables_[source].event.valid() ? next : others)[source];
          }
        }
        next[f.target] = std::max(next[f.target], std::min(most, kUnbounded));
      }
    }
    if (next == others) break;
    others = std::move(next);
    if (step > kMaxCapacity * 2) {  // what grows until now goes on growing
      for (std::uint64_t& n : others) n = n > kMaxCapacity ? kUnbounded : n;
      break;
    }
  }
  for (std::size_t h = 0; h < count; ++h) {
    others[h] += elements[h].constants.size();
    for (std::uint32_t machine : elements[h].machines) {
      others[h] += universe.valid() ? network_.instances_of(universe, MachineId(machine)).size()
                                    : kUnboundedCapacity;
    }
    if (universe.valid() && network_.instances_of(universe, variables_[h].machine).empty()) {
      others[h] = 0;
    }
  }
  return others;
}

Capacities CollectionCapacity::needed() const {
  Capacities result;
  auto account = [&](const std::vector<std::uint64_t>& all) {
    for (std::size_t h = 0; h < variables_.size(); ++h) {
      const std::uint64_t capacity = all[h] >= kUnbounded ? kUnboundedCapacity : all[h];
      std::size_t& known = result[variables_[h].type.id()];
      known = std::max(
          known, static_cast<std::size_t>(std::clamp<std::uint64_t>(capacity, 1, kMaxCapacity)));
    }
  };
  for (const Property& property : network_.properties()) {
    account(sizes(property.universe, property.bound.max));
  }
  for (const Machine& machine : network_.machines()) {
    if (machine.universe.valid()) account(sizes(machine.universe, std::nullopt));
  }
  if (network_.properties().empty()) account(sizes({}, std::nullopt));
  return result;
}

std::string CollectionCapacity::left_out(UniverseId universe, std::optional<std::uint64_t> steps) {
  const auto needed = sizes(universe, steps);
  bool enough = !elaborator_.inexact();
  std::size_t most = 0;
  for (std::size_t h = 0; h < variables_.size(); ++h) {
    const std::size_t capacity = elaborator_.capacity(variables_[h].type);
    most = std::max(most, capacity);
    // Of Booleans, periods and the like there are only so many.
    enough = enough && (needed[h] <= capacity || elaborator_.whole(variables_[h].type));
  }
  if (enough) return "";
  return "sets and maps are followed up to " + std::to_string(most) + " elements only";
}

void CollectionCapacity::mark_incomplete() {
  const auto count = static_cast<std::uint32_t>(network_.properties().size());
  for (std::uint32_t p = 0; p < count; ++p) {
    Property& property = network_.property(PropertyId(p));
    property.incomplete = left_out(property.universe, property.bound.max);
  }
  for (const Machine& machine : network_.machines()) {
    if (machine.universe.valid())
      network_.universe(machine.universe).incomplete = left_out(machine.universe, std::nullopt);
  }
}

}  // namespace whittle::rebel

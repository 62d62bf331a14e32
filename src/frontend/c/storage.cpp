// SPDX-License-Identifier: Apache-2.0
// Variables of the network. A structure is a variable for each of its members, an array of
// structures an array for each of them, and an array of several dimensions one with a single index.
#include <fmt/format.h>

#include "frontend/c/literals.h"
#include "frontend/c/translator.h"

namespace whittle::c {

// ----- places

std::optional<Translator::Place> Translator::place(ExpressionId id) {
  const Expression& e = unit_.expressions[id];
  switch (e.kind) {
    case ExpressionKind::Object: {
      const Object& object = unit_.objects[e.ref];
      if (object.is_volatile) {
        refuse(Refusal::Volatile, e.span, object.name);
        return std::nullopt;
      }
      if (unit_.types[object.type].variable) {
        refuse(Refusal::Vla, e.span, object.name);
        return std::nullopt;
      }
      return whole_of(e.ref);
    }
    case ExpressionKind::Member: {
      auto whole = place(e.a);
      if (!whole) return std::nullopt;
      const TypeEntry& entry = unit_.types[whole->type];
      if (entry.kind == TypeKind::Union || entry.members[e.ref].bit_field) {
        refuse(entry.kind == TypeKind::Union ? Refusal::Union : Refusal::Struct, e.span);
        return std::nullopt;
      }
      const std::string_view name = entry.members[e.ref].name;
      whole->path += name.empty() ? fmt::format(".{}", e.ref) : fmt::format(".{}", name);
      whole->type = e.type;
      return whole;
    }
    case ExpressionKind::Index:
    case ExpressionKind::Dereference:
      return element(e);
    case ExpressionKind::Other:
      refuse(static_cast<Refusal>(e.ref), e.span);
      return std::nullopt;
    default:
      refuse(unit_.types.is_integer(e.type) ? Refusal::Extension : Refusal::Struct, e.span);
      return std::nullopt;
  }
}

Translator::Place Translator::whole_of(ObjectId id) {
  const Object& object = unit_.objects[id];
  Place result;
  result.object = id;
  result.type = object.type;
  if (const auto level = level_of(object)) {
    result.indices = {*level};
    result.lengths = {depth()};
  }
  return result;
}

std::optional<Translator::Place> Translator::element(const Expression& e) {
  bool whole_array = false;
  auto target = target_of(e.a, whole_array);
  if (!target) return std::nullopt;
  if (whole_array) {
    if (e.kind == ExpressionKind::Index) return indexed(std::move(*target), e.b, e.span);
    return indexed(std::move(*target), kNone, e.span);
  }
  if (e.kind == ExpressionKind::Index) {
    const auto index = constants_.value(e.b);
    if (!index || !index->is_zero()) {
      refuse(Refusal::Pointer, e.span);
      return std::nullopt;
    }
  }
  return target;
}

// What a pointer points to: an array (its first element), or a variable.
std::optional<Translator::Place> Translator::target_of(ExpressionId pointer, bool& whole_array) {
  const Expression& p = unit_.expressions[pointer];
  if (p.kind == ExpressionKind::Cast && p.implicit &&
      unit_.types.is(unit_.expressions[p.a].type, TypeKind::Array)) {
    if (unit_.expressions[p.a].kind == ExpressionKind::String) {
      refuse(Refusal::String, p.span);
      return std::nullopt;
    }
    whole_array = true;
    return place(p.a);
  }
  if (p.kind == ExpressionKind::Address) return place(p.a);
  if (p.kind == ExpressionKind::Object) {
    const auto bound = frame_->bound.find(p.ref);
    if (bound != frame_->bound.end()) {
      const TypeId pointee = unit_.types[p.type].target;
      const TypeEntry& target = unit_.types[bound->second.type];
      whole_array = target.kind == TypeKind::Array && !unit_.types.is(pointee, TypeKind::Array);
      const TypeId type = whole_array ? target.target : bound->second.type;
      const bool same = unit_.types.is_integer(type)
                            ? type == pointee
                            : unit_.types[type].kind == unit_.types[pointee].kind;
      if (same) return bound->second;
    }
  }
  if (p.kind == ExpressionKind::Other)
    refuse(static_cast<Refusal>(p.ref), p.span);
  else
    refuse(Refusal::Pointer, p.span,
           p.kind == ExpressionKind::Object ? unit_.objects[p.ref].name : std::string());
  return std::nullopt;
}

// kNone: the first one.
std::optional<Translator::Place> Translator::indexed(Place array, ExpressionId index, Span span) {
  const TypeEntry& entry = unit_.types[array.type];
  if (!entry.length) {
    refuse(Refusal::Vla, span);
    return std::nullopt;
  }
  const Number value =
      arithmetic_.settled(index == kNone ? arithmetic_.constant(0, kInt) : evaluate(index));
  const Expr at = arithmetic_.as_int(value);
  const Integer length(static_cast<unsigned long>(*entry.length));
  const bool known = !value.bits && value.low.sign() >= 0 && value.high < length;
  if (!known) {
    Expr outside = pool_->negate(
        pool_->conj(pool_->le(pool_->integer(0), at), pool_->lt(at, pool_->integer(length))));
    if (!guards_.empty()) outside = pool_->conj(pool_->conj(guards_), outside);
    if (!no_fault_.empty()) outside = pool_->conj(pool_->conj(no_fault_), outside);
    if (!pool_->is_false(outside)) {
      pending_hazards_.push_back({outside, failure("bounds", PropertyKind::Bounds, span)});
      no_fault_.push_back(pool_->negate(outside));
    }
  }
  array.indices.push_back(at);
  array.lengths.push_back(*entry.length);
  array.type = entry.target;
  return array;
}

// ----- variables

std::string Translator::storage_name(const Place& place) const {
  const Object& object = unit_.objects[place.object];
  std::string name = object.name.empty() ? "parameter" : object.name;
  if (object.function != kNone)
    name = fmt::format("{}::{}", unit_.functions[object.function].name, name);
  return name + place.path;
}

void Translator::declare_type(VariableId variable, TypeId type) {
  const Variable& v = network_->variable(variable);
  (*types_of_symbols_)[v.current.index()] = type;
  if (v.type != Type::integer()) return;
  const Expr value = pool_->symbol(
      network_->of_instance(network_->instances_of(universe_, main_).front(), variable));
  auto& believed = network_->universe(universe_).believed;
  believed.push_back(pool_->le(pool_->integer(unit_.types.least(type)), value));
  believed.push_back(pool_->le(value, pool_->integer(unit_.types.greatest(type))));
}

Translator::Storage Translator::storage(const Place& place, Span span) {
  const auto [it, fresh] = storages_.try_emplace({place.object, place.path});
  if (!fresh) return it->second;
  const Object& object = unit_.objects[place.object];
  Storage& result = it->second;
  const bool bits = bits_->bits(place.object) && place.type != kBool;
  const Type element =
      bits ? pool_->bit_vector_type(unit_.types.width(place.type)) : Type::integer();
  std::string name = storage_name(place);
  if (const unsigned copy = ++names_[name]; copy > 1) name += fmt::format(".{}", copy);
  result.array = !place.lengths.empty();
  Type type = element;
  if (result.array) {
    std::uint64_t length = 1;
    for (const std::uint64_t one : place.lengths) length *= one;
    type = pool_->array_type(Type::integer(), element, length);
    const bool stacked = object.function != kNone && is_recursive(object.function);
    result.unset = !bits && !object.keeps && object.initializer == kNone && !stacked;
  }
  const Span origin = object.span.valid() ? object.span : span;
  result.variable = network_->add_variable(std::move(name), type, main_, origin);
  // Nobody sees a local variable before it is declared.
  const Expr zero =
      bits ? pool_->int_to_bv(pool_->integer(0), unit_.types.width(place.type)) : pool_->integer(0);
  network_->variable(result.variable).initial =
      result.array ? pool_->const_array(type, zero) : zero;
  declare_type(result.variable, place.type);
  return result;
}

Expr Translator::position(const Place& place) {
  Expr result = place.indices.front();
  for (std::size_t i = 1; i < place.indices.size(); ++i)
    result =
        pool_->add(pool_->mul(result, pool_->integer(static_cast<unsigned long>(place.lengths[i]))),
                   place.indices[i]);
  return result;
}

Expr Translator::now(VariableId variable) const {
  const auto pending = pending_values_.find(variable);
  if (pending != pending_values_.end()) return pending->second;
  return pool_->symbol(network_->variable(variable).current);
}

Number Translator::read(const Place& place, Span span) {
  if (!unit_.types.is_integer(place.type)) {
    const TypeKind kind = unit_.types[place.type].kind;
    refuse(kind == TypeKind::Float     ? Refusal::Float
           : kind == TypeKind::Pointer ? Refusal::Pointer
           : kind == TypeKind::Array   ? Refusal::Array
           : kind == TypeKind::Union   ? Refusal::Union
                                       : Refusal::Struct,
           span, unit_.objects[place.object].name);
    return nothing(place.type);
  }
  const Storage s = storage(place, span);
  if (!s.array) return arithmetic_.value(now(s.variable), place.type);
  const Expr value = pool_->select(now(s.variable), position(place));
  if (s.unset && !pool_->is_const(value)) {
    // Elements that were never set are numbers of the type as well.
    Expr fits = pool_->conj(pool_->le(pool_->integer(unit_.types.least(place.type)), value),
                            pool_->le(value, pool_->integer(unit_.types.greatest(place.type))));
    if (!guards_.empty()) fits = pool_->implies(pool_->conj(guards_), fits);
    if (!no_fault_.empty()) fits = pool_->implies(pool_->conj(no_fault_), fits);
    pending_assumptions_.push_back(fits);
  }
  return arithmetic_.value(value, place.type);
}

Expr Translator::stored_as(Type type, const Number& value) {
  return pool_->kind(type) == whittle::TypeKind::BitVector ? arithmetic_.as_bits(value)
                                                           : arithmetic_.as_int(value);
}

Expr Translator::stored(VariableId variable, const Number& value) {
  return stored_as(network_->variable(variable).type, value);
}

void Translator::write(const Place& place, const Number& value, Span span) {
  if (!unit_.types.is_integer(place.type)) {
    static_cast<void>(read(place, span));  // says why not
    return;
  }
  const Storage s = storage(place, span);
  if (!s.array) return set(s.variable, stored(s.variable, value));
  const Type element = pool_->info(network_->variable(s.variable).type).element;
  set(s.variable, pool_->store(now(s.variable), position(place), stored_as(element, value)));
}

VariableId Translator::temporary(ExpressionId id, TypeId type, bool bits) {
  const auto found = temporaries_.find(id);
  if (found != temporaries_.end()) return found->second;
  const Type t = bits ? pool_->bit_vector_type(unit_.types.width(type)) : Type::integer();
  std::string name = fmt::format("{}::value", unit_.functions[frame_->function].name);
  if (const unsigned copy = ++names_[name]; copy > 1) name += fmt::format(".{}", copy);
  const VariableId result =
      network_->add_variable(std::move(name), t, main_, unit_.expressions[id].span);
  network_->variable(result).initial =
      bits ? pool_->int_to_bv(pool_->integer(0), unit_.types.width(type)) : pool_->integer(0);
  temporaries_.emplace(id, result);
  declare_type(result, type);
  return result;
}

VariableId Translator::stacked_temporary(ExpressionId id, TypeId type, bool bits) {
  const auto found = stacked_temporaries_.find(id);
  if (found != stacked_temporaries_.end()) return found->second;
  const Type element = bits ? pool_->bit_vector_type(unit_.types.width(type)) : Type::integer();
  const Type t = pool_->array_type(Type::integer(), element, depth());
  std::string name = fmt::format("{}::value", unit_.functions[frame_->function].name);
  if (const unsigned copy = ++names_[name]; copy > 1) name += fmt::format(".{}", copy);
  const VariableId result =
      network_->add_variable(std::move(name), t, main_, unit_.expressions[id].span);
  network_->variable(result).initial = zero_array(result, type);
  stacked_temporaries_.emplace(id, result);
  declare_type(result, type);
  return result;
}

VariableId Translator::result_variable(FunctionId function) {
  const auto found = results_.find(function);
  if (found != results_.end()) return found->second;
  const Function& f = unit_.functions[function];
  const TypeId type = unit_.types[f.type].target;
  const bool bits = bits_->result_bits(function) && type != kBool;
  const Type t = bits ? pool_->bit_vector_type(unit_.types.width(type)) : Type::integer();
  const VariableId result =
      network_->add_variable(fmt::format("{}::return", f.name), t, main_, f.span);
  network_->variable(result).initial =
      bits ? pool_->int_to_bv(pool_->integer(0), unit_.types.width(type)) : pool_->integer(0);
  results_.emplace(function, result);
  declare_type(result, type);
  return result;
}

// ----- first values

// The parts of a place that have a value of their own; arrays are one.
void Translator::each_leaf(const Place& place, const std::function<void(const Place&)>& visit) {
  const TypeEntry entry = unit_.types[place.type];
  if (entry.kind == TypeKind::Integer) return visit(place);
  Place inner = place;
  if (entry.kind == TypeKind::Array && entry.length) {
    inner.indices.push_back(pool_->integer(0));
    inner.lengths.push_back(*entry.length);
    inner.type = entry.target;
    return each_leaf(inner, visit);
  }
  if (entry.kind != TypeKind::Struct) return;
  for (std::size_t i = 0; i < entry.members.size(); ++i) {
    const std::string_view name = entry.members[i].name;
    if (entry.members[i].bit_field) continue;
    inner.path = place.path + (name.empty() ? fmt::format(".{}", i) : fmt::format(".{}", name));
    inner.type = entry.members[i].type;
    each_leaf(inner, visit);
  }
}

void Translator::forget(const Place& whole, Span span) {
  each_leaf(whole, [&](const Place& leaf) {
    if (!whole.lengths.empty()) {  // of one activation
      if (leaf.lengths.size() > whole.lengths.size()) return refuse(Refusal::Array, span);
      want_bits_ = bits_->bits(leaf.object);
      write(leaf, input(leaf.type), span);
      want_bits_ = false;
      return;
    }
    const Storage s = storage(leaf, span);
    const Variable& variable = network_->variable(s.variable);
    Site at = site(span);
    at.text = fmt::format("{} = any value", variable.name);
    if (variable.type == Type::integer())
      code_->forget(std::move(at), s.variable, pool_->integer(unit_.types.least(leaf.type)),
                    pool_->integer(unit_.types.greatest(leaf.type)));
    else
      code_->forget(std::move(at), s.variable);
  });
}

Translator::Place Translator::element_of(const Place& array, std::uint64_t index) const {
  const TypeEntry& entry = unit_.types[array.type];
  Place result = array;
  result.indices.push_back(pool_->integer(static_cast<unsigned long>(index)));
  result.lengths.push_back(entry.length.value_or(0));
  result.type = entry.target;
  return result;
}

// A structure, member by member.
void Translator::copy(const Place& to, const Place& from, Span span) {
  each_leaf(to, [&](const Place& leaf) {
    if (leaf.lengths.size() != to.lengths.size()) return refuse(Refusal::Array, span);
    Place source = from;
    source.path += leaf.path.substr(to.path.size());
    source.type = leaf.type;
    write(leaf, read(source, span), span);
  });
}

Expr Translator::zero_array(VariableId variable, TypeId element) {
  const Type type = network_->variable(variable).type;
  return pool_->const_array(type,
                            stored_as(pool_->info(type).element, arithmetic_.constant(0, element)));
}

// What an initial value does not mention is 0.
void Translator::clear(const Place& whole, Span span) {
  each_leaf(whole, [&](const Place& leaf) {
    const Storage s = storage(leaf, span);
    if (s.array && whole.lengths.empty())
      set(s.variable, zero_array(s.variable, leaf.type));
    else
      write(leaf, arithmetic_.constant(0, leaf.type), span);
  });
}

void Translator::initialize(const Place& target, std::uint32_t initializer, bool constant) {
  const Initializer& value = unit_.initializers[initializer];
  const TypeEntry& entry = unit_.types[target.type];
  if (value.expression != kNone) return initialize_whole(target, value, constant);
  if (entry.kind == TypeKind::Array && entry.length)
    return initialize_array(target, value, constant);
  if (entry.kind == TypeKind::Struct) {
    for (const Initializer::Entry& item : value.entries) {
      if (*item.index >= entry.members.size()) continue;
      const Member& member = entry.members[*item.index];
      Place inner = target;
      inner.path +=
          member.name.empty() ? fmt::format(".{}", *item.index) : fmt::format(".{}", member.name);
      inner.type = member.type;
      initialize(inner, item.value, constant);
    }
    return;
  }
  if (!value.entries.empty()) initialize(target, value.entries.front().value, constant);
}

void Translator::initialize_array(const Place& target, const Initializer& value, bool constant) {
  const TypeEntry entry = unit_.types[target.type];
  const TypeKind inner = unit_.types[entry.target].kind;
  for (const Initializer::Entry& item : value.entries) {
    if (*item.index >= *entry.length) continue;
    const ExpressionId e = unit_.initializers[item.value].expression;
    if ((inner == TypeKind::Array || inner == TypeKind::Struct) && e != kNone &&
        unit_.expressions[e].kind != ExpressionKind::String)
      return refuse(Refusal::Extension, value.span, "an initial value without its braces");
    initialize(element_of(target, *item.index), item.value, constant);
  }
}

// By an expression.
void Translator::initialize_whole(const Place& target, const Initializer& value, bool constant) {
  const TypeEntry entry = unit_.types[target.type];
  const Expression& e = unit_.expressions[value.expression];
  if (entry.kind == TypeKind::Integer) {
    Number number = evaluate(value.expression);
    if (constant && !arithmetic_.constant_value(number)) {
      refuse(Refusal::Extension, value.span, "an initial value that is not a constant");
      number = nothing(target.type);
    }
    return write(target, number, value.span);
  }
  if (entry.kind == TypeKind::Array && entry.length && e.kind == ExpressionKind::String) {
    const std::vector<int> bytes = string_bytes(e.text);
    for (std::uint64_t i = 0; i < *entry.length && i < bytes.size(); ++i)
      write(element_of(target, i), arithmetic_.constant(bytes[i], entry.target), value.span);
    return;
  }
  if (entry.kind == TypeKind::Struct && !constant) {
    if (const auto from = place(value.expression)) copy(target, *from, value.span);
    return;
  }
  // A pointer or a floating-point number: refused where it is used.
  if (!constant && acts(value.expression)) discard(value.expression);
}

}  // namespace whittle::c

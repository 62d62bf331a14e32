// SPDX-License-Identifier: Apache-2.0
// Sets and maps. A collection is a list of entries with a condition each that says whether the
// entry is present; elements may stand in the list twice, keys of maps may not (where both are
// present). Quantifiers, comprehensions, counting and comparing expand over the list, so all of
// them are exact and free of quantifiers.
//
// A field of a collection type has a capacity, a fixed number of entries. It starts empty, a value
// that needs more disables the step, and the translation marks the questions for which that may
// matter (Property::incomplete). How large the capacity is: collection_capacity.h.
#include <fmt/format.h>

#include <array>

#include "frontend/rebel/elaborate.h"

namespace whittle::rebel {

namespace {
constexpr std::int64_t kLargestRange = 4096;
constexpr std::size_t kFirstCapacity = 2;  // until it is known what is needed
}  // namespace

TypedTerm Elaborator::collection(RType type, std::vector<Entry> entries, Expr def) {
  TypedTerm val;
  val.type = type;
  val.def = def;
  // Absent entries say nothing.
  std::erase_if(entries, [&](const Entry& entry) { return pool_.is_false(entry.present); });
  val.entries = std::make_shared<const std::vector<Entry>>(std::move(entries));
  return val;
}

// ----- literals

TypedTerm Elaborator::set_literal(const Scope& scope, ExprRef e) {
  const ModuleAst& module = ast(scope);
  const ExprNode n = module.expr(e);
  std::vector<Entry> entries;
  RType element = Kind::Unknown;
  Expr def;
  bool bad = false;
  for (std::uint32_t i = 0; i < module.list_size(n.a); ++i) {
    const ExprRef at = module.list(n.a)[i];
    TypedTerm val = value(scope, at);
    if (val.type == RType(Kind::Unknown)) {
      bad = true;
      continue;
    }
    if (program_.types().is_collection(val.type)) {
      error(scope, at, "rebel-028", "sets of sets or maps are not supported");
      bad = true;
      continue;
    }
    if (element == RType(Kind::Unknown)) element = val.type;
    if (!fits(val, element)) {
      error(scope, at, "rebel-051",
            "the elements of a set have one type: this is " + program_.types().to_string(val.type) +
                ", the first is " + program_.types().to_string(element));
      bad = true;
      continue;
    }
    def = conj(def, val.def);
    val.def = Expr();
    entries.push_back({pool_.boolean(true), std::move(val), {}, {}});
  }
  if (bad) return unknown();
  const RType type = entries.empty() ? RType(Kind::EmptySet) : program_.types().set(element);
  return collection(type, std::move(entries), def);
}

TypedTerm Elaborator::map_literal(const Scope& scope, ExprRef e) {
  const ModuleAst& module = ast(scope);
  const ExprNode n = module.expr(e);
  RType key_type_seen = Kind::Unknown;
  RType value_type = Kind::Unknown;
  TypedTerm result = collection(Kind::EmptyMap, {}, Expr());
  bool bad = false;
  for (std::uint32_t i = 0; i + 1 < module.list_size(n.a); i += 2) {
    const ExprRef key_at = module.list(n.a)[i];
    const ExprRef value_at = module.list(n.a)[i + 1];
    TypedTerm key = value(scope, key_at);
    TypedTerm val = value(scope, value_at);
    if (key.type == RType(Kind::Unknown) || val.type == RType(Kind::Unknown)) {
      bad = true;
      continue;
    }
    if (program_.types().is_collection(key.type) || program_.types().is_collection(val.type)) {
      error(scope, key_at, "rebel-028", "maps of sets or maps are not supported");
      bad = true;
      continue;
    }
    if (i == 0) {
      key_type_seen = key.type;
      value_type = val.type;
      result.type = program_.types().map(key.type, val.type);
    }
    if (!fits(key, key_type_seen) || !fits(val, value_type)) {
      error(scope, key_at, "rebel-051", "the keys of a map have one type, and so have the values");
      bad = true;
      continue;
    }
    const Expr def = conj(result.def, conj(key.def, val.def));
    key.def = val.def = Expr();
    result = updated(result, key, val);
    result.def = def;
  }
  return bad ? unknown() : result;
}

TypedTerm Elaborator::interval(const Scope& scope, ExprRef e) {
  const ExprNode n = ast(scope).expr(e);
  const TypedTerm low = typed(scope, n.a, Kind::Integer, "the beginning of a range");
  const TypedTerm high = typed(scope, n.b, Kind::Integer, "the end of a range");
  if (low.type == RType(Kind::Unknown) || high.type == RType(Kind::Unknown)) return unknown();
  if (!pool_.is_const(low.a) || !pool_.is_const(high.a)) {
    error(scope, e, "rebel-067", "the ends of a range must be constants here",
          "'x in {a..b}' may have any ends");
    return unknown();
  }
  const Integer& from = pool_.value(low.a).as_integer();
  const Integer& to = pool_.value(high.a).as_integer();
  if (to - from > Integer(static_cast<long>(kLargestRange))) {
    error(scope, e, "rebel-067",
          "this range is too large: at most " + std::to_string(kLargestRange) + " elements");
    return unknown();
  }
  std::vector<Entry> entries;
  for (Integer i = from; i <= to; i += Integer(1)) {
    entries.push_back({pool_.boolean(true), simple(Kind::Integer, pool_.integer(i)), {}, {}});
  }
  return collection(program_.types().set(Kind::Integer), std::move(entries), Expr());
}

// ----- reading

Expr Elaborator::member(const TypedTerm& element, const TypedTerm& c) {
  std::vector<Expr> some;
  for (const Entry& entry : *c.entries) {
    some.push_back(pool_.conj(entry.present, equal(element, entry.key)));
  }
  return pool_.disj(some);
}

Expr Elaborator::subset(const TypedTerm& a, const TypedTerm& b) {
  std::vector<Expr> all;
  bool variable = !a.entries->empty();  // a field or parameter as it is
  for (const Entry& entry : *a.entries) {
    variable = variable && entry.slot.valid() && entry.slot == entry.present;
    all.push_back(pool_.implies(entry.present, member(entry.key, b)));
  }
  if (variable) inclusions_[a.entries->front().slot].push_back({all, b});
  return pool_.conj(all);
}

std::span<const Elaborator::Inclusion> Elaborator::inclusions(Expr first) const {
  const auto it = inclusions_.find(first);
  return it == inclusions_.end() ? std::span<const Inclusion>() : it->second;
}

Expr Elaborator::same_collection(const TypedTerm& a, const TypedTerm& b) {
  std::vector<Expr> all{subset(a, b), subset(b, a)};
  const Kind kind = program_.types().kind(a.type);
  if (kind == Kind::Map || kind == Kind::EmptyMap) {
    for (const Entry& x : *a.entries) {
      for (const Entry& y : *b.entries) {
        const std::array<Expr, 3> both = {x.present, y.present, equal(x.key, y.key)};
        all.push_back(pool_.implies(pool_.conj(both), equal(x.value, y.value)));
      }
    }
  }
  return pool_.conj(all);
}

TypedTerm Elaborator::lookup(const Scope& scope, ExprRef e, const TypedTerm& map,
                             const TypedTerm& key_given) {
  if (map.type == RType(Kind::Unknown) || key_given.type == RType(Kind::Unknown)) return unknown();
  TypedTerm key = key_given;
  const Kind kind = program_.types().kind(map.type);
  if (kind != Kind::Map) {
    error(scope, e, "rebel-051",
          "only maps can be indexed, but this is " + program_.types().to_string(map.type));
    return unknown();
  }
  if (!fits(key, program_.types().element(map.type))) {
    error(scope, e, "rebel-051",
          "the keys of the map are " +
              program_.types().to_string(program_.types().element(map.type)) + ", but this is " +
              program_.types().to_string(key.type));
    return unknown();
  }
  TypedTerm result;
  result.type = program_.types().value(map.type);
  bool first = true;
  for (std::size_t i = map.entries->size(); i-- > 0;) {
    const Entry& entry = (*map.entries)[i];
    if (first) {
      result = entry.value;
      first = false;
      continue;
    }
    const Expr here = pool_.conj(entry.present, equal(key, entry.key));
    result = chosen(here, entry.value, result);
  }
  if (first) {  // an empty map: never defined, but of the right type
    std::vector<Expr> parts;
    for (const auto& [suffix, type] : layout(result.type)) {
      parts.push_back(pool_.constant(pool_.default_value(type), type));
    }
    result = assembled(result.type, parts);
  }
  result.def = conj(conj(map.def, key.def), member(key, map));
  return result;
}

TypedTerm Elaborator::membership(const Scope& scope, ExprRef e) {
  const ModuleAst& module = ast(scope);
  const ExprNode n = module.expr(e);
  TypedTerm element = value(scope, n.a);
  if (module.expr(n.b).kind == ExprKind::Interval) {  // any ends, no expansion
    const ExprNode range = module.expr(n.b);
    const TypedTerm low = typed(scope, range.a, Kind::Integer, "the beginning of a range");
    const TypedTerm high = typed(scope, range.b, Kind::Integer, "the end of a range");
    if (element.type == RType(Kind::Unknown) || low.type == RType(Kind::Unknown) ||
        high.type == RType(Kind::Unknown)) {
      return unknown();
    }
    if (fits(element, Kind::Integer)) {
      return boolean(pool_.conj(pool_.le(low.a, element.a), pool_.le(element.a, high.a)),
                     conj(element.def, conj(low.def, high.def)));
    }
  }
  TypedTerm set = value(scope, n.b);
  if (element.type == RType(Kind::Unknown) || set.type == RType(Kind::Unknown)) return unknown();
  const Kind kind = program_.types().kind(set.type);
  const Expr def = conj(element.def, set.def);
  if (kind == Kind::EmptySet || kind == Kind::EmptyMap) {
    if (element.entries) return boolean(subset(element, set), def);
    return boolean(pool_.boolean(false), def);
  }
  if (kind != Kind::Set && kind != Kind::Map) {
    error(scope, n.b, "rebel-051",
          "'in' needs a set or a map, but this is " + program_.types().to_string(set.type));
    return unknown();
  }
  if (kind == Kind::Set && element.entries && fits(element, set.type)) {
    return boolean(subset(element, set), def);
  }
  if (!fits(element, program_.types().element(set.type))) {
    error(scope, e, "rebel-051",
          "'in' looks for " + program_.types().to_string(element.type) + " in " +
              program_.types().to_string(set.type));
    return unknown();
  }
  return boolean(member(element, set), def);
}

TypedTerm Elaborator::cardinality(const Scope& scope, ExprRef e) {
  TypedTerm set = value(scope, ast(scope).expr(e).a);
  if (set.type == RType(Kind::Unknown)) return set;
  if (!set.entries) {
    error(scope, e, "rebel-051",
          "only the elements of sets and maps can be counted, but this is " +
              program_.types().to_string(set.type));
    return unknown();
  }
  return simple(Kind::Integer, count(set), set.def);
}

Expr Elaborator::count(const TypedTerm& set) {
  std::vector<Expr> ones;
  for (std::size_t i = 0; i < set.entries->size(); ++i) {
    const Entry& entry = (*set.entries)[i];
    std::vector<Expr> earlier;
    for (std::size_t j = 0; j < i; ++j) {
      const Entry& other = (*set.entries)[j];
      earlier.push_back(pool_.conj(other.present, equal(other.key, entry.key)));
    }
    const Expr counts = pool_.conj(entry.present, pool_.negate(pool_.disj(earlier)));
    ones.push_back(pool_.ite(counts, number(1), number(0)));
  }
  Expr sum = number(0);
  if (ones.size() == 1) {
    sum = ones[0];
  } else if (!ones.empty()) {
    sum = pool_.make(Op::Add, ones);
  }
  return sum;
}

// ----- bound variables

TypedTerm Elaborator::comprehension(const Scope& scope, ExprRef e) {
  const ModuleAst& module = ast(scope);
  const ExprNode n = module.expr(e);
  TypedTerm set = value(scope, n.b);
  if (set.type == RType(Kind::Unknown)) return set;
  if (!set.entries) {
    error(scope, n.b, "rebel-051",
          "a comprehension ranges over a set, but this is " + program_.types().to_string(set.type));
    return unknown();
  }
  const Kind kind = program_.types().kind(set.type);
  std::vector<Entry> entries;
  Expr def = set.def;
  for (const Entry& entry : *set.entries) {
    Scope inner = scope;
    inner.locals.push_back({n.a, entry.key, declare_bound(scope, e)});
    Entry kept = entry;
    kept.value = {};
    for (std::uint32_t i = 0; i < module.list_size(n.c); ++i) {
      const TypedTerm condition =
          typed(inner, module.list(n.c)[i], Kind::Boolean, "the condition of a comprehension");
      if (condition.type == RType(Kind::Unknown)) return unknown();
      if (condition.def.valid()) def = conj(def, pool_.implies(kept.present, condition.def));
      kept.present = pool_.conj(kept.present, condition.a);
    }
    entries.push_back(std::move(kept));
  }
  const RType type =
      kind == Kind::Map ? program_.types().set(program_.types().element(set.type)) : set.type;
  return collection(type, std::move(entries), def);
}

TypedTerm Elaborator::quantified(const Scope& scope, ExprRef e) {
  const ModuleAst& module = ast(scope);
  const ExprNode n = module.expr(e);
  const bool forall = n.kind == ExprKind::Forall;
  TypedTerm set = value(scope, n.b);
  if (set.type == RType(Kind::Unknown)) return set;
  if (!set.entries) {
    error(scope, n.b, "rebel-051",
          std::string("'") + (forall ? "forall" : "exists") + "' ranges over a set, but this is " +
              program_.types().to_string(set.type));
    return unknown();
  }
  std::vector<Expr> parts;
  Expr def = set.def;
  for (const Entry& entry : *set.entries) {
    Scope inner = scope;
    inner.locals.push_back({n.a, entry.key, declare_bound(scope, e)});
    Expr holds = pool_.boolean(true);
    Expr defined;
    for (std::uint32_t i = 0; i < module.list_size(n.c); ++i) {
      const TypedTerm condition =
          typed(inner, module.list(n.c)[i], Kind::Boolean, "the condition of a quantifier");
      if (condition.type == RType(Kind::Unknown)) return unknown();
      if (condition.def.valid()) defined = conj(defined, pool_.implies(holds, condition.def));
      holds = pool_.conj(holds, condition.a);
    }
    if (defined.valid()) def = conj(def, pool_.implies(entry.present, defined));
    parts.push_back(forall ? pool_.implies(entry.present, holds)
                           : pool_.conj(entry.present, holds));
  }
  return boolean(forall ? pool_.conj(parts) : pool_.disj(parts), def);
}

// ----- changing

TypedTerm Elaborator::updated(const TypedTerm& map, const TypedTerm& key, const TypedTerm& val,
                              bool there) {
  std::vector<Entry> entries;
  for (const Entry& entry : *map.entries) {
    Entry kept = entry;
    kept.value = chosen(equal(entry.key, key), val, entry.value);
    entries.push_back(std::move(kept));
  }
  if (!there) entries.push_back({pool_.negate(member(key, map)), key, val, {}});
  return collection(map.type, std::move(entries), map.def);
}

// `+` and `-` with a collection on the left.
TypedTerm Elaborator::combined(const Scope& scope, ExprRef e, const TypedTerm& a_given,
                               const TypedTerm& b_given, bool minus) {
  TypedTerm a = a_given;
  TypedTerm b = b_given;
  const Kind ka = program_.types().kind(a.type);
  const bool map = ka == Kind::Map || ka == Kind::EmptyMap;
  const Expr def = conj(a.def, b.def);
  if (map && !minus) {
    if (!b.entries || !unify(a, b)) return mismatch(scope, e, a, b, "+");
    TypedTerm result = a;
    for (const Entry& entry : *b.entries) {
      const TypedTerm with = updated(result, entry.key, entry.value);
      result = pool_.is_true(entry.present) ? with : chosen(entry.present, with, result);
    }
    result.def = def;
    return result;
  }
  // An element, or a set of them.
  if (!b.entries) {
    RType element = ka == Kind::EmptySet ? b.type : program_.types().element(a.type);
    if (ka == Kind::EmptySet) a.type = program_.types().set(element);
    if (ka == Kind::EmptyMap || !fits(b, element)) {
      return mismatch(scope, e, a_given, b_given, minus ? "-" : "+");
    }
    b.def = Expr();
    b = collection(program_.types().set(element), {{pool_.boolean(true), b, {}, {}}}, Expr());
  } else if (!map && !unify(a, b)) {
    return mismatch(scope, e, a, b, minus ? "-" : "+");
  }
  std::vector<Entry> entries;
  if (minus) {
    for (const Entry& entry : *a.entries) {
      entries.push_back(entry);
      entries.back().present = pool_.conj(entry.present, pool_.negate(member(entry.key, b)));
    }
  } else {
    entries = *a.entries;
    entries.insert(entries.end(), b.entries->begin(), b.entries->end());
  }
  return collection(a.type, std::move(entries), def);
}

// ----- variables

std::size_t Elaborator::capacity(RType type) const {
  switch (program_.types().kind(program_.types().element(type))) {
    case Kind::Boolean:
      return 2;
    case Kind::Frequency:
    case Kind::Period:
    case Kind::InterestNorm:
      return 5;
    default: {
      const auto it = capacities_.find(type.id());
      return it == capacities_.end() ? kFirstCapacity : it->second;
    }
  }
}

bool Elaborator::whole(RType type) const {
  switch (program_.types().kind(program_.types().element(type))) {
    case Kind::Boolean:
    case Kind::Frequency:
    case Kind::Period:
    case Kind::InterestNorm:
      return true;
    default:
      return false;
  }
}

std::vector<std::pair<std::string, Type>> Elaborator::layout(RType type) const {
  std::vector<std::pair<std::string, Type>> result;
  const Kind kind = program_.types().kind(type);
  if (kind == Kind::Spec) return layout(key_type(program_.types().spec_of(type)));
  if (kind != Kind::Set && kind != Kind::Map) {
    for (const Part& part : encoder_.parts(kind)) result.emplace_back(part.suffix, part.type);
    return result;
  }
  const auto key = layout(program_.types().element(type));
  for (std::size_t i = 0; i < capacity(type); ++i) {
    result.emplace_back(fmt::format("#{}", i + 1), Type::boolean());
    for (const auto& [suffix, part] : key)
      result.emplace_back(fmt::format("#{}.key{}", i + 1, suffix), part);
    if (kind == Kind::Set) continue;
    for (const auto& [suffix, part] : layout(program_.types().value(type)))
      result.emplace_back(fmt::format("#{}.value{}", i + 1, suffix), part);
  }
  return result;
}

TypedTerm Elaborator::assembled(RType type, std::span<const Expr> parts) {
  const Kind kind = program_.types().kind(type);
  TypedTerm val;
  val.type = type;
  if (kind != Kind::Set && kind != Kind::Map) {
    val.a = parts[0];
    if (parts.size() > 1) val.b = parts[1];
    return val;
  }
  const std::size_t keys = layout(program_.types().element(type)).size();
  const std::size_t values = kind == Kind::Map ? layout(program_.types().value(type)).size() : 0;
  std::vector<Entry> entries;
  for (std::size_t at = 0; at + keys + values < parts.size(); at += 1 + keys + values) {
    Entry entry;
    entry.present = parts[at];
    entry.slot = parts[at];
    entry.key = assembled(program_.types().element(type), parts.subspan(at + 1, keys));
    if (values > 0) {
      entry.value = assembled(program_.types().value(type), parts.subspan(at + 1 + keys, values));
    }
    entries.push_back(std::move(entry));
  }
  return collection(type, std::move(entries), Expr());
}

std::vector<Expr> Elaborator::flattened(RType type, const TypedTerm& val, Expr& overflow) {
  const Kind kind = program_.types().kind(type);
  if (kind == Kind::Set || kind == Kind::Map) return fitted(type, val, overflow);
  std::vector<Expr> parts{val.a};
  if (layout(type).size() > 1) parts.push_back(val.b);
  return parts;
}

// The first entries keep their places; every further one goes to the first free place, unless its
// element is there already.
std::vector<Expr> Elaborator::fitted(RType type, const TypedTerm& val, Expr& overflow) {
  const std::size_t places = capacity(type);
  const bool map = program_.types().kind(type) == Kind::Map;
  std::vector<Entry> slots;
  std::vector<Entry> rest;
  for (const Entry& entry : *val.entries) {
    (slots.size() < places ? slots : rest).push_back(entry);
  }
  auto nothing = [&](RType t) {
    std::vector<Expr> parts;
    for (const auto& [suffix, part] : layout(t)) {
      parts.push_back(pool_.constant(pool_.default_value(part), part));
    }
    return assembled(t, parts);
  };
  const TypedTerm no_key = nothing(program_.types().element(type));
  const TypedTerm no_value = map ? nothing(program_.types().value(type)) : TypedTerm();
  while (slots.size() < places) slots.push_back({pool_.boolean(false), no_key, no_value, {}});
  for (const Entry& entry : rest) {
    std::vector<Expr> there;
    there.reserve(slots.size());
    for (const Entry& slot : slots) {
      there.push_back(pool_.conj(slot.present, equal(slot.key, entry.key)));
    }
    Expr wanting = pool_.conj(entry.present, pool_.negate(pool_.disj(there)));
    for (Entry& slot : slots) {
      const Expr here = pool_.conj(wanting, pool_.negate(slot.present));
      wanting = pool_.conj(wanting, slot.present);
      slot.key = chosen(here, entry.key, slot.key);
      if (map) slot.value = chosen(here, entry.value, slot.value);
      slot.present = pool_.disj(slot.present, here);
    }
    if (!pool_.is_false(wanting)) {
      overflow = overflow.valid() ? pool_.disj(overflow, wanting) : wanting;
    }
  }
  std::vector<Expr> parts;
  Expr unused;
  for (const Entry& slot : slots) {
    parts.push_back(slot.present);
    for (Expr part : flattened(program_.types().element(type), slot.key, unused)) {
      parts.push_back(part);
    }
    if (!map) continue;
    for (Expr part : flattened(program_.types().value(type), slot.value, unused)) {
      parts.push_back(part);
    }
  }
  return parts;
}

Expr Elaborator::domain(RType type, std::span<const Expr> parts) {
  const Kind kind = program_.types().kind(type);
  if (kind == Kind::Time) return encoder_.domain(Kind::Time, parts[0]);
  if (kind == Kind::DateTime) return encoder_.domain(Kind::Time, parts[1]);
  if (kind == Kind::Spec) return domain(key_type(program_.types().spec_of(type)), parts);
  if (kind != Kind::Set && kind != Kind::Map) return {};
  const std::size_t keys = layout(program_.types().element(type)).size();
  const std::size_t values = kind == Kind::Map ? layout(program_.types().value(type)).size() : 0;
  Expr result;
  for (std::size_t at = 0; at + keys + values < parts.size(); at += 1 + keys + values) {
    result = conj(result, domain(program_.types().element(type), parts.subspan(at + 1, keys)));
    if (values == 0) continue;
    result =
        conj(result, domain(program_.types().value(type), parts.subspan(at + 1 + keys, values)));
    // No key stands twice.
    const TypedTerm key = assembled(program_.types().element(type), parts.subspan(at + 1, keys));
    for (std::size_t other = 0; other < at; other += 1 + keys + values) {
      const TypedTerm before =
          assembled(program_.types().element(type), parts.subspan(other + 1, keys));
      const std::array<Expr, 3> both = {parts[at], parts[other], equal(key, before)};
      result = conj(result, pool_.negate(pool_.conj(both)));
    }
  }
  return result;
}

}  // namespace whittle::rebel

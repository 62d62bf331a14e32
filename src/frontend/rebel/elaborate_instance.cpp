// SPDX-License-Identifier: Apache-2.0
// Instances: `this`, `T[key]`, their fields, and where they are in their life cycles.
#include "frontend/rebel/elaborate.h"

#include "base/nearest.h"

namespace whittle::rebel {

Elaborator::Ref Elaborator::reference_of(const TypedTerm& val, bool next) {
  Ref ref;
  ref.spec = program_.types().spec_of(val.type);
  if (user_ != kNone) referred_.insert({user_, ref.spec});
  ref.next = next;
  ref.key = val.a;
  ref.def = val.def;
  const Spec& spec = program_.specs()[ref.spec];
  ref.how = spec.modifier == SpecModifier::External ? Ref::How::External
            : spec.key == kNone                     ? Ref::How::Single
                                                    : Ref::How::Keyed;
  return ref;
}

// The instance that an expression denotes; None: it denotes something else.
Elaborator::Ref Elaborator::reference(const Scope& scope, ExprRef e, bool next) {
  const ModuleAst& module = ast(scope);
  const ExprNode n = module.expr(e);
  Ref ref;
  ref.next = next;
  if (n.kind == ExprKind::This) {
    if (!scope.has_this) {
      error(scope, e, "rebel-055", std::string("'this' has no meaning ") + scope.place,
            "hand the value in as a parameter");
      ref.how = Ref::How::Bad;
      return ref;
    }
    ref.spec = scope.self;
    ref.how = scope.self == kNone      ? Ref::How::Bad
              : scope.instance.valid() ? Ref::How::Instance
                                       : Ref::How::Own;
    return ref;
  }
  if (n.kind == ExprKind::New) {
    if (!scope.next_allowed) {
      error(scope, e, "rebel-050", std::string("'new' has no meaning ") + scope.place);
      ref.how = Ref::How::Bad;
      return ref;
    }
    return reference(scope, n.a, true);
  }
  if (n.kind == ExprKind::Index || n.kind == ExprKind::Word || n.kind == ExprKind::Field) {
    QName name;
    if (!qualified(scope, n.kind == ExprKind::Index ? n.a : e, name)) return ref;
    const std::uint32_t spec = program_.resolve_spec(scope.module, name, true);
    if (spec == kNone) {
      const std::string_view text = program_.names().text(name.simple);
      if (n.kind == ExprKind::Index && (text[0] >= 'A' && text[0] <= 'Z')) {
        program_.resolve_spec(scope.module, name);  // reports
        value(scope, n.b);
        ref.how = Ref::How::Bad;
      }
      return ref;
    }
    program_.resolve_spec(scope.module, name);  // warns about distant imports
    const Spec& target = program_.specs()[spec];
    ref.spec = spec;
    if (user_ != kNone) referred_.insert({user_, spec});
    if (target.key == kNone) {
      ref.how = target.modifier == SpecModifier::External ? Ref::How::External : Ref::How::Single;
      if (ref.how == Ref::How::External) ref.key = number(0);
      if (n.kind == ExprKind::Index) value(scope, n.b);
      return ref;
    }
    if (n.kind != ExprKind::Index) {
      if (target.modifier == SpecModifier::Singleton) {
        // The one instance has the key of the universe; it is found as the single known one.
        error(scope, e, "rebel-056",
              "'" + program_.text(target.name) + "' has a key: say which instance is meant",
              "write " + program_.text(target.name) + "[...]");
      } else {
        error(scope, e, "rebel-056",
              "'" + program_.text(target.name) + "' is a specification, not an instance",
              "write " + program_.text(target.name) + "[key]");
      }
      ref.how = Ref::How::Bad;
      return ref;
    }
    TypedTerm key = value(scope, n.b);
    if (key.type == RType(Kind::Unknown)) {
      ref.how = Ref::How::Bad;
      return ref;
    }
    if (!fits(key, key_type(spec))) {
      error(scope, n.b, "rebel-051",
            "the key of " + program_.text(target.name) + " is " +
                program_.types().to_string(key_type(spec)) + ", but this is " +
                program_.types().to_string(key.type));
      ref.how = Ref::How::Bad;
      return ref;
    }
    ref.key = key.a;
    ref.def = key.def;
    ref.how = target.modifier == SpecModifier::External ? Ref::How::External : Ref::How::Keyed;
    return ref;
  }
  return ref;
}

TypedTerm Elaborator::key_value(const Scope& scope, const Ref& ref) {
  TypedTerm val;
  if (ref.how == Ref::How::Bad || ref.spec == kNone) return val;
  const Spec& spec = program_.specs()[ref.spec];
  val.type = program_.types().spec(ref.spec);
  val.def = ref.def;
  if (ref.key.valid()) {
    val.a = ref.key;
  } else if (spec.key == kNone) {
    val.a = number(0);
  } else {
    val.a = field_value(ref, spec.key, scope.instance).a;
  }
  return val;
}

TypedTerm Elaborator::field(const Scope& scope, const Ref& ref, Name name, Extent at) {
  const Spec& spec = program_.specs()[ref.spec];
  const auto it = spec.field_index.find(name);
  if (it == spec.field_index.end()) {
    NearestName near(program_.names().text(name));
    std::string known;
    for (const Field& f : spec.fields) {
      near.offer(program_.names().text(f.name));
      if (known.size() < 80) known += (known.empty() ? "it has: " : ", ") + program_.text(f.name);
    }
    std::string hint = near.result() ? "did you mean '" + *near.result() + "'?" : known;
    // A prime as in other languages, where the name without it is a field.
    const std::string_view written = program_.names().text(name);
    const bool prime =
        near.result() && written.ends_with('\'') && written.starts_with(*near.result());
    if (prime) hint = "write 'new this." + *near.result() + "' for the value after the step";
    mark_absence(program_.diagnostics().report("rebel-057", ast(scope).span(at),
                                               "specification '" + program_.text(spec.name) +
                                                   "' has no field '" + std::string(written) + "'",
                                               hint),
                 prime ? "" : near.result().value_or(""));
    return unknown();
  }
  program_.use(spec.fields[it->second].name_at, scope.module, at, name);
  if (ref.next) seen_.next = true;
  if (ref.how == Ref::How::Own && !ref.next && initialised_ == 0)
    unguarded_.try_emplace(it->second, ast(scope).span(at));
  if (ref.how == Ref::How::Own) {
    (ref.next ? seen_.written : seen_.read).push_back(it->second);
  } else if (ref.how == Ref::How::Instance && it->second != spec.key) {
    seen_.read.push_back(it->second);
  }
  TypedTerm val = field_value(ref, it->second, scope.instance);
  val.def = conj(ref.def, val.def);
  const bool other = ref.how == Ref::How::Keyed || ref.how == Ref::How::Single;
  if (scope.goal && other && it->second != spec.key && spec.initial != kNone) {
    val.def = conj(val.def, pool_.negate(at_state(scope, ref, spec.initial)));
  }
  return val;
}

VariableId Elaborator::external_field(std::uint32_t spec, std::uint32_t f, std::size_t part) {
  const auto [it, fresh] =
      external_.try_emplace({spec, f, static_cast<std::uint32_t>(part)}, VariableId());
  if (fresh) {
    const Spec& s = program_.specs()[spec];
    const auto parts = layout(s.fields[f].type);
    const Type type = pool_.array_type(Type::integer(), parts[part].second);
    it->second = network_.add_variable(
        program_.text(s.name) + "." + program_.text(s.fields[f].name) + parts[part].first, type,
        MachineId(), s.fields[f].origin);
  }
  return it->second;
}

TypedTerm Elaborator::field_value(const Ref& ref, std::uint32_t f, InstanceId instance) {
  const Spec& spec = program_.specs()[ref.spec];
  const RType type = spec.fields[f].type;
  if (type == RType(Kind::Unknown)) return unknown();
  std::vector<Expr> parts;
  if (ref.how == Ref::How::External) {
    const std::size_t count = layout(type).size();
    for (std::size_t i = 0; i < count; ++i) {
      const VariableId array = external_field(ref.spec, f, i);
      parts.push_back(pool_.select(pool_.symbol(network_.variable(array).current), ref.key));
    }
    if (program_.types().is_collection(type)) set_inexact();  // it may have any size
    return assembled(type, parts);
  }
  const bool is_key = f == spec.key;
  if (ref.how == Ref::How::Instance && is_key) {
    const Instance& one = network_.instance(instance);
    const VariableId var = nets_[ref.spec].vars[f][0];
    parts.push_back(pool_.constant(one.key, network_.variable(var).type));
    return assembled(type, parts);
  }
  for (VariableId var : nets_[ref.spec].vars[f]) {
    switch (ref.how) {
      case Ref::How::Own:
        parts.push_back(pool_.symbol(ref.next && !is_key ? network_.variable(var).next
                                                         : network_.variable(var).current));
        break;
      case Ref::How::Instance:
        parts.push_back(pool_.symbol(network_.of_instance(instance, var)));
        break;
      case Ref::How::Single:
        parts.push_back(pool_.apply(
            ref.next && !is_key ? network_.remote_next(var) : network_.remote(var), {}));
        break;
      default: {
        const SymbolId symbol =
            ref.next && !is_key ? network_.remote_next(var) : network_.remote(var);
        parts.push_back(pool_.apply(symbol, std::span<const Expr>(&ref.key, 1)));
      }
    }
  }
  return assembled(type, parts);
}

// ----- `a.b[c].d`, under `new` or not

TypedTerm Elaborator::chain(const Scope& scope, ExprRef e, bool next) {
  const ExprNode n = ast(scope).expr(e);
  switch (n.kind) {
    case ExprKind::Word: {
      if (is_local(scope, n.a) || builtin_word(program_.names().text(n.a))) {
        return word(scope, e, next);
      }
      const Ref ref = reference(scope, e, next);
      if (ref.how != Ref::How::None) return key_value(scope, ref);
      return word(scope, e, next);
    }
    case ExprKind::This:
      return key_value(scope, reference(scope, e, next));
    case ExprKind::New:
      return value(scope, e);
    case ExprKind::Field: {
      const Ref ref = reference(scope, n.a, next);
      if (ref.how == Ref::How::Bad) return unknown();
      if (ref.how != Ref::How::None) return field(scope, ref, n.b, n.at);
      const ExprKind inner = ast(scope).expr(n.a).kind;
      // In `new this.owner.name` the owner is read before the step and its name after it.
      const bool through =
          next && (inner == ExprKind::Field || inner == ExprKind::Index || inner == ExprKind::Word);
      if (through) {
        const Seen before = seen_;
        const TypedTerm object = chain(scope, n.a, false);
        if (program_.types().kind(object.type) == Kind::Spec) {
          return accessor(scope, e, object, true);
        }
        seen_ = before;
      }
      const TypedTerm object = next ? chain(scope, n.a, true) : value(scope, n.a);
      return accessor(scope, e, object, next);
    }
    case ExprKind::Index: {
      const Ref ref = reference(scope, e, next);
      if (ref.how != Ref::How::None) return key_value(scope, ref);
      const TypedTerm object = next ? chain(scope, n.a, true) : value(scope, n.a);
      const TypedTerm key = value(scope, n.b);
      return lookup(scope, e, object, key);
    }
    default:
      if (next) {
        error(scope, e, "rebel-050", "'new' goes with a field of an instance",
              "for example: new this.balance == this.balance + amount");
        return unknown();
      }
      return value(scope, e);
  }
}

TypedTerm Elaborator::accessor(const Scope& scope, ExprRef e, const TypedTerm& object, bool next) {
  const ExprNode& n = ast(scope).expr(e);
  const std::string_view name = program_.names().text(n.b);
  std::vector<std::string> known;
  auto is = [&](const char* candidate) {
    known.emplace_back(candidate);
    return name == candidate;
  };
  switch (program_.types().kind(object.type)) {
    case Kind::Unknown:
      return unknown();
    case Kind::Money:
      if (is("currency")) return simple(Kind::Currency, object.a, object.def);
      if (is("amount")) return simple(Kind::Integer, object.b, object.def);
      if (name == "cur") {
        program_.diagnostics().report("rebel-058", ast(scope).span(n.at),
                                      "'cur' is an old name of 'currency'", "write 'currency'");
        return simple(Kind::Currency, object.a, object.def);
      }
      break;
    case Kind::Iban:
      if (is("countryCode")) return simple(Kind::String, encoder_.country(object.a), object.def);
      if (is("checksum")) return simple(Kind::Integer, encoder_.checksum(object.a), object.def);
      if (is("accountNumber")) return simple(Kind::String, encoder_.account(object.a), object.def);
      break;
    case Kind::DateTime:
      if (is("date")) return simple(Kind::Date, object.a, object.def);
      if (is("time")) return simple(Kind::Time, object.b, object.def);
      break;
    case Kind::Date:
      if (is("day")) return simple(Kind::Integer, encoder_.civil(object.a).day, object.def);
      if (is("month")) return simple(Kind::Integer, encoder_.civil(object.a).month, object.def);
      if (is("year")) return simple(Kind::Integer, encoder_.civil(object.a).year, object.def);
      break;
    case Kind::Time: {
      auto part = [&](long divide_by, long modulo) {
        const Expr whole = pool_.make(Op::IDiv, {object.a, number(divide_by)});
        return simple(Kind::Integer,
                      modulo == 0 ? whole : pool_.make(Op::Mod, {whole, number(modulo)}),
                      object.def);
      };
      if (is("hour")) return part(3600, 0);
      if (is("minutes")) return part(60, 60);
      if (is("seconds")) return part(1, 60);
      break;
    }
    case Kind::Spec: {
      const Ref ref = reference_of(object, next);
      return field(scope, ref, n.b, n.at);
    }
    default:
      break;
  }
  std::string hint;
  if (const auto near = nearest(name, known)) {
    hint = "did you mean '" + *near + "'?";
  } else if (!known.empty()) {
    hint = "it has:";
    for (const std::string& one : known) hint += " " + one;
  }
  error(scope, e, "rebel-059",
        program_.types().to_string(object.type) + " has no part '" + std::string(name) + "'", hint);
  return unknown();
}

// ----- where an instance is in its life

Expr Elaborator::exists(const Ref& ref) {
  if (ref.how == Ref::How::Own || ref.how == Ref::How::Instance) return {};
  const SymbolId known = network_.known(nets_[ref.spec].machine);
  if (ref.how == Ref::How::Single) return pool_.apply(known, {});
  return pool_.apply(known, std::span<const Expr>(&ref.key, 1));
}

Expr Elaborator::at_state(const Scope& scope, const Ref& ref, std::uint32_t state) {
  const LocationId location = nets_[ref.spec].states[state];
  switch (ref.how) {
    case Ref::How::Own:
      return pool_.symbol(ref.next ? network_.at_next(location) : network_.at(location));
    case Ref::How::Instance:
      return pool_.symbol(network_.at_instance(scope.instance, location));
    case Ref::How::Single:
      return pool_.apply(
          ref.next ? network_.remote_at_next(location) : network_.remote_at(location), {});
    default:
      return pool_.apply(
          ref.next ? network_.remote_at_next(location) : network_.remote_at(location),
          std::span<const Expr>(&ref.key, 1));
  }
}

TypedTerm Elaborator::state_predicate(const Scope& scope, ExprRef e) {
  const ModuleAst& module = ast(scope);
  const ExprNode n = module.expr(e);
  Ref ref = reference(scope, n.a, false);
  if (ref.how == Ref::How::None) {
    const TypedTerm object = value(scope, n.a);
    if (program_.types().kind(object.type) == Kind::Spec) {
      ref = reference_of(object, false);
    } else {
      if (object.type != RType(Kind::Unknown)) {
        error(scope, n.a, "rebel-056", "this is not an instance of a specification",
              "write T[key] with the specification T, or 'this'");
      }
      return unknown();
    }
  }
  if (ref.how == Ref::How::Bad) return unknown();
  if (ref.next) seen_.next = true;
  const Spec& spec = program_.specs()[ref.spec];
  if (ref.how == Ref::How::External) {
    if (n.kind == ExprKind::Instate || n.kind == ExprKind::Finalized) {
      error(scope, e, "rebel-060",
            "the life cycle of external specification '" + program_.text(spec.name) +
                "' is not known",
            "only 'initialized' can be asked");
      return unknown();
    }
    VariableId& started = nets_[ref.spec].started;
    if (!started.valid()) {
      started = network_.add_variable(program_.text(spec.name) + ".initialized",
                                      pool_.array_type(Type::integer(), Type::boolean()),
                                      MachineId(), spec.origin);
    }
    return boolean(pool_.select(pool_.symbol(network_.variable(started).current), ref.key),
                   ref.def);
  }
  if (n.kind == ExprKind::Initialized) {
    if (spec.initial == kNone) return unknown();
    const Expr begun = pool_.negate(at_state(scope, ref, spec.initial));
    return boolean(conj(exists(ref), begun), ref.def);
  }
  std::vector<Expr> some;
  if (n.kind == ExprKind::Finalized) {
    for (std::uint32_t s = 0; s < spec.states.size(); ++s) {
      if (spec.states[s].final) some.push_back(at_state(scope, ref, s));
    }
    return boolean(pool_.disj(some), ref.def);
  }
  bool bad = false;
  for (std::uint32_t i = 0; i < module.list_size(n.b); ++i) {
    const ExprRef state = module.list(n.b)[i];
    const Name name = module.expr(state).a;
    const auto it = spec.state_index.find(name);
    if (it == spec.state_index.end()) {
      NearestName near(program_.names().text(name));
      std::string known;
      for (const LifeState& s : spec.states) {
        near.offer(program_.names().text(s.name));
        if (known.size() < 80) known += (known.empty() ? "it has: " : ", ") + program_.text(s.name);
      }
      mark_absence(error(scope, state, "rebel-061",
                         "specification '" + program_.text(spec.name) + "' has no state '" +
                             program_.text(name) + "'",
                         near.result() ? "did you mean '" + *near.result() + "'?" : known),
                   near.result().value_or(""));
      bad = true;
      continue;
    }
    program_.use(spec.states[it->second].origin, scope.module, module.expr(state).at, name);
    some.push_back(at_state(scope, ref, it->second));
  }
  if (bad) return unknown();
  return boolean(pool_.disj(some), ref.def);
}

}  // namespace whittle::rebel

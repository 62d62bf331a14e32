// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/evaluate.h"

#include <algorithm>
#include <array>

namespace whittle::rebel {

namespace {

constexpr int kDeepest = 2000;  // of expressions in each other, for the C++ stack

Datum undefined() { return {}; }

}  // namespace

std::uint32_t World::find(std::uint32_t spec, const Datum& key) const {
  for (std::uint32_t i = 0; i < instances.size(); ++i) {
    if (instances[i].spec == spec && same(instances[i].key, key)) return i;
  }
  return kNone;
}

Evaluator::Depth::Depth(Evaluator& evaluator) : evaluator_(evaluator) {
  if (++evaluator_.depth_ > kDeepest) {
    --evaluator_.depth_;
    throw Gap{"an expression is nested too deeply"};
  }
}

Datum Evaluator::wanted(Datum datum, RType type) const {
  const TypeTable& types = program_.types();
  const Kind kind = types.kind(type);
  if (kind == Kind::Integer && datum.as_integer) return Datum::integer(*datum.as_integer);
  datum.spec = kind == Kind::Spec ? types.spec_of(type) : kNone;
  datum.as_integer.reset();
  return datum;
}

Datum Evaluator::value(const Place& place, ExprRef e) {
  const Depth depth(*this);
  const ExprNode n = ast(place).expr(e);
  switch (n.kind) {
    case ExprKind::Bool:
    case ExprKind::Int:
    case ExprKind::Percent:
    case ExprKind::Money:
    case ExprKind::String:
    case ExprKind::Date:
    case ExprKind::Time:
    case ExprKind::DateTime:
    case ExprKind::Term:
    case ExprKind::Now:
      return literal(place, e);
    case ExprKind::Word:
    case ExprKind::This:
    case ExprKind::Field:
    case ExprKind::Index:
      return chain(place, e, false);
    case ExprKind::New:
      return chain(place, n.a, true);
    case ExprKind::Call:
      return call(place, e);
    case ExprKind::Interval:
      return range(place, e);
    case ExprKind::MapOf:
      return map_of(place, e);
    case ExprKind::Set:
      return set_of(place, e);
    case ExprKind::Comprehension:
    case ExprKind::Forall:
    case ExprKind::Exists:
      return quantified(place, e);
    case ExprKind::Card: {
      const Datum set = value(place, n.a);
      if (!set.defined()) return undefined();
      if (!set.is_collection()) throw Gap{"the size of something that is no set"};
      return Datum::integer(Integer(set.elements->size()));
    }
    case ExprKind::Not: {
      const Datum a = value(place, n.a);
      return a.defined() ? Datum::boolean(!a.truth) : undefined();
    }
    case ExprKind::Neg: {
      Datum a = value(place, n.a);
      a.number = -a.number;
      a.as_integer.reset();
      return a;
    }
    case ExprKind::Cond: {
      const Datum condition = value(place, n.a);
      if (!condition.defined()) return undefined();
      return value(place, condition.truth ? n.b : n.c);
    }
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Implies:
      return logic(place, e);
    case ExprKind::In:
      return membership(place, e);
    case ExprKind::Initialized:
    case ExprKind::Finalized:
    case ExprKind::Instate:
      return life_cycle(place, e);
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::Gt:
    case ExprKind::Ge:
    case ExprKind::Eq:
    case ExprKind::Ne:
      return binary(n.kind, value(place, n.a), value(place, n.b));
    case ExprKind::Inf:
    case ExprKind::Any:
    case ExprKind::Tariff:
    case ExprKind::It:
    case ExprKind::Iff:
    case ExprKind::Always:
    case ExprKind::Eventually:
    case ExprKind::NextState:
    case ExprKind::Once:
    case ExprKind::Historically:
    case ExprKind::Until:
    case ExprKind::WeakUntil:
    case ExprKind::Release:
    case ExprKind::Since:
    case ExprKind::Bad:
      break;
  }
  throw Gap{"an expression that whittle leaves out"};
}

// The left side decides whether the right one is looked at.
Datum Evaluator::logic(const Place& place, ExprRef e) {
  const ExprNode n = ast(place).expr(e);
  const Datum left = value(place, n.a);
  if (!left.defined()) return undefined();
  if (n.kind == ExprKind::And && !left.truth) return Datum::boolean(false);
  if (n.kind == ExprKind::Or && left.truth) return Datum::boolean(true);
  if (n.kind == ExprKind::Implies && !left.truth) return Datum::boolean(true);
  return value(place, n.b);
}

// One of the cases applies, and all that do hold.
Datum Evaluator::statement(const Place& place, const StmtAst& stmt) {
  if (!stmt.is_case) return value(place, stmt.expr);
  const ModuleAst& module = ast(place);
  const Datum looked_at = value(place, stmt.expr);
  if (!looked_at.defined()) return undefined();
  bool applies = false;
  for (std::uint32_t i = 0; i < stmt.cases.count; ++i) {
    const CaseAst& one = module.cases[stmt.cases.first + i];
    if (!comparison(ExprKind::Eq, looked_at, value(place, one.literal)).is_true()) continue;
    applies = true;
    if (!statement(place, module.stmts[one.then]).is_true()) return Datum::boolean(false);
  }
  return applies ? Datum::boolean(true) : undefined();
}

// ----- literals

const Datum& Evaluator::now() const {
  if (!world_.now.defined()) throw Gap{"the trace does not tell what time it is"};
  return world_.now;
}

Datum Evaluator::date(const Place&, const ExprNode& n) const {
  Date date;
  date.day = static_cast<int>(n.a);
  date.month = static_cast<int>(n.b);
  date.year = n.c == kNone ? now().date.year : Integer(static_cast<long>(n.c));
  if (date.day > days_in_month(date.year, date.month)) {
    throw Gap{"a day that the month does not have"};
  }
  return Datum::of_date(date);
}

Datum Evaluator::literal(const Place& place, ExprRef e) {
  const ModuleAst& module = ast(place);
  const ExprNode& n = module.expr(e);
  const std::string_view written = text(place, n.at);
  const auto number = [](std::string_view digits) {
    const auto parsed = Integer::parse(digits);
    if (!parsed) throw Gap{"a number that cannot be read"};
    return *parsed;
  };
  switch (n.kind) {
    case ExprKind::Bool:
      return Datum::boolean(n.a != 0);
    case ExprKind::Int:
      return Datum::integer(number(written));
    case ExprKind::Percent:
      return Datum::of(Datum::Sort::Percentage, number(written.substr(0, written.size() - 1)));
    case ExprKind::Money:
      return Datum::of(Datum::Sort::Money,
                       minor_units(text(place, {n.b, n.c}), program_.three_decimals()),
                       program_.text(n.a));
    case ExprKind::String:
      return Datum::of(Datum::Sort::String, Integer(0),
                       std::string(written.substr(1, written.size() - 2)));
    case ExprKind::Date:
      return date(place, n);
    case ExprKind::Time:
      return Datum::of(Datum::Sort::Time, Integer(static_cast<long>(n.a)));
    case ExprKind::DateTime: {
      Datum result = date(place, module.expr(n.a));
      result.sort = Datum::Sort::DateTime;
      result.number = Integer(static_cast<long>(module.expr(n.b).a));
      return result;
    }
    case ExprKind::Term: {
      constexpr std::array<const char*, 5> kUnits = {"Day", "Week", "Month", "Quarter", "Year"};
      return Datum::of(Datum::Sort::Term, number(text(place, module.expr(n.a).at)), kUnits.at(n.b));
    }
    default:
      return now();
  }
}

// ----- names

bool Evaluator::is_local(const Place& place, Name name) const {
  const auto is_it = [&](const auto& local) { return local.first == name; };
  if (std::any_of(place.locals.begin(), place.locals.end(), is_it)) return true;
  if (place.config != nullptr) {
    for (const Configured& one : *place.config) {
      if (one.name == name) return true;
    }
  }
  return place.self != kNone && spec_of_self(place).field_index.contains(name);
}

std::optional<Datum> Evaluator::builtin(std::string_view word) {
  constexpr std::array<std::string_view, 17> kWords = {
      "Daily", "Weekly",   "Monthly",    "Quarterly", "Yearly",  "Day",
      "Week",  "Month",    "Quarter",    "Year",      "EURIBOR", "AIRBOR",
      "LIBOR", "INGBASIS", "LIMITBASED", "EUR",       "USD"};
  const bool currency = word.starts_with("CUR_") && word.size() == 7;
  if (currency || std::find(kWords.begin(), kWords.end(), word) != kWords.end()) {
    return Datum::word(std::string(word));
  }
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (word.size() < 5 || !capital(word[0]) || !capital(word[1]) || !digit(word[2]) ||
      !digit(word[3])) {
    return std::nullopt;
  }
  const bool iban =
      std::all_of(word.begin() + 4, word.end(), [&](char c) { return capital(c) || digit(c); });
  if (!iban) return std::nullopt;
  return Datum::of(Datum::Sort::Iban, Integer(0), std::string(word));
}

// Parameters and bound variables, then the configuration, then fields, then words of the language.
std::optional<Datum> Evaluator::named(const Place& place, Name name, bool next) {
  for (std::size_t i = place.locals.size(); i-- > 0;) {
    if (place.locals[i].first == name) return place.locals[i].second;
  }
  if (place.config != nullptr) {
    for (const Configured& one : *place.config) {
      if (one.name == name) return one.value;
    }
  }
  if (place.self != kNone && spec_of_self(place).field_index.contains(name)) {
    const World::Entity& self = world_.instances[place.self];
    return field(place, {self.spec, self.key, true, next}, name);
  }
  return builtin(program_.names().text(name));
}

bool Evaluator::qualified(const Place& place, ExprRef e, QName& name) {
  const ModuleAst& module = ast(place);
  std::vector<Name> parts;
  name.at = module.expr(e).at;
  while (module.expr(e).kind == ExprKind::Field) {
    parts.push_back(module.expr(e).b);
    e = module.expr(e).a;
  }
  if (module.expr(e).kind != ExprKind::Word || is_local(place, module.expr(e).a)) return false;
  std::string full = program_.text(module.expr(e).a);
  for (std::size_t i = parts.size(); i-- > 0;) full += "." + program_.text(parts[i]);
  name.simple = parts.empty() ? module.expr(e).a : parts.front();
  name.full = parts.empty() ? name.simple : program_.names().intern_copy(std::move(full));
  return true;
}

// ----- instances

std::optional<Evaluator::Reference> Evaluator::reference(const Place& place, ExprRef e, bool next) {
  const ExprNode n = ast(place).expr(e);
  if (n.kind == ExprKind::New) return reference(place, n.a, true);
  if (n.kind == ExprKind::This) {
    if (place.self == kNone) throw Gap{"'this' where there is no instance"};
    const World::Entity& self = world_.instances[place.self];
    return Reference{self.spec, self.key, true, next};
  }
  if (n.kind != ExprKind::Index && n.kind != ExprKind::Word && n.kind != ExprKind::Field)
    return std::nullopt;
  QName name;
  if (!qualified(place, n.kind == ExprKind::Index ? n.a : e, name)) return std::nullopt;
  if (n.kind == ExprKind::Word && builtin(program_.names().text(n.a))) return std::nullopt;
  const std::uint32_t spec = program_.resolve_spec(place.module, name, true);
  if (spec == kNone) return std::nullopt;
  Reference result{spec, Datum::integer(Integer(0)), false, next};
  if (program_.specs()[spec].key == kNone) return result;
  if (n.kind != ExprKind::Index) throw Gap{"a specification without a key"};
  result.key = value(place, n.b);
  return result;
}

Datum Evaluator::as_value(const Reference& reference) const {
  Datum result = reference.key;
  result.spec = reference.spec;
  return result;
}

Datum Evaluator::field(const Place& place, const Reference& reference, Name name) {
  const Spec& spec = program_.specs()[reference.spec];
  const auto it = spec.field_index.find(name);
  if (it == spec.field_index.end()) throw Gap{"a field that does not exist"};
  if (!reference.key.defined()) return undefined();
  if (spec.modifier == SpecModifier::External) {
    throw Gap{"a field of external specification '" + program_.text(spec.name) + "'"};
  }
  const std::uint32_t instance = world_.find(reference.spec, reference.key);
  if (instance == kNone) return undefined();
  const Snapshot* state = reference.next ? place.after : place.before;
  if (state == nullptr) throw Gap{"a state that cannot be seen"};
  if (place.goal && !reference.own && it->second != spec.key &&
      state->states[instance] == spec.initial) {
    return undefined();
  }
  return state->fields[instance][it->second];
}

// `a.b[c].d`, under `new` or not.
Datum Evaluator::chain(const Place& place, ExprRef e, bool next) {
  const Depth depth(*this);
  const ExprNode n = ast(place).expr(e);
  switch (n.kind) {
    case ExprKind::Word: {
      if (auto found = named(place, n.a, next)) return *found;
      if (const auto found = reference(place, e, next)) return as_value(*found);
      throw Gap{"'" + program_.text(n.a) + "', which means nothing here"};
    }
    case ExprKind::This:
      return as_value(*reference(place, e, next));
    case ExprKind::Field: {
      if (const auto found = reference(place, n.a, next)) return field(place, *found, n.b);
      const std::string_view name = program_.names().text(n.b);
      const auto of = [&](const Datum& object) {
        if (object.spec == kNone) return part(object, name);
        return field(place, {object.spec, object, false, next}, n.b);
      };
      const ExprKind inner = ast(place).expr(n.a).kind;
      if (next &&
          (inner == ExprKind::Field || inner == ExprKind::Index || inner == ExprKind::Word)) {
        // In `new this.owner.name` the owner is read before the step and its name after it.
        const Datum object = chain(place, n.a, false);
        if (object.spec != kNone) return of(object);
        const Datum changed = chain(place, n.a, true);
        return changed.spec != kNone ? undefined() : part(changed, name);
      }
      return of(next ? chain(place, n.a, true) : value(place, n.a));
    }
    case ExprKind::Index: {
      if (const auto found = reference(place, e, next)) return as_value(*found);
      const Datum map = next ? chain(place, n.a, true) : value(place, n.a);
      return lookup(map, value(place, n.b));
    }
    default:
      return value(place, e);
  }
}

Datum Evaluator::part(const Datum& object, std::string_view name) const {
  const auto clock = [&](long unit, long modulo) {
    return Datum::integer(
        euclidean_mod(euclidean_div(object.number, Integer(unit)), Integer(modulo)));
  };
  switch (object.sort) {
    case Datum::Sort::Undefined:
      return undefined();
    case Datum::Sort::Money:
      if (name == "amount") return Datum::integer(object.number);
      return Datum::word(object.text);
    case Datum::Sort::Date:
      if (name == "day") return Datum::integer(Integer(object.date.day));
      if (name == "month") return Datum::integer(Integer(object.date.month));
      return Datum::integer(object.date.year);
    case Datum::Sort::Time:
      if (name == "hour") return clock(3600, 24);
      if (name == "minutes") return clock(60, 60);
      return clock(1, 60);
    case Datum::Sort::DateTime:
      if (name == "date") return Datum::of_date(object.date);
      return Datum::of(Datum::Sort::Time, object.number);
    case Datum::Sort::Iban: {
      const auto string = [](std::string text) {
        return Datum::of(Datum::Sort::String, Integer(0), std::move(text));
      };
      if (name == "countryCode") return string(object.text.substr(0, 2));
      if (name == "checksum") {
        return Datum::integer(Integer::parse(object.text.substr(2, 2)).value_or(Integer(0)));
      }
      const std::string account = object.text.substr(4);
      // Accounts that no text names are shown by numbers of their own.
      if (account.starts_with("BANK") || account.starts_with("NEG")) {
        throw Gap{"the account number of an IBAN that the model does not name"};
      }
      return string(account);
    }
    default:
      throw Gap{"a part '" + std::string(name) + "'"};
  }
}

Datum Evaluator::life_cycle(const Place& place, ExprRef e) {
  const ModuleAst& module = ast(place);
  const ExprNode n = module.expr(e);
  auto who = reference(place, n.a, false);
  if (!who) {
    const Datum object = value(place, n.a);
    if (!object.defined()) return undefined();
    if (object.spec == kNone) throw Gap{"the life cycle of something that is no instance"};
    who = Reference{object.spec, object, false, false};
  }
  if (!who->key.defined()) return undefined();
  const Spec& spec = program_.specs()[who->spec];
  if (spec.modifier == SpecModifier::External) {
    throw Gap{"whether an instance of external specification '" + program_.text(spec.name) +
              "' is initialised"};
  }
  const Snapshot* state = who->next ? place.after : place.before;
  if (state == nullptr) throw Gap{"a state that cannot be seen"};
  const std::uint32_t instance = world_.find(who->spec, who->key);
  if (instance == kNone) return Datum::boolean(false);
  const std::uint32_t at = state->states[instance];
  if (n.kind == ExprKind::Initialized) return Datum::boolean(at != spec.initial);
  if (n.kind == ExprKind::Finalized) return Datum::boolean(spec.states[at].final);
  for (std::uint32_t i = 0; i < module.list_size(n.b); ++i) {
    if (module.expr(module.list(n.b)[i]).a == spec.states[at].name) return Datum::boolean(true);
  }
  return Datum::boolean(false);
}

// ----- functions

Datum Evaluator::call(const Place& place, ExprRef e) {
  const ModuleAst& module = ast(place);
  const ExprNode n = module.expr(e);
  const ExprNode& callee = module.expr(n.a);
  Decl function;
  if (callee.kind == ExprKind::Word && place.config != nullptr) {
    for (const Configured& one : *place.config) {
      if (one.name == callee.a && one.is_function) function = one.function;
    }
  }
  if (!function.found()) {
    QName name;
    name.simple = name.full = callee.a;
    name.at = callee.at;
    if (callee.kind != ExprKind::Word && !qualified(place, n.a, name)) {
      throw Gap{"a call of something that is no function"};
    }
    function = program_.resolve(DeclKind::Function, place.module, name, true);
  }
  if (!function.found()) throw Gap{"a function that does not exist"};
  const ModuleAst& its_module = program_.module(function.module).ast;
  const FunctionAst& f = its_module.functions[function.index];
  if (module.list_size(n.b) != f.params.count) throw Gap{"a call with too few arguments"};
  Place inner;
  inner.module = function.module;
  // A function sees no `this`, but the fields of references that it is given.
  inner.before = place.before;
  for (std::uint32_t i = 0; i < f.params.count; ++i) {
    const ParamAst& param = its_module.params[f.params.first + i];
    inner.locals.emplace_back(param.name,
                              wanted(value(place, module.list(n.b)[i]),
                                     program_.resolve_type(function.module, param.type)));
  }
  return wanted(body(inner, its_module.stmts[f.body]),
                program_.resolve_type(function.module, f.type));
}

// The value of the first case that applies.
Datum Evaluator::body(const Place& place, const StmtAst& stmt) {
  if (!stmt.is_case) return value(place, stmt.expr);
  const ModuleAst& module = ast(place);
  const Datum looked_at = value(place, stmt.expr);
  if (!looked_at.defined()) return undefined();
  for (std::uint32_t i = 0; i < stmt.cases.count; ++i) {
    const CaseAst& one = module.cases[stmt.cases.first + i];
    if (comparison(ExprKind::Eq, looked_at, value(place, one.literal)).is_true()) {
      return body(place, module.stmts[one.then]);
    }
  }
  return undefined();
}

}  // namespace whittle::rebel

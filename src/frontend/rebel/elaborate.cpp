// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/elaborate.h"

#include <algorithm>
#include <array>

#include "base/nearest.h"
#include "expr/traverse.h"

namespace whittle::rebel {

Elaborator::Elaborator(Program& program, Network& network, Encoder& encoder,
                       std::vector<SpecNet>& nets, Capacities capacities)
    : program_(program),
      network_(network),
      encoder_(encoder),
      pool_(network.pool()),
      nets_(nets),
      capacities_(std::move(capacities)) {}

Diagnostic& Elaborator::error(const Scope& scope, ExprRef e, std::string_view id,
                              std::string message, std::string hint) {
  const ModuleAst& module = ast(scope);
  return program_.diagnostics().report(id, module.span(module.expr(e).at), std::move(message),
                                       std::move(hint));
}

TypedTerm Elaborator::simple(Kind kind, Expr a, Expr def) {
  TypedTerm val;
  val.type = kind;
  val.a = a;
  val.def = def;
  return val;
}

Expr Elaborator::conj(Expr a, Expr b) {
  if (!a.valid()) return b;
  if (!b.valid()) return a;
  return pool_.conj(a, b);
}

RType Elaborator::key_type(std::uint32_t spec) const {
  const Spec& s = program_.specs()[spec];
  return s.key == kNone ? RType(Kind::Integer) : s.fields[s.key].type;
}

bool Elaborator::mentions_next(Expr e) const {
  for (SymbolId symbol : symbols(pool_, e)) {
    const RoleKind kind = network_.role(symbol).kind;
    if (kind == RoleKind::Next || kind == RoleKind::AtNext || kind == RoleKind::RemoteNext ||
        kind == RoleKind::RemoteAtNext) {
      return true;
    }
  }
  return false;
}

// ----- dispatch

TypedTerm Elaborator::value(const Scope& scope, ExprRef e) {
  const ExprNode n = ast(scope).expr(e);
  switch (n.kind) {
    case ExprKind::Bool:
    case ExprKind::Int:
    case ExprKind::Inf:
    case ExprKind::Percent:
    case ExprKind::Money:
    case ExprKind::String:
    case ExprKind::Date:
    case ExprKind::Time:
    case ExprKind::DateTime:
    case ExprKind::Term:
    case ExprKind::Now:
    case ExprKind::Any:
    case ExprKind::Tariff:
    case ExprKind::It:
      return literal(scope, e);
    case ExprKind::Word:
    case ExprKind::This:
    case ExprKind::Field:
    case ExprKind::Index:
      return chain(scope, e, false);
    case ExprKind::New:
      if (!scope.next_allowed) {
        error(scope, e, "rebel-050", std::string("'new' has no meaning ") + scope.place,
              "there is only one state to speak about");
        return unknown();
      }
      return chain(scope, n.a, true);
    case ExprKind::Call:
      return call(scope, e);
    case ExprKind::Interval:
      return interval(scope, e);
    case ExprKind::MapOf:
      return map_literal(scope, e);
    case ExprKind::Set:
      return set_literal(scope, e);
    case ExprKind::Comprehension:
      return comprehension(scope, e);
    case ExprKind::Forall:
    case ExprKind::Exists:
      return quantified(scope, e);
    case ExprKind::Card:
      return cardinality(scope, e);
    case ExprKind::Not:
    case ExprKind::Neg:
      return unary(scope, e);
    case ExprKind::Cond:
      return conditional(scope, e);
    case ExprKind::Implies:
      return implications(scope, e);
    case ExprKind::In:
      return membership(scope, e);
    case ExprKind::Initialized:
    case ExprKind::Finalized:
    case ExprKind::Instate:
      return state_predicate(scope, e);
    case ExprKind::Iff:
      return equivalence(scope, e);
    case ExprKind::Always:
    case ExprKind::Eventually:
    case ExprKind::NextState:
    case ExprKind::Once:
    case ExprKind::Historically:
    case ExprKind::Until:
    case ExprKind::WeakUntil:
    case ExprKind::Release:
    case ExprKind::Since:
      error(scope, e, "ltl-002", "this is about runs; a value is needed here",
            "temporal operators are joined by 'not', '&&', '||', '->', '<->' and by each other");
      return unknown();
    case ExprKind::Bad:
      return unknown();
    default:
      return binary_chain(scope, e);
  }
}

Expr Elaborator::condition(const Scope& scope, ExprRef e) {
  const TypedTerm val = typed(scope, e, Kind::Boolean, "a condition");
  return val.a.valid() ? conj(val.def, val.a) : Expr();
}

TypedTerm Elaborator::statement(const Scope& scope, const StmtAst& stmt) {
  if (!stmt.is_case) return typed(scope, stmt.expr, Kind::Boolean, "a condition");
  // Every case that applies must hold, and one must apply.
  const ModuleAst& module = ast(scope);
  const TypedTerm looked_at = value(scope, stmt.expr);
  std::vector<Expr> some, all;
  bool bad = looked_at.type == RType(Kind::Unknown);
  for (std::uint32_t i = 0; i < stmt.cases.count; ++i) {
    const CaseAst& one = module.cases[stmt.cases.first + i];
    TypedTerm literal = value(scope, one.literal);
    const TypedTerm then = statement(scope, module.stmts[one.then]);
    TypedTerm left = looked_at;
    if (bad || literal.type == RType(Kind::Unknown) || then.type == RType(Kind::Unknown)) {
      bad = true;
      continue;
    }
    if (!unify(left, literal)) {
      error(scope, one.literal, "rebel-051",
            "this case is " + program_.types().to_string(literal.type) +
                ", but the case looks at " + program_.types().to_string(looked_at.type));
      bad = true;
      continue;
    }
    const Expr match = equal(left, literal);
    some.push_back(match);
    all.push_back(pool_.implies(match, conj(then.def, then.a)));
  }
  if (bad) return unknown();
  return boolean(pool_.conj(all), conj(looked_at.def, pool_.disj(some)));
}

TypedTerm Elaborator::typed(const Scope& scope, ExprRef e, RType expected,
                            const std::string& what) {
  TypedTerm val = value(scope, e);
  if (val.type == RType(Kind::Unknown) || expected == RType(Kind::Unknown)) return unknown();
  if (fits(val, expected)) return val;
  const ExprNode& n = ast(scope).expr(e);
  std::string hint;
  if (expected == RType(Kind::Boolean) && n.kind == ExprKind::New) hint = "add '== ...'";
  error(scope, e, "rebel-051",
        what + " must be " + program_.types().to_string(expected) + ", but this is " +
            program_.types().to_string(val.type),
        hint);
  return unknown();
}

std::optional<Integer> Elaborator::constant_integer(const Scope& scope, ExprRef e) {
  const TypedTerm val = typed(scope, e, Kind::Integer, "a bound");
  if (val.type == RType(Kind::Unknown)) return std::nullopt;
  if (!pool_.is_const(val.a)) {
    error(scope, e, "rebel-052", "a bound must be a constant");
    return std::nullopt;
  }
  return pool_.value(val.a).as_integer();
}

// ----- literals

TypedTerm Elaborator::literal(const Scope& scope, ExprRef e) {
  const ModuleAst& module = ast(scope);
  const ExprNode& n = module.expr(e);
  std::string_view text = program_.sources().text(module.span(n.at));
  auto integer = [&](std::string_view digits) {
    return pool_.integer(Integer::parse(digits).value_or(Integer(0)));
  };
  switch (n.kind) {
    case ExprKind::Bool:
      return boolean(pool_.boolean(n.a != 0));
    case ExprKind::Int:
      return simple(Kind::Integer, integer(text));
    case ExprKind::Percent:
      return simple(Kind::Percentage, integer(text.substr(0, text.size() - 1)));
    case ExprKind::Money: {
      TypedTerm val =
          simple(Kind::Money, pool_.integer(encoder_.currency(program_.names().text(n.a))));
      val.b = pool_.integer(encoder_.amount(program_.sources().text(module.span({n.b, n.c}))));
      return val;
    }
    case ExprKind::String:
      if (text.size() >= 2) text = text.substr(1, text.size() - 2);
      return simple(Kind::String, pool_.integer(encoder_.string(text)));
    case ExprKind::Date: {
      if (n.c != kNone) {
        return simple(Kind::Date, number(static_cast<long>(Encoder::day_number(n.c, n.b, n.a))));
      }
      // A date without year is that day in the year of `now`.
      now_used_ = true;
      if (!now_place_.valid()) now_place_ = module.span(n.at);
      const Expr year = encoder_.civil(now().a).year;
      return simple(Kind::Date, encoder_.days(year, number(n.b), number(n.a)));
    }
    case ExprKind::Time:
      return simple(Kind::Time, number(n.a));
    case ExprKind::DateTime: {
      TypedTerm val = value(scope, n.a);
      val.type = Kind::DateTime;
      val.b = number(module.expr(n.b).a);
      return val;
    }
    case ExprKind::Term: {
      TypedTerm val = value(scope, n.a);
      val.type = Kind::Term;
      val.b = encoder_.enum_constant(Kind::Period, static_cast<int>(n.b));
      return val;
    }
    case ExprKind::Now:
      now_used_ = true;
      if (!now_place_.valid()) now_place_ = module.span(n.at);
      return now();
    case ExprKind::Tariff:
      error(scope, e, "rebel-029", "interest tariffs are not supported", "use a Percentage");
      return unknown();
    case ExprKind::Any:
      error(scope, e, "rebel-053",
            "'ANY' is not supported: it means something only to a "
            "simulator",
            "leave the argument open by making it a parameter of the event");
      return unknown();
    case ExprKind::Inf:
      error(scope, e, "rebel-053", "'Inf' is not supported: integers are unbounded anyway");
      return unknown();
    default:
      error(scope, e, "rebel-053", "'it' is not supported");
      return unknown();
  }
}

std::pair<VariableId, VariableId> Elaborator::now_variables() {
  if (!now_date_.valid()) {
    now_date_ = network_.add_variable("now.date", Type::integer(), MachineId(), Span());
    now_time_ = network_.add_variable("now.time", Type::integer(), MachineId(), Span());
  }
  return {now_date_, now_time_};
}

TypedTerm Elaborator::now() {
  if (fixed_now_) {
    TypedTerm val = simple(Kind::DateTime, pool_.integer(fixed_now_->first));
    val.b = pool_.integer(fixed_now_->second);
    return val;
  }
  const auto [date, time] = now_variables();
  TypedTerm val = simple(Kind::DateTime, pool_.symbol(network_.variable(date).current));
  val.b = pool_.symbol(network_.variable(time).current);
  return val;
}

// ----- names

// The variable of a quantifier or a comprehension.
Span Elaborator::declare_bound(const Scope& scope, ExprRef e) {
  const auto place = ast(scope).bound_at.find(e);
  if (place == ast(scope).bound_at.end()) return {};
  const Span span = ast(scope).span(place->second);
  program_.symbols().declare(SymbolKind::Bound, program_.text(ast(scope).expr(e).a), span);
  return span;
}

bool Elaborator::is_local(const Scope& scope, Name name) const {
  for (const auto& local : scope.locals) {
    if (local.name == name) return true;
  }
  if (scope.config != nullptr) {
    for (const ConfigValue& config : *scope.config) {
      if (config.name == name) return true;
    }
  }
  return scope.self != kNone && program_.specs()[scope.self].field_index.contains(name);
}

std::optional<TypedTerm> Elaborator::builtin_word(std::string_view text) {
  for (Kind kind : {Kind::Frequency, Kind::Period, Kind::InterestNorm}) {
    if (const int i = Encoder::enum_index(kind, text); i >= 0) {
      return simple(kind, encoder_.enum_constant(kind, i));
    }
  }
  if (text == "EUR" || text == "USD" || (text.starts_with("CUR_") && text.size() == 7)) {
    return simple(Kind::Currency, pool_.integer(encoder_.currency(text)));
  }
  if (Encoder::is_iban(text)) return simple(Kind::Iban, pool_.integer(encoder_.iban(text)));
  return std::nullopt;
}

TypedTerm Elaborator::word(const Scope& scope, ExprRef e, bool next) {
  const ExprNode& n = ast(scope).expr(e);
  const Name name = n.a;
  auto no_next = [&](const char* what) {
    if (!next) return true;
    error(scope, e, "rebel-050",
          "'new' goes with a field, but '" + program_.text(name) + "' is " + what,
          "it does not change in a step");
    return false;
  };
  for (std::size_t i = scope.locals.size(); i-- > 0;) {
    const Scope::Local& local = scope.locals[i];
    if (local.name != name) continue;
    program_.use(local.declared, scope.module, n.at, name);
    return no_next("a parameter or a bound variable") ? local.value : unknown();
  }
  if (scope.config != nullptr) {
    for (const ConfigValue& config : *scope.config) {
      if (config.name != name) continue;
      program_.use(config.declared, scope.module, n.at, name);
      if (config.is_function) {
        error(scope, e, "rebel-051", "'" + program_.text(name) + "' is a function",
              "call it with its arguments");
        return unknown();
      }
      return no_next("a configuration parameter") ? config.value : unknown();
    }
  }
  if (scope.has_this && scope.self != kNone &&
      program_.specs()[scope.self].field_index.contains(name)) {
    Ref own;
    own.how = scope.instance.valid() ? Ref::How::Instance : Ref::How::Own;
    own.spec = scope.self;
    own.next = next;
    return field(scope, own, name, n.at);
  }
  if (const auto found = builtin_word(program_.names().text(name))) {
    return no_next("a literal") ? *found : unknown();
  }
  if (scope.runs.valid() && program_.names().text(name) == "halt")
    return boolean(pool_.symbol(network_.halt()));
  return unknown_word(scope, e);
}

TypedTerm Elaborator::unknown_word(const Scope& scope, ExprRef e) {
  const ExprNode& n = ast(scope).expr(e);
  if (scope.has_this && scope.self == kNone) return unknown();  // may be a field
  const std::string_view text = program_.names().text(n.a);
  NearestName near(text);
  for (const auto& local : scope.locals) near.offer(program_.names().text(local.name));
  if (scope.config != nullptr) {
    for (const ConfigValue& config : *scope.config) near.offer(program_.names().text(config.name));
  }
  if (scope.self != kNone) {
    for (const Field& f : program_.specs()[scope.self].fields) {
      near.offer(program_.names().text(f.name));
    }
  }
  std::string hint;
  std::string meant;
  if (text == "true" || text == "false") {
    hint = text == "true" ? "write 'True'" : "write 'False'";
  } else if (text == "This" || text == "self") {
    hint = "write 'this'";
  } else if (text == "otherwise" || text == "default" || text == "else") {
    hint = "every case names a value; where none of them fits, the event is not possible";
  } else if (near.result()) {
    meant = *near.result();
    hint = "did you mean '" + meant + "'?";
  }
  mark_absence(
      error(scope, e, "rebel-054", "nothing is called '" + std::string(text) + "' here", hint),
      meant);
  return unknown();
}

bool Elaborator::qualified(const Scope& scope, ExprRef e, QName& name) const {
  const ModuleAst& module = ast(scope);
  std::vector<Name> parts;
  const Extent at = module.expr(e).at;
  while (module.expr(e).kind == ExprKind::Field) {
    parts.push_back(module.expr(e).b);
    e = module.expr(e).a;
  }
  if (module.expr(e).kind != ExprKind::Word) return false;
  if (is_local(scope, module.expr(e).a)) return false;
  std::string full = program_.text(module.expr(e).a);
  for (std::size_t i = parts.size(); i-- > 0;) full += "." + program_.text(parts[i]);
  name.simple = parts.empty() ? module.expr(e).a : parts.front();
  name.full = parts.empty() ? name.simple : program_.names().intern_copy(std::move(full));
  name.at = at;
  return true;
}

}  // namespace whittle::rebel

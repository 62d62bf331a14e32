// SPDX-License-Identifier: Apache-2.0
// Events. Pre- and postconditions are relations between the state before and the state after. A
// conjunct `new this.f == e` is an assignment where it is the only one about f and e speaks of the
// state before; everything else stays a relation that writes the fields it mentions under `new`.
// Fields that no postcondition mentions that way keep their values.
#include <algorithm>
#include <set>

#include "base/nearest.h"
#include "expr/traverse.h"
#include "frontend/rebel/translate.h"

namespace whittle::rebel {

struct Translator::Conjunct {
  enum class Form : std::uint8_t { Bad, Assignment, Update, Relation };
  Form form = Form::Bad;
  ExprRef expr = kNone;  // kNone: a `case`
  const StmtAst* stmt = nullptr;
  std::uint32_t field = kNone;  // Assignment, Update
  TypedTerm value;              // Assignment, Update
  TypedTerm key;                // Update: new this.m[key] == value
  TypedTerm condition;          // Relation
  std::vector<std::uint32_t> written;
  std::vector<std::uint32_t> read;
  bool next = false;  // Relation: it speaks of the state after
  Span origin;
};

void Translator::guard(EventId event, Expr condition, Span origin, bool of_effect) {
  if (!condition.valid() || !event.valid() || pool_.is_true(condition)) return;
  // What an argument has to be like for the effect to have a value is a condition on the argument.
  if (of_effect) {
    const std::vector<SymbolId> used = symbols(pool_, condition);
    of_effect = std::none_of(used.begin(), used.end(),
                             [&](SymbolId s) { return network_->role(s).kind == RoleKind::Input; });
  }
  network_->event(event).guards.push_back({condition, origin, of_effect});
}

void Translator::translate_event(std::uint32_t s, std::uint32_t u) {
  const EventUse& use = program_.specs()[s].uses[u];
  if (!use.definition.found()) return;
  if (program_.module(use.definition.module).ast.events[use.definition.index].broken) return;
  const EventId event = nets_[s].events[u];
  Scope scope;
  scope.module = use.definition.module;
  scope.has_this = true;
  scope.self = s;
  scope.next_allowed = true;
  std::vector<ConfigValue> config;
  elaborator_.set_user(s);
  elaborator_.set_event(event);
  configure(use, scope, config);
  scope.config = &config;
  bool from_initial = false;
  const std::uint32_t initial = program_.specs()[s].initial;
  if (initial != kNone) {
    for (const Arc& arc : network_->event(event).arcs) {
      from_initial = from_initial || arc.from == nets_[s].states[initial];
    }
  }
  event_body(scope, use.definition, event, s, from_initial);
  elaborator_.set_event({});
}

// Arguments of a configuration that the event does not have, or has twice. Returns the parameters
// that they are probably meant for.
std::set<std::string> Translator::report_unknown_arguments(const EventUse& use) {
  std::set<std::string> meant;
  if (!use.ref.found()) return meant;
  const ModuleAst& module = program_.module(use.definition.module).ast;
  const EventAst& ast = module.events[use.definition.index];
  const ModuleAst& ref_module = program_.module(use.ref.module).ast;
  const Range arguments = ref_module.event_refs[use.ref.index].arguments;
  for (std::uint32_t i = 0; i < arguments.count; ++i) {
    const ConfigArgAst& arg = ref_module.config_args[arguments.first + i];
    bool known = false;
    NearestName near(program_.names().text(arg.name));
    for (std::uint32_t p = 0; p < ast.config.count; ++p) {
      const Name name = module.params[ast.config.first + p].name;
      known = known || name == arg.name;
      near.offer(program_.names().text(name));
    }
    if (!known) {
      diagnostics().report(
          "rebel-074", ref_module.span(arg.name_at),
          "event '" + text(use.name) + "' has no configuration parameter '" + text(arg.name) + "'",
          near.result() ? "did you mean '" + *near.result() + "'?" : "");
      if (near.result()) meant.insert(*near.result());
    }
    for (std::uint32_t j = 0; j < i; ++j) {
      if (ref_module.config_args[arguments.first + j].name == arg.name) {
        diagnostics().report("rebel-021", ref_module.span(arg.name_at),
                             "'" + text(arg.name) + "' is given twice");
      }
    }
  }
  return meant;
}

// Configuration is substitution: the specification's value, else the default, else an error.
void Translator::configure(const EventUse& use, const Scope& scope,
                           std::vector<ConfigValue>& config) {
  const std::set<std::string> meant = report_unknown_arguments(use);
  const ModuleAst& module = program_.module(use.definition.module).ast;
  const EventAst& ast = module.events[use.definition.index];
  for (std::uint32_t p = 0; p < ast.config.count; ++p) {
    const ParamAst& param = module.params[ast.config.first + p];
    for (std::uint32_t q = 0; q < ast.params.count; ++q) {
      if (module.params[ast.params.first + q].name == param.name) {
        diagnostics().report(
            "rebel-021", module.span(module.params[ast.params.first + q].name_at),
            "'" + text(param.name) + "' is a configuration parameter and a parameter of the event");
      }
    }
    config.push_back(configured(use, scope, param, meant.contains(text(param.name))));
  }
}

// The value of one configuration parameter. `said`: that it is missing was reported at the name
// that is meant to be it.
ConfigValue Translator::configured(const EventUse& use, const Scope& scope, const ParamAst& param,
                                   bool said) {
  ConfigValue value;
  value.name = param.name;
  value.declared = program_.span(use.definition.module, param.name_at);
  program_.symbols().declare(SymbolKind::Parameter, text(param.name), value.declared);
  const RType type = program_.resolve_type(use.definition.module, param.type);
  value.is_function = program_.types().kind(type) == Kind::Function;
  ExprRef given = kNone;
  Scope where = scope;
  where.next_allowed = false;
  where.place = "in a configuration parameter";
  where.config = nullptr;
  if (use.ref.found()) {
    const ModuleAst& ref_module = program_.module(use.ref.module).ast;
    const Range arguments = ref_module.event_refs[use.ref.index].arguments;
    for (std::uint32_t i = 0; i < arguments.count; ++i) {
      const ConfigArgAst& arg = ref_module.config_args[arguments.first + i];
      if (arg.name != param.name) continue;
      program_.symbols().use(value.declared, ref_module.span(arg.name_at));
      given = arg.value;
      where.module = use.ref.module;
    }
  }
  if (given == kNone && param.init != kNone) {
    given = param.init;
    where.module = use.definition.module;
  }
  if (given == kNone) {
    if (!said) leave_open(use, param, type, value);
  } else if (value.is_function) {
    const ModuleAst& given_module = program_.module(where.module).ast;
    const ExprNode& n = given_module.expr(given);
    if (n.kind == ExprKind::Word) {
      QName name;
      name.simple = name.full = n.a;
      name.at = n.at;
      value.function = program_.resolve(DeclKind::Function, where.module, name);
    } else {
      diagnostics().report("rebel-051", given_module.span(n.at),
                           "'" + text(param.name) + "' must be the name of a function");
    }
  } else {
    value.value = elaborator_.typed(where, given, type, "'" + text(param.name) + "'");
  }
  return value;
}

// A parameter without a value: an error where a specification lists the event; otherwise any value
// will do.
void Translator::leave_open(const EventUse& use, const ParamAst& param, RType type,
                            ConfigValue& value) {
  if (use.ref.found()) {
    const ModuleAst& ref_module = program_.module(use.ref.module).ast;
    diagnostics()
        .report("rebel-075", ref_module.span(ref_module.event_refs[use.ref.index].at),
                "event '" + text(use.name) + "' needs a value for '" + text(param.name) + "'",
                "write " + text(use.name) + "[" + text(param.name) + " = ...]")
        .related.push_back(
            {program_.span(use.definition.module, param.at), "declared here without a default"});
    return;
  }
  if (value.is_function || type == RType(Kind::Unknown)) return;
  std::vector<Expr> parts;
  for (const auto& [suffix, part] : elaborator_.layout(type)) {
    parts.push_back(pool_.symbol(pool_.declare(text(param.name) + suffix, part)));
  }
  value.value = elaborator_.assembled(type, parts);
}

void Translator::event_body(Scope& scope, Decl definition, EventId event, std::uint32_t s,
                            bool from_initial) {
  const ModuleAst& module = program_.module(definition.module).ast;
  const EventAst& ast = module.events[definition.index];
  std::size_t next_part = 0;
  for (std::uint32_t p = 0; p < ast.params.count; ++p) {
    const ParamAst& param = module.params[ast.params.first + p];
    for (const auto& local : scope.locals) {
      if (local.name == param.name) {
        Diagnostic& twice =
            diagnostics().report("rebel-021", module.span(param.name_at),
                                 "parameter '" + text(param.name) + "' is declared twice");
        for (std::uint32_t q = 0; q < p; ++q) {
          const ParamAst& first = module.params[ast.params.first + q];
          if (first.name != param.name) continue;
          twice.related.push_back({module.span(first.name_at), "first declared here"});
          break;
        }
      }
    }
    const RType type = program_.resolve_type(definition.module, param.type);
    TypedTerm val;
    if (type != RType(Kind::Unknown) && program_.types().kind(type) != Kind::Function) {
      std::vector<Expr> parts;
      for (const auto& [suffix, part] : elaborator_.layout(type)) {
        if (event.valid()) {
          parts.push_back(pool_.symbol(network_->event(event).parameters[next_part++].symbol));
        } else {
          parts.push_back(pool_.symbol(pool_.declare(text(param.name) + suffix, part)));
        }
      }
      guard(event, elaborator_.domain(type, parts), module.span(param.at));
      val = elaborator_.assembled(type, parts);
      if (program_.types().kind(type) == Kind::Spec) {
        refer(s, program_.types().spec_of(type));
      }
    }
    const Span declared = module.span(param.name_at);
    program_.symbols().declare(SymbolKind::Parameter, text(param.name), declared);
    scope.locals.push_back({param.name, std::move(val), declared});
  }
  elaborator_.unguarded().clear();
  preconditions(scope, ast, event);
  postconditions(scope, ast, event, s);
  elaborator_.seen().clear();
  synchronisations(scope, ast, event);
  if (from_initial && s != kNone) warn_early_reads(s);
}

// Before its first event an instance has arbitrary values in its fields.
void Translator::warn_early_reads(std::uint32_t s) {
  const Spec& spec = program_.specs()[s];
  if (spec.modifier == SpecModifier::Abstract) return;
  for (const auto& [f, place] : elaborator_.unguarded()) {
    if (f == spec.key || program_.types().is_collection(spec.fields[f].type)) continue;
    diagnostics().report("rebel-076", place,
                         "this is possible in the initial state of '" + text(spec.name) +
                             "', where field '" + text(spec.fields[f].name) +
                             "' has no value yet; an arbitrary one is read",
                         "'initialized this ? ... : ...' tells the cases apart");
  }
}

void Translator::preconditions(const Scope& scope, const EventAst& ast, EventId event) {
  const ModuleAst& module = program_.module(scope.module).ast;
  std::vector<std::uint32_t> read;
  written_early_.clear();
  for (std::uint32_t i = 0; i < ast.pre.count; ++i) {
    const StmtAst& stmt = module.stmts[ast.pre.first + i];
    elaborator_.seen().clear();
    const TypedTerm val = elaborator_.statement(scope, stmt);
    const Seen& seen = elaborator_.seen();
    read.insert(read.end(), seen.read.begin(), seen.read.end());
    for (std::uint32_t f : seen.written) written_early_.try_emplace(f, module.span(stmt.at));
    if (!val.a.valid() || !event.valid()) continue;
    const Expr condition = elaborator_.conj(val.def, val.a);
    const Span origin = module.span(stmt.at);
    if (seen.next) {
      // Speaks of the state after, but does not free any field.
      network_->event(event).effects.push_back({EffectKind::Relation, {}, condition, origin});
    } else {
      guard(event, condition, origin);
    }
  }
  elaborator_.seen().clear();
  elaborator_.seen().read = std::move(read);
  if (event.valid()) preconditions_[event] = network_->event(event).guards.size();
}

void Translator::split(const Scope& scope, const StmtAst& stmt, std::vector<Conjunct>& all) {
  const ModuleAst& module = program_.module(scope.module).ast;
  const Span origin = module.span(stmt.at);
  if (stmt.is_case) {
    Conjunct one;
    one.stmt = &stmt;
    one.origin = origin;
    all.push_back(std::move(one));
    return;
  }
  std::vector<ExprRef> stack{stmt.expr};
  while (!stack.empty()) {
    const ExprRef e = stack.back();
    stack.pop_back();
    const ExprNode& n = module.expr(e);
    if (n.kind == ExprKind::And) {
      stack.push_back(n.b);
      stack.push_back(n.a);
      continue;
    }
    Conjunct one;
    one.expr = e;
    one.origin = origin;
    all.push_back(std::move(one));
  }
}

void Translator::elaborate_conjunct(const Scope& scope, Conjunct& c) {
  const ModuleAst& module = program_.module(scope.module).ast;
  // The own field that `new ...` is about, and the key where it is an entry of a map.
  ExprRef key = kNone;
  auto target = [&](ExprRef e) -> std::uint32_t {
    key = kNone;
    if (module.expr(e).kind != ExprKind::New || scope.self == kNone) return kNone;
    ExprRef inner = module.expr(e).a;
    if (module.expr(inner).kind == ExprKind::Index) {
      key = module.expr(inner).b;
      inner = module.expr(inner).a;
    }
    const ExprNode& n = module.expr(inner);
    Name name = kNoName;
    if (n.kind == ExprKind::Field && module.expr(n.a).kind == ExprKind::This) {
      name = n.b;
    } else if (n.kind == ExprKind::Word) {
      name = n.a;
      for (const auto& local : scope.locals) {
        if (local.name == name) return kNone;
      }
      for (const ConfigValue& config : *scope.config) {
        if (config.name == name) return kNone;
      }
    }
    const Spec& spec = program_.specs()[scope.self];
    const auto it = spec.field_index.find(name);
    if (it == spec.field_index.end() || it->second == spec.key) return kNone;
    program_.use(spec.fields[it->second].name_at, scope.module, n.at, name);
    const bool map = program_.types().kind(spec.fields[it->second].type) == Kind::Map;
    return (key != kNone) == map || (map && key == kNone) ? it->second : kNone;
  };
  Seen& seen = elaborator_.seen();
  if (c.expr != kNone && module.expr(c.expr).kind == ExprKind::Eq) {
    const ExprNode& n = module.expr(c.expr);
    for (const auto& [side, other] : {std::pair(n.a, n.b), std::pair(n.b, n.a)}) {
      const std::uint32_t field = target(side);
      if (field == kNone) continue;
      const RType type = program_.specs()[scope.self].fields[field].type;
      const ExprRef entry = key;
      const std::size_t errors = diagnostics().errors();
      seen.clear();
      TypedTerm val = elaborator_.value(scope, other);
      TypedTerm key_val;
      if (entry != kNone) key_val = elaborator_.value(scope, entry);
      if (diagnostics().errors() != errors) return;  // said once
      if (seen.next) continue;
      if (val.type == RType(Kind::Unknown)) return;
      if (entry == kNone) {
        if (!elaborator_.fits(val, type)) continue;
        c.form = Conjunct::Form::Assignment;
      } else {
        if (!elaborator_.fits(val, program_.types().value(type)) ||
            !elaborator_.fits(key_val, program_.types().element(type))) {
          continue;
        }
        c.form = Conjunct::Form::Update;
        c.key = std::move(key_val);
      }
      c.field = field;
      c.value = std::move(val);
      c.written = {field};
      c.read = seen.read;
      return;
    }
  }
  seen.clear();
  c.condition = c.expr == kNone ? elaborator_.statement(scope, *c.stmt)
                                : elaborator_.typed(scope, c.expr, Kind::Boolean, "a condition");
  c.written = seen.written;
  c.read = seen.read;
  c.next = seen.next;
  if (c.condition.a.valid()) c.form = Conjunct::Form::Relation;
}

void Translator::warn_about_relations(std::uint32_t s, const std::vector<Conjunct>& all) {
  const Spec& spec = program_.specs()[s];
  std::set<std::uint32_t> about_after;  // statements, by where they begin
  for (const Conjunct& c : all) {
    if (c.form != Conjunct::Form::Relation || c.next) about_after.insert(c.origin.begin);
  }
  for (const Conjunct& c : all) {
    if (about_after.insert(c.origin.begin).second) {
      diagnostics().report(
          "rebel-088", c.origin, "this says nothing about the state after the step",
          "write 'new this.f' for the value after the step; conditions on the state "
          "before it belong to the preconditions");
    }
    if (std::find(c.written.begin(), c.written.end(), spec.key) == c.written.end()) continue;
    diagnostics().report("rebel-090", c.origin,
                         "the key '" + text(spec.fields[spec.key].name) + "' never changes",
                         "this is a condition on the key, not an assignment");
  }
}

void Translator::postconditions(const Scope& scope, const EventAst& ast, EventId event,
                                std::uint32_t s) {
  const ModuleAst& module = program_.module(scope.module).ast;
  std::vector<Conjunct> all;
  for (std::uint32_t i = 0; i < ast.post.count; ++i) {
    split(scope, module.stmts[ast.post.first + i], all);
  }
  std::vector<std::uint32_t> read;
  for (Conjunct& c : all) {
    elaborate_conjunct(scope, c);
    read.insert(read.end(), c.read.begin(), c.read.end());
    if (s == kNone) continue;
    for (std::uint32_t f : c.written) {
      assigned_[s][f] = true;
      written_early_.erase(f);
    }
  }
  if (s != kNone) {
    warn_about_relations(s, all);
    for (const auto& [f, place] : written_early_) {
      if (f == program_.specs()[s].key) continue;
      diagnostics().report("rebel-091", place,
                           "field '" + text(program_.specs()[s].fields[f].name) +
                               "' keeps its value here: only postconditions change fields",
                           "move this to the postconditions");
    }
  }
  // An assignment beside other conjuncts about its field is a relation like them.
  if (event.valid()) {
    std::unordered_map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> mentions;
    for (Conjunct& c : all) {
      std::sort(c.written.begin(), c.written.end());
      c.written.erase(std::unique(c.written.begin(), c.written.end()), c.written.end());
      for (std::uint32_t f : c.written) {
        auto& [any, updates] = mentions[f];
        ++any;
        if (c.form == Conjunct::Form::Update) ++updates;
      }
    }
    for (Conjunct& c : all) {
      const bool assignment = c.form == Conjunct::Form::Assignment;
      const bool update = c.form == Conjunct::Form::Update;
      if (!assignment && !update) continue;
      const auto [any, updates] = mentions[c.field];
      if ((assignment && any == 1) || (update && any == updates)) continue;
      elaborator_.seen().clear();
      c.condition = elaborator_.typed(scope, c.expr, Kind::Boolean, "a condition");
      c.form = c.condition.a.valid() ? Conjunct::Form::Relation : Conjunct::Form::Bad;
    }
    emit(event, s, all);
  }
  elaborator_.seen().clear();
  elaborator_.seen().read = std::move(read);
}

void Translator::emit(EventId event, std::uint32_t s, std::vector<Conjunct>& all) {
  const Spec& spec = program_.specs()[s];
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Conjunct& c = all[i];
    switch (c.form) {
      case Conjunct::Form::Bad:
        break;
      case Conjunct::Form::Assignment:
        guard(event, c.value.def, c.origin, true);
        emit_assignment(event, s, c.field, c.value, c.origin);
        break;
      case Conjunct::Form::Update: {
        // All entries that are set in one field, in one go. Two values for one key contradict.
        bool first = true;
        for (std::size_t j = 0; j < i; ++j) {
          if (all[j].form == Conjunct::Form::Update && all[j].field == c.field) first = false;
        }
        if (!first) break;
        std::vector<Expr> parts;
        for (VariableId v : nets_[s].vars[c.field]) {
          parts.push_back(pool_.symbol(network_->variable(v).current));
        }
        TypedTerm map = elaborator_.assembled(spec.fields[c.field].type, parts);
        std::vector<const Conjunct*> done;
        for (std::size_t j = i; j < all.size(); ++j) {
          const Conjunct& other = all[j];
          if (other.form != Conjunct::Form::Update || other.field != c.field) continue;
          guard(event, elaborator_.conj(other.key.def, other.value.def), other.origin, true);
          for (const Conjunct* before : done) {
            guard(event,
                  pool_.implies(elaborator_.equal(before->key, other.key),
                                elaborator_.equal(before->value, other.value)),
                  other.origin, true);
          }
          done.push_back(&other);
          // Where the event is possible only if the key is there, nothing is added.
          const bool there =
              capacity_.demanded(event).contains(elaborator_.has_key(map, other.key));
          map = elaborator_.updated(map, other.key, other.value, there);
        }
        emit_assignment(event, s, c.field, map, c.origin);
        break;
      }
      case Conjunct::Form::Relation:
        emit_relation(event, s, c);
        break;
    }
  }
}

void Translator::emit_assignment(EventId event, std::uint32_t s, std::uint32_t field,
                                 const TypedTerm& val, Span origin) {
  const RType type = program_.specs()[s].fields[field].type;
  const std::vector<VariableId>& vars = nets_[s].vars[field];
  Expr overflow;
  const std::vector<Expr> parts = elaborator_.flattened(type, val, overflow);
  if (val.entries) capacity_.assigned(event, nets_[s].vars[field][0], val);
  if (overflow.valid()) {
    guard(event, pool_.negate(overflow), origin);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // What keeps its value needs no effect.
    if (parts[i] == pool_.symbol(network_->variable(vars[i]).current)) continue;
    network_->event(event).effects.push_back({EffectKind::Assign, {vars[i]}, parts[i], origin});
  }
}

void Translator::emit_relation(EventId event, std::uint32_t s, const Conjunct& c) {
  const Spec& spec = program_.specs()[s];
  Effect effect;
  effect.kind = EffectKind::Relation;
  effect.origin = c.origin;
  effect.expr = elaborator_.conj(c.condition.def, c.condition.a);
  for (std::uint32_t f : c.written) {
    if (f == spec.key) continue;
    std::vector<Expr> next;
    for (VariableId v : nets_[s].vars[f]) {
      effect.writes.push_back(v);
      next.push_back(pool_.symbol(network_->variable(v).next));
    }
    if (program_.types().is_collection(spec.fields[f].type)) {
      capacity_.related(event, nets_[s].vars[f][0],
                        elaborator_.assembled(spec.fields[f].type, next));
    }
    effect.expr = elaborator_.conj(effect.expr, elaborator_.domain(spec.fields[f].type, next));
  }
  if (effect.writes.empty() && !elaborator_.mentions_next(effect.expr)) {
    guard(event, effect.expr, c.origin);  // a postcondition about the state before
    return;
  }
  network_->event(event).effects.push_back(std::move(effect));
}

}  // namespace whittle::rebel

// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/translate.h"

#include <algorithm>

#include "frontend/contradictory_guards.h"
#include "ir/notation.h"

namespace whittle::rebel {

namespace {

std::uint64_t decl_id(Decl decl) {
  return (static_cast<std::uint64_t>(decl.module) << 32U) | decl.index;
}

}  // namespace

Translator::Translator(Program& program, Capacities capacities)
    : program_(program),
      pool_ptr_(std::make_shared<ExprPool>()),
      network_(std::make_shared<Network>(pool_ptr_)),
      pool_(*pool_ptr_),
      encoder_(std::make_shared<Encoder>(pool_, program.three_decimals() ? 3 : 2)),
      notation_(std::make_shared<RebelNotation>(pool_ptr_, encoder_)),
      nets_(program.specs().size()),
      elaborator_(program, *network_, *encoder_, nets_, std::move(capacities)),
      capacity_(*network_, elaborator_) {}

std::shared_ptr<Network> Translator::run() {
  network_->name = text(program_.module(0).name);
  network_->language = "rebel";
  network_->notation = notation_;
  const auto count = static_cast<std::uint32_t>(program_.specs().size());
  assigned_.resize(count);
  fix_now();
  for (std::uint32_t s = 0; s < count; ++s) declare_machine(s);
  for (std::uint32_t s = 0; s < count; ++s) declare_events(s);
  for (std::uint32_t s = 0; s < count; ++s) {
    if (program_.specs()[s].modifier == SpecModifier::External) continue;
    const auto uses = static_cast<std::uint32_t>(program_.specs()[s].uses.size());
    for (std::uint32_t u = 0; u < uses; ++u) {
      if (diagnostics().saturated()) return network_;
      translate_event(s, u);
    }
  }
  refer_from_invariants();
  check_unused();
  if (!diagnostics().has_errors()) find_sync_cycles();
  warn_about_fields();
  for (const auto& pair : elaborator_.referred()) refers_.insert(pair);
  checks();
  warn_about_conditions();
  finish_now();
  if (!diagnostics().has_errors()) capacity_.find_inflows();
  if (collections_) capacity_.mark_incomplete();
  if (program_.three_decimals()) {
    diagnostics().report("rebel-070", Span(),
                         "some amount of money has three decimals, so all amounts are counted in "
                         "thousandths",
                         "products with percentages are rounded to thousandths as well");
  }
  return network_;
}

void Translator::refer(std::uint32_t from, std::uint32_t to) {
  if (from != kNone && to != kNone) refers_.insert({from, to});
}

void Translator::register_group(const std::string& name, RType type,
                                const std::vector<SymbolId>& symbols) {
  const TypeTable& types = program_.types();
  auto kind_of = [&](RType t) {
    return types.kind(t) == Kind::Spec ? types.kind(elaborator_.key_type(types.spec_of(t)))
                                       : types.kind(t);
  };
  RebelNotation::Group group;
  group.name = name;
  const Kind kind = types.kind(type);
  if (kind == Kind::Set || kind == Kind::Map) {
    collections_ = true;
    group.shape = kind == Kind::Set ? RebelNotation::Shape::Set : RebelNotation::Shape::Map;
    group.key = kind_of(types.element(type));
    group.key_parts = static_cast<std::uint32_t>(elaborator_.layout(types.element(type)).size());
    if (kind == Kind::Map) {
      group.value = kind_of(types.value(type));
      group.value_parts = static_cast<std::uint32_t>(elaborator_.layout(types.value(type)).size());
    }
  } else {
    group.key = kind_of(type);
  }
  const std::uint32_t id = notation_->add_group(std::move(group));
  for (std::uint32_t i = 0; i < symbols.size(); ++i) notation_->add_part(id, i, symbols[i]);
}

void Translator::declare_machine(std::uint32_t s) {
  const Spec& spec = program_.specs()[s];
  SpecNet& net = nets_[s];
  for (const Field& field : spec.fields) {
    refer(s, field.ref);
    const TypeTable& types = program_.types();
    auto refer_to = [&](RType type) {
      if (types.kind(type) == Kind::Spec) refer(s, types.spec_of(type));
    };
    refer_to(field.type);
    if (types.is_collection(field.type)) refer_to(types.element(field.type));
    if (types.kind(field.type) == Kind::Map) refer_to(types.value(field.type));
  }
  assigned_[s].resize(spec.fields.size(), false);
  if (spec.modifier == SpecModifier::External) return;
  net.machine = network_->add_machine(text(spec.name), spec.origin);
  net.vars.resize(spec.fields.size());
  Expr domain;
  for (std::uint32_t f = 0; f < spec.fields.size(); ++f) {
    const Field& field = spec.fields[f];
    if (field.type == RType(Kind::Unknown)) continue;
    const std::string name = text(field.name);
    std::vector<SymbolId> symbols;
    std::vector<Expr> terms;
    const bool starts_empty = program_.types().is_collection(field.type);
    for (const auto& [suffix, type] : elaborator_.layout(field.type)) {
      const VariableId v = network_->add_variable(name + suffix, type, net.machine, field.origin);
      net.vars[f].push_back(v);
      symbols.push_back(network_->variable(v).current);
      terms.push_back(pool_.symbol(symbols.back()));
      if (starts_empty) {
        network_->variable(v).initial = pool_.constant(pool_.default_value(type), type);
      }
    }
    register_group(name, field.type, symbols);
    if (starts_empty) capacity_.add_variable(field.type, net.machine, EventId(), symbols);
    if (f == spec.key) {
      network_->machine(net.machine).key = net.vars[f][0];
    } else if (!starts_empty) {
      domain = elaborator_.conj(domain, elaborator_.domain(field.type, terms));
    }
  }
  for (const LifeState& state : spec.states) {
    const LocationId location = network_->add_location(text(state.name), net.machine, state.origin);
    network_->location(location).final = state.final;
    net.states.push_back(location);
  }
  // An abstract specification may leave its life cycle to those that extend it.
  const bool open = spec.initial == kNone && spec.modifier == SpecModifier::Abstract;
  if (spec.initial != kNone || open) {
    Start start;
    start.location =
        !open ? net.states[spec.initial] : network_->add_location("", net.machine, spec.origin);
    start.name = network_->location(start.location).name;
    start.condition = domain.valid() ? domain : pool_.boolean(true);
    start.origin = network_->location(start.location).origin;
    network_->machine(net.machine).starts.push_back(std::move(start));
  }
}

void Translator::declare_events(std::uint32_t s) {
  const Spec& spec = program_.specs()[s];
  SpecNet& net = nets_[s];
  net.events.resize(spec.uses.size());
  for (const EventUse& use : spec.uses) {
    if (use.definition.found()) used_events_[decl_id(use.definition)] = true;
  }
  if (spec.modifier == SpecModifier::External) return;
  std::vector<bool> listed(spec.uses.size(), false);
  for (std::uint32_t u = 0; u < spec.uses.size(); ++u) {
    const EventUse& use = spec.uses[u];
    if (!use.definition.found()) continue;
    const ModuleAst& module = program_.module(use.definition.module).ast;
    const EventAst& ast = module.events[use.definition.index];
    const EventId event = network_->add_event(text(use.name), net.machine, module.span(ast.at));
    net.events[u] = event;
    for (std::uint32_t p = 0; p < ast.params.count; ++p) {
      const ParamAst& param = module.params[ast.params.first + p];
      const RType type = program_.resolve_type(use.definition.module, param.type);
      if (type == RType(Kind::Unknown)) continue;
      if (program_.types().kind(type) == Kind::Function) {
        diagnostics().report(
            "rebel-032", module.span(param.at), "a parameter of an event cannot be a function",
            "functions can only be configured: event e[f: Integer -> Integer](...)");
        continue;
      }
      const std::string name = text(param.name);
      std::vector<SymbolId> symbols;
      for (const auto& [suffix, part] : elaborator_.layout(type)) {
        symbols.push_back(
            network_->add_parameter(event, name + suffix, part, module.span(param.at)));
      }
      register_group(name, type, symbols);
      if (program_.types().is_collection(type))
        capacity_.add_variable(type, net.machine, event, symbols);
    }
  }
  for (const LifeArc& arc : spec.arcs) {
    listed[arc.use] = true;
    if (!net.events[arc.use].valid()) continue;
    network_->event(net.events[arc.use])
        .arcs.push_back({net.states[arc.from], net.states[arc.to], arc.origin});
  }
  if (spec.modifier == SpecModifier::Abstract || spec.unread_arcs) return;
  for (std::uint32_t u = 0; u < spec.uses.size(); ++u) {
    if (listed[u] || spec.uses[u].interface || !spec.uses[u].definition.found()) continue;
    const Decl ref = spec.uses[u].ref;
    const ModuleAst& module = program_.module(ref.module).ast;
    mark_absence(diagnostics().report(
        "rebel-071", module.span(module.event_refs[ref.index].at),
        "event '" + text(spec.uses[u].name) + "' is not in the life cycle, so it never happens",
        "add it to the life cycle, or take it out of the events"));
  }
}

// Library declarations that nothing uses still have to make sense. Of an event that no
// specification lists, the fields are not known; everything else is checked.
// What an invariant speaks of takes part in its universe, which is made before the invariant
// itself.
void Translator::refer_from_invariants() {
  for (std::uint32_t s = 0; s < program_.specs().size(); ++s) {
    elaborator_.set_user(s);
    for (const Decl& decl : program_.specs()[s].invariants) {
      if (diagnostics().saturated()) break;
      look_at_invariant(s, decl.module, program_.module(decl.module).ast.invariants[decl.index]);
    }
  }
  elaborator_.set_user(kNone);
}

// Of no specification in particular (kNone): names and types as far as they are known then.
void Translator::look_at_invariant(std::uint32_t s, std::uint32_t m,
                                   const InvariantAst& invariant) {
  Scope scope;
  scope.module = m;
  scope.has_this = true;
  scope.self = s;
  scope.place = "in an invariant";
  for (std::uint32_t i = 0; i < invariant.body.count; ++i)
    elaborator_.statement(scope, program_.module(m).ast.stmts[invariant.body.first + i]);
}

void Translator::check_unused() {
  for (std::uint32_t m = 0; m < program_.module_count(); ++m) {
    const ModuleAst& ast = program_.module(m).ast;
    for (std::uint32_t f = 0; f < ast.functions.size(); ++f) elaborator_.check_function({m, f});
    for (std::uint32_t e = 0; e < ast.events.size(); ++e) {
      if (diagnostics().saturated()) return;
      if (used_events_.contains(decl_id({m, e})) || ast.events[e].broken) continue;
      Scope scope;
      scope.module = m;
      scope.has_this = true;
      scope.next_allowed = true;
      std::vector<ConfigValue> config;
      EventUse alone;
      alone.name = ast.events[e].name.simple;
      alone.definition = {m, e};
      configure(alone, scope, config);
      scope.config = &config;
      event_body(scope, alone.definition, EventId(), kNone, false);
    }
    for (const InvariantAst& invariant : ast.invariants) look_at_invariant(kNone, m, invariant);
  }
}

// The static graph of synchronisations must have no cycle: a step would never be complete.
void Translator::find_sync_cycles() {
  constexpr std::uint8_t kNew = 0, kOpen = 1, kDone = 2;
  const auto& events = network_->events();
  std::vector<std::uint8_t> color(events.size(), kNew);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stack;  // event, next synchronisation
  for (std::uint32_t root = 0; root < events.size(); ++root) {
    if (color[root] != kNew || events[root].syncs.empty()) continue;
    stack.assign(1, {root, 0});
    color[root] = kOpen;
    while (!stack.empty()) {
      auto& [e, next] = stack.back();
      if (next == events[e].syncs.size()) {
        color[e] = kDone;
        stack.pop_back();
        continue;
      }
      const Sync& sync = events[e].syncs[next++];
      const std::uint32_t target = sync.event.index();
      if (color[target] == kOpen) {
        std::string path;
        bool on = false;
        for (const auto& [on_stack, unused] : stack) {
          on = on || on_stack == target;
          if (on) {
            path += network_->machine(events[on_stack].machine).name + "." + events[on_stack].name +
                    " -> ";
          }
        }
        path += network_->machine(events[target].machine).name + "." + events[target].name;
        diagnostics().report("rebel-072", sync.origin,
                             "this synchronisation leads back to itself: " + path);
      } else if (color[target] == kNew) {
        color[target] = kOpen;
        stack.emplace_back(target, 0);
      }
    }
  }
}

void Translator::warn_about_conditions() {
  if (diagnostics().has_errors()) return;
  const std::vector<EventId> mixed =
      warn_about_currencies(*network_, *encoder_, elaborator_.money_pairs(), diagnostics());
  const std::set<EventId> explained(mixed.begin(), mixed.end());
  for (const auto& [id, count] : preconditions_) {
    if (explained.contains(id)) continue;
    const Event& event = network_->event(id);
    frontend::warn_of_contradiction(pool_, std::span(event.guards).first(count), "rebel-093",
                                    "the precondition of '" + event.name + "'", diagnostics());
  }
}

void Translator::warn_about_fields() {
  if (diagnostics().has_errors()) return;  // what could not be read may be what gives the value
  for (std::uint32_t s = 0; s < program_.specs().size(); ++s) {
    const Spec& spec = program_.specs()[s];
    if (spec.modifier == SpecModifier::External || spec.modifier == SpecModifier::Abstract)
      continue;
    bool complete = true;  // all events are known
    for (const EventUse& use : spec.uses) complete = complete && use.definition.found();
    if (!complete) continue;
    for (std::uint32_t f = 0; f < spec.fields.size(); ++f) {
      const Field& field = spec.fields[f];
      if (field.key || f == spec.key || assigned_[s][f]) continue;
      mark_absence(diagnostics().report(
          "rebel-073", field.origin, "no event gives field '" + text(field.name) + "' a value",
          program_.types().is_collection(field.type) ? "it stays empty"
          : f == 0 && spec.key == kNone && spec.modifier == SpecModifier::None
              ? "it has an arbitrary value that never changes; is it the @key?"
              : "it has an arbitrary value that never changes"));
    }
  }
}

}  // namespace whittle::rebel

// SPDX-License-Identifier: Apache-2.0
// Synchronisations of events: which event of which instance happens in the same step, and with
// which arguments.
#include "base/nearest.h"
#include "frontend/rebel/translate.h"

namespace whittle::rebel {

void Translator::synchronisations(const Scope& scope, const EventAst& ast, EventId event) {
  const ModuleAst& module = program_.module(scope.module).ast;
  for (std::uint32_t i = 0; i < ast.sync.count; ++i) {
    synchronise(scope, module.syncs[ast.sync.first + i], event);
  }
}

// Where the parameters of the target stand.
struct Translator::SyncTarget {
  Decl from;
  const ModuleAst* module = nullptr;
  Range params;
  Span origin;  // of the declaration
};

std::uint32_t Translator::target_use(const ModuleAst& module, const SyncAst& sync,
                                     const Spec& spec) {
  const auto it = spec.use_index.find(sync.event);
  if (it != spec.use_index.end()) {
    const EventUse& use = spec.uses[it->second];
    if (use.definition.found())
      program_.symbols().use(program_.place_of(DeclKind::Event, use.definition),
                             module.span(sync.event_at));
    return it->second;
  }
  NearestName near(program_.names().text(sync.event));
  for (const EventUse& use : spec.uses) near.offer(program_.names().text(use.name));
  for (const EventUse& use : spec.uses) {
    // The specification lists an event that does not exist: that is where to repair it.
    if (!use.interface && !use.definition.found() && near.result() == text(use.name)) return kNone;
  }
  mark_absence(diagnostics().report("rebel-077", module.span(sync.event_at),
                                    "specification '" + text(spec.name) + "' has no event '" +
                                        text(sync.event) + "'",
                                    near.result() ? "did you mean '" + *near.result() + "'?" : ""),
               near.result().value_or(""));
  return kNone;
}

bool Translator::right_arity(const ModuleAst& module, const SyncAst& sync, const Spec& spec,
                             const SyncTarget& target) {
  if (target.params.count == module.list_size(sync.arguments)) return true;
  diagnostics()
      .report("rebel-063", module.span(sync.at),
              "event '" + text(sync.event) + "' of '" + text(spec.name) + "' takes " +
                  std::to_string(target.params.count) + " argument" +
                  (target.params.count == 1 ? "" : "s") + ", not " +
                  std::to_string(module.list_size(sync.arguments)))
      .related.push_back({target.origin, "declared here"});
  return false;
}

// Puts the arguments into the synchronisation, and what they need to have a value into the guards.
bool Translator::bind_arguments(const ModuleAst& module, const SyncAst& sync,
                                const SyncTarget& target, std::vector<TypedTerm>& args,
                                EventId event, Sync& result) {
  bool good = true;
  for (std::uint32_t i = 0; i < target.params.count; ++i) {
    const ParamAst& param = target.module->params[target.params.first + i];
    const RType type = program_.resolve_type(target.from.module, param.type);
    TypedTerm& arg = args[i];
    if (arg.type == RType(Kind::Unknown) || type == RType(Kind::Unknown)) {
      good = false;
      continue;
    }
    if (!elaborator_.fits(arg, type)) {
      diagnostics().report("rebel-051", module.span(module.expr(module.list(sync.arguments)[i]).at),
                           "argument '" + text(param.name) + "' of event '" + text(sync.event) +
                               "' must be " + program_.types().to_string(type) + ", but this is " +
                               program_.types().to_string(arg.type));
      good = false;
      continue;
    }
    guard(event, arg.def, result.origin);
    Expr overflow;
    for (Expr part : elaborator_.flattened(type, arg, overflow)) result.arguments.push_back(part);
    if (overflow.valid()) guard(event, pool_.negate(overflow), result.origin);
  }
  return good;
}

void Translator::synchronise(const Scope& scope, const SyncAst& sync, EventId event) {
  const ModuleAst& module = program_.module(scope.module).ast;
  const Span origin = module.span(sync.at);
  Scope before = scope;
  before.next_allowed = false;
  before.place = "in a synchronisation: keys and arguments are read before the step";
  if (program_.names().text(sync.spec.simple) == "this") {
    diagnostics().report("rebel-027", module.span(sync.spec.at),
                         "an instance does not synchronise with itself",
                         "write out what '" + text(sync.event) + "' does, as conditions here");
    return;
  }
  const std::uint32_t s = program_.resolve_spec(scope.module, sync.spec);
  std::vector<TypedTerm> args;
  for (std::uint32_t i = 0; i < module.list_size(sync.arguments); ++i) {
    args.push_back(elaborator_.value(before, module.list(sync.arguments)[i]));
  }
  auto disable = [&] { guard(event, pool_.boolean(false), origin); };
  if (s == kNone) return disable();
  refer(scope.self, s);
  const Spec& spec = program_.specs()[s];
  const bool external = spec.modifier == SpecModifier::External;
  Sync result;
  result.machine = nets_[s].machine;
  result.negated = sync.negated;
  result.origin = origin;
  if (sync.key != kNone && spec.key != kNone) {
    const TypedTerm key = elaborator_.typed(before, sync.key, elaborator_.key_type(s),
                                            "the key of " + text(spec.name));
    guard(event, key.def, origin);
    result.key = key.a;
  } else if (sync.key == kNone && spec.key != kNone) {
    diagnostics().report("rebel-056", module.span(sync.spec.at),
                         "'" + text(spec.name) + "' has a key: say which instance is meant",
                         "write " + text(spec.name) + "[...]." + text(sync.event) + "(...)");
  }
  const std::uint32_t u = target_use(module, sync, spec);
  if (u == kNone) return;
  const EventUse& use = spec.uses[u];
  SyncTarget target;
  target.from = use.interface ? use.ref : use.definition;
  if (!target.from.found()) {
    if (!external) disable();
    return;
  }
  target.module = &program_.module(target.from.module).ast;
  if (use.interface) {
    const EventRefAst& ref = target.module->event_refs[target.from.index];
    target.params = ref.params;
    target.origin = target.module->span(ref.at);
  } else {
    const EventAst& definition = target.module->events[target.from.index];
    if (definition.broken) return;
    target.params = definition.params;
    target.origin = target.module->span(definition.name.at);
  }
  if (!right_arity(module, sync, spec, target)) return;
  const bool good = bind_arguments(module, sync, target, args, event, result);
  // Interface events of external specifications are always possible and change nothing.
  if (external) {
    if (sync.negated) disable();
    return;
  }
  if (!good || !event.valid() || (spec.key != kNone && !result.key.valid())) return;
  result.event = nets_[s].events[u];
  if (!result.event.valid()) return disable();
  network_->event(event).syncs.push_back(std::move(result));
}

}  // namespace whittle::rebel

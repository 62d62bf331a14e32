// SPDX-License-Identifier: Apache-2.0
// What is printed is decided by places: a statement stands in the text at some offset, and it stays
// if a guard, effect or synchronisation of the network has its origin there. Because statements
// come back whole, the set is closed first: what a kept statement reads must be there, and then
// also whatever gives it its value.
#include <algorithm>

#include "frontend/rebel/parser.h"
#include "frontend/rebel/print_impl.h"

namespace whittle::rebel {

const ModuleAst& Printer::module_of(FileId file) {
  auto& slot = modules_[file.index()];
  if (!slot) {
    const std::string& path = sources_.file(file).path();
    const bool test = path.ends_with(".tebl");
    slot = std::make_unique<ModuleAst>(parse(sources_, file, test, names_, ignored_));
    for (const SpecAst& spec : slot->specs) {
      spec_asts_.try_emplace(name(spec.name), slot.get(), &spec);
    }
    auto& events = event_asts_[slot.get()];
    for (const EventAst& event : slot->events) events[event.at.begin] = &event;
  }
  return *slot;
}

// ----- what the network says

const SpecAst* Printer::find_spec(const std::string& wanted, const ModuleAst** module) {
  const auto it = spec_asts_.find(wanted);
  if (it == spec_asts_.end()) return nullptr;
  *module = it->second.first;
  return it->second.second;
}

void Printer::collect_machine(MachineId id) {
  const Machine& machine = network_.machine(id);
  KeptSpec spec;
  spec.name = machine.name;
  spec.machine = id;
  if (machine.origin.valid()) module_of(machine.origin.file);
  spec.ast = find_spec(machine.name, &spec.module);
  for (VariableId v : machine.variables) {
    const Variable& variable = network_.variable(v);
    if (variable.origin.valid()) module_of(variable.origin.file);
    const std::string whole = variable.name.substr(0, variable.name.find_first_of(".#"));
    spec.fields.insert(whole);
  }
  for (EventId e : machine.events) collect_event(spec, network_.event(e));
  spec_index_[spec.name] = specs_.size();
  specs_.push_back(std::move(spec));
}

void Printer::collect_event(KeptSpec& spec, const Event& event) {
  KeptEvent kept;
  kept.name = event.name;
  if (event.origin.valid()) {
    kept.module = &module_of(event.origin.file);
    const auto& events = event_asts_[kept.module];
    if (const auto it = events.find(event.origin.begin); it != events.end()) kept.ast = it->second;
  }
  auto keep = [&](Span origin, std::set<std::uint32_t>& set) {
    if (origin.valid()) set.insert(origin.begin);
  };
  for (const Guard& guard : event.guards) keep(guard.origin, kept.statements);
  for (const Effect& effect : event.effects) keep(effect.origin, kept.statements);
  for (const Sync& sync : event.syncs) keep(sync.origin, kept.syncs);
  for (const Guard& guard : event.guards) keep(guard.origin, kept.syncs);  // their definedness
  for (const Parameter& parameter : event.parameters) {
    kept.params.insert(parameter.name.substr(0, parameter.name.find_first_of(".#")));
  }
  spec.event_order.push_back(kept.name);
  spec.events[kept.name] = std::move(kept);
}

// ----- what statements speak about

// Whose field `e.x` is: `this.x`, `Account[k].x` and `Account.x` say so.
std::string Printer::owner(const ModuleAst& m, ExprRef e) {
  const ExprNode& base = m.expr(e);
  if (base.kind == ExprKind::This) return kOwn;
  const ExprNode& word = base.kind == ExprKind::Index ? m.expr(base.a) : base;
  const std::string named = word.kind == ExprKind::Word    ? name(word.a)
                            : word.kind == ExprKind::Field ? name(word.b)
                                                           : "";
  if (spec_asts_.contains(named)) return named;
  return kAnybody;
}

void Printer::mentions(const ModuleAst& m, ExprRef root, Mention& out, std::set<std::string>& calls,
                       std::set<std::string>& specs) {
  if (root == kNone) return;
  std::vector<ExprRef> stack{root};
  while (!stack.empty()) {
    const ExprNode& n = m.expr(stack.back());
    stack.pop_back();
    switch (n.kind) {
      case ExprKind::Word:
        out.insert({kOwn, name(n.a)});
        specs.insert(name(n.a));
        break;
      case ExprKind::Field:
        out.insert({owner(m, n.a), name(n.b)});
        specs.insert(name(n.b));  // `fleet.cars.Driver[k]` looks like a field
        break;
      case ExprKind::Call:
        if (m.expr(n.a).kind == ExprKind::Word) calls.insert(name(m.expr(n.a).a));
        if (m.expr(n.a).kind == ExprKind::Field) calls.insert(name(m.expr(n.a).b));
        break;
      default:
        break;
    }
    m.each_operand(n, [&](ExprRef e) { stack.push_back(e); });
  }
}

void Printer::statement_mentions(const ModuleAst& m, const StmtAst& stmt, Mention& out,
                                 std::set<std::string>& calls, std::set<std::string>& specs) {
  mentions(m, stmt.expr, out, calls, specs);
  for (std::uint32_t i = 0; i < stmt.cases.count; ++i) {
    const CaseAst& one = m.cases[stmt.cases.first + i];
    mentions(m, one.literal, out, calls, specs);
    statement_mentions(m, m.stmts[one.then], out, calls, specs);
  }
}

bool Printer::writes(const ModuleAst& m, const StmtAst& stmt, const std::string& field) {
  // `new` anywhere before the name is enough: more is kept rather than less.
  Mention found;
  std::set<std::string> calls, specs;
  statement_mentions(m, stmt, found, calls, specs);
  return (found.contains({kOwn, field}) || found.contains({kAnybody, field})) &&
         text(m, stmt.at).find("new") != std::string::npos;
}

void Printer::keep_all(KeptEvent& event) {
  if (event.all || event.ast == nullptr) return;
  event.all = true;
  for (const Range& range : {event.ast->pre, event.ast->post}) {
    for (std::uint32_t i = 0; i < range.count; ++i) {
      event.statements.insert(event.module->stmts[range.first + i].at.begin);
    }
  }
  for (std::uint32_t i = 0; i < event.ast->sync.count; ++i) {
    event.syncs.insert(event.module->syncs[event.ast->sync.first + i].at.begin);
  }
}

bool Printer::keep_field(KeptSpec& spec, const std::string& field) {
  const ModuleAst* module = nullptr;
  if (spec.fields.contains(field) || find_field(spec, field, &module) == nullptr) return false;
  spec.fields.insert(field);
  // Whatever gives it a value comes back as a whole.
  for (auto& [event_name, event] : spec.events) {
    if (event.ast == nullptr) continue;
    for (std::uint32_t i = 0; i < event.ast->post.count; ++i) {
      if (writes(*event.module, event.module->stmts[event.ast->post.first + i], field)) {
        keep_all(event);
      }
    }
  }
  return true;
}

void Printer::event_mentions(const KeptEvent& event, Mention& out, std::set<std::string>& calls,
                             std::set<std::string>& specs) {
  if (event.ast == nullptr) return;
  const ModuleAst& m = *event.module;
  for (const Range& range : {event.ast->pre, event.ast->post}) {
    for (std::uint32_t i = 0; i < range.count; ++i) {
      const StmtAst& stmt = m.stmts[range.first + i];
      if (event.statements.contains(stmt.at.begin)) {
        statement_mentions(m, stmt, out, calls, specs);
      }
    }
  }
  for (std::uint32_t i = 0; i < event.ast->sync.count; ++i) {
    const SyncAst& sync = m.syncs[event.ast->sync.first + i];
    if (!event.syncs.contains(sync.at.begin)) continue;
    specs.insert(name(sync.spec.simple));
    mentions(m, sync.key, out, calls, specs);
    for (std::uint32_t a = 0; a < m.list_size(sync.arguments); ++a) {
      mentions(m, m.list(sync.arguments)[a], out, calls, specs);
    }
  }
}

void Printer::close() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (KeptSpec& spec : specs_) {
      for (const std::string& event_name : spec.event_order) {
        KeptEvent& event = spec.events[event_name];
        Mention found;
        std::set<std::string> calls, used;
        event_mentions(event, found, calls, used);
        const ModuleAst* ref_module = nullptr;
        if (const EventRefAst* ref = find_ref(spec, event_name, &ref_module)) {
          for (std::uint32_t i = 0; i < ref->arguments.count; ++i) {
            mentions(*ref_module, ref_module->config_args[ref->arguments.first + i].value, found,
                     calls, used);
          }
        }
        for (const std::string& other : used) {
          if (spec_index_.contains(other) && other != spec.name) spec.used_specs.insert(other);
        }
        for (const auto& [whose, mentioned] : found) {
          if (whose == kOwn && is_parameter(event, mentioned)) {  // it hides a field of that name
            changed = event.params.insert(mentioned).second || changed;
          } else if (whose == kOwn) {
            changed = keep_field(spec, mentioned) || changed;
          } else {
            for (KeptSpec& other : specs_)
              if (whose == kAnybody || whose == other.name)
                changed = keep_field(other, mentioned) || changed;
          }
        }
      }
    }
  }
}

bool Printer::is_parameter(const KeptEvent& event, const std::string& wanted) {
  if (event.ast == nullptr) return false;
  for (const Range& range : {event.ast->params, event.ast->config})
    for (std::uint32_t p = 0; p < range.count; ++p)
      if (names_.text(event.module->params[range.first + p].name) == wanted) return true;
  return false;
}

const FieldAst* Printer::find_field(KeptSpec& spec, const std::string& wanted,
                                    const ModuleAst** module) {
  // Its own fields, then those of the specifications it extends.
  const ModuleAst* m = spec.module;
  const SpecAst* ast = spec.ast;
  for (int depth = 0; ast != nullptr && depth < 64; ++depth) {
    const auto [table, fresh] = field_asts_.try_emplace(ast);
    for (std::uint32_t i = 0; fresh && i < ast->fields.count; ++i) {
      const FieldAst& field = m->fields[ast->fields.first + i];
      table->second.try_emplace(name(field.name), &field);
    }
    if (const auto it = table->second.find(wanted); it != table->second.end()) {
      *module = m;
      return it->second;
    }
    if (!ast->extends.given()) return nullptr;
    ast = find_spec(name(ast->extends.simple), &m);
  }
  return nullptr;
}

const EventRefAst* Printer::find_ref(const KeptSpec& spec, const std::string& wanted,
                                     const ModuleAst** module) {
  const ModuleAst* m = spec.module;
  const SpecAst* ast = spec.ast;
  for (int depth = 0; ast != nullptr && depth < 64; ++depth) {
    const auto [table, fresh] = ref_asts_.try_emplace(ast);
    for (std::uint32_t i = 0; fresh && i < ast->events.count; ++i) {
      const EventRefAst& ref = m->event_refs[ast->events.first + i];
      table->second.try_emplace(name(ref.event.simple), &ref);
    }
    if (const auto it = table->second.find(wanted); it != table->second.end()) {
      *module = m;
      return it->second;
    }
    if (!ast->extends.given()) return nullptr;
    ast = find_spec(name(ast->extends.simple), &m);
  }
  return nullptr;
}

}  // namespace whittle::rebel

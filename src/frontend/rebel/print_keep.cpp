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

void Printer::mentions(const ModuleAst& m, ExprRef root, Mention& out, std::set<std::string>& calls,
                       std::set<std::string>& specs) {
  if (root == kNone) return;
  std::vector<ExprRef> stack{root};
  auto push_list = [&](std::uint32_t list) {
    for (std::uint32_t i = 0; i < m.list_size(list); ++i) stack.push_back(m.list(list)[i]);
  };
  while (!stack.empty()) {
    const ExprNode& n = m.expr(stack.back());
    stack.pop_back();
    switch (n.kind) {
      case Ex::Word:
        out.insert({false, name(n.a)});
        specs.insert(name(n.a));
        break;
      case Ex::Field:
        out.insert({m.expr(n.a).kind != Ex::This, name(n.b)});
        stack.push_back(n.a);
        break;
      case Ex::Call:
        if (m.expr(n.a).kind == Ex::Word) calls.insert(name(m.expr(n.a).a));
        if (m.expr(n.a).kind == Ex::Field) calls.insert(name(m.expr(n.a).b));
        push_list(n.b);
        break;
      case Ex::Index:
      case Ex::Interval:
      case Ex::Mul:
      case Ex::Div:
      case Ex::Mod:
      case Ex::In:
      case Ex::Add:
      case Ex::Sub:
      case Ex::Lt:
      case Ex::Le:
      case Ex::Gt:
      case Ex::Ge:
      case Ex::Eq:
      case Ex::Ne:
      case Ex::And:
      case Ex::Or:
      case Ex::Implies:
        stack.push_back(n.a);
        stack.push_back(n.b);
        break;
      case Ex::Cond:
        stack.insert(stack.end(), {n.a, n.b, n.c});
        break;
      case Ex::MapOf:
      case Ex::Set:
        push_list(n.a);
        break;
      case Ex::Comprehension:
      case Ex::Forall:
      case Ex::Exists:
        stack.push_back(n.b);
        push_list(n.c);
        break;
      case Ex::Card:
      case Ex::New:
      case Ex::Not:
      case Ex::Neg:
      case Ex::Initialized:
      case Ex::Finalized:
      case Ex::Instate:
        stack.push_back(n.a);
        break;
      default:
        break;
    }
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
  return (found.contains({false, field}) || found.contains({true, field})) &&
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
        for (const auto& [remote, mentioned] : found) {
          // A parameter hides a field of the same name.
          bool is_param = false;
          if (event.ast != nullptr) {
            for (std::uint32_t p = 0; p < event.ast->params.count; ++p) {
              const ParamAst& param = event.module->params[event.ast->params.first + p];
              if (names_.text(param.name) == mentioned) is_param = true;
            }
          }
          if (is_param && event.params.insert(mentioned).second) changed = true;
          changed = keep_field(spec, mentioned) || changed;
          if (!remote) continue;
          for (KeptSpec& other : specs_) changed = keep_field(other, mentioned) || changed;
        }
      }
    }
  }
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

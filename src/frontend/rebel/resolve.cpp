// SPDX-License-Identifier: Apache-2.0
// What names mean, and specifications with all they inherit. A name is looked for in the module
// itself, then in its direct imports, then in what those import (with a warning); two candidates at
// one level are an error that asks for the qualified name.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>

#include "base/nearest.h"
#include "base/read_file.h"
#include "frontend/rebel/program.h"

namespace whittle::rebel {

namespace fs = std::filesystem;

namespace {

const char* word(DeclKind kind) {
  switch (kind) {
    case DeclKind::Spec:
      return "specification";
    case DeclKind::Event:
      return "event";
    case DeclKind::Function:
      return "function";
    case DeclKind::Invariant:
      return "invariant";
  }
  return "declaration";
}

}  // namespace

Table& Program::table(DeclKind kind, std::uint32_t m) {
  switch (kind) {
    case DeclKind::Spec:
      return modules_[m]->specs;
    case DeclKind::Event:
      return modules_[m]->events;
    case DeclKind::Function:
      return modules_[m]->functions;
    case DeclKind::Invariant:
      break;
  }
  return modules_[m]->invariants;
}

QName Program::name_of(DeclKind kind, Decl decl) const {
  const ModuleAst& ast = module(decl.module).ast;
  switch (kind) {
    case DeclKind::Spec: {
      QName name;
      name.simple = name.full = ast.specs[decl.index].name;
      name.at = ast.specs[decl.index].name_at;
      return name;
    }
    case DeclKind::Event:
      return ast.events[decl.index].name;
    case DeclKind::Function:
      return ast.functions[decl.index].name;
    case DeclKind::Invariant:
      break;
  }
  return ast.invariants[decl.index].name;
}

void Program::use(Span declaration, std::uint32_t m, Extent at, Name name) {
  const std::string_view text = names_.text(name);
  if (!symbols_.wanted() || at.end - at.begin < text.size()) return;
  const Span place = span(m, {static_cast<std::uint32_t>(at.end - text.size()), at.end});
  if (sources_.text(place) == text) symbols_.use(declaration, place);
}

const std::vector<std::uint32_t>& Program::reachable(std::uint32_t m) {
  Module& start = *modules_[m];
  if (start.reachable_known) return start.reachable;
  start.reachable_known = true;
  std::vector<bool> seen(modules_.size(), false);
  seen[m] = true;
  std::vector<std::uint32_t> queue = start.imports;
  for (std::uint32_t i : start.imports) seen[i] = true;
  for (std::size_t q = 0; q < queue.size(); ++q) {
    for (std::uint32_t next : modules_[queue[q]]->imports) {
      if (seen[next]) continue;
      seen[next] = true;
      queue.push_back(next);
      start.reachable.push_back(next);
    }
  }
  return start.reachable;
}

void Program::candidates(DeclKind kind, std::uint32_t m, const QName& name,
                         std::vector<Decl>& found, int& level) {
  auto look = [&](std::uint32_t where) {
    const Table& names = table(kind, where);
    if (const auto it = names.find(name.simple); it != names.end()) {
      found.push_back({where, it->second});
    }
  };
  level = 0;
  if (name.qualified()) {
    std::string prefix = text(name.full);
    prefix.resize(prefix.size() - names_.text(name.simple).size() - 1);
    for (std::uint32_t i = 0; i < modules_.size(); ++i) {
      const std::string_view full = names_.text(modules_[i]->name);
      const bool same = full == prefix || (full.size() > prefix.size() && full.ends_with(prefix) &&
                                           full[full.size() - prefix.size() - 1] == '.');
      if (same) look(i);
    }
    // For specifications the whole may be the name of the module: `pkg.Account`.
    if (found.empty() && kind == DeclKind::Spec) {
      const auto it = by_name_.find(name.full);
      if (it != by_name_.end() && it->second != kNone) look(it->second);
    }
    return;
  }
  look(m);
  if (!found.empty()) return;
  level = 1;
  for (std::uint32_t i : modules_[m]->imports) look(i);
  if (!found.empty()) return;
  level = 2;
  for (std::uint32_t i : reachable(m)) look(i);
}

Decl Program::resolve(DeclKind kind, std::uint32_t m, const QName& name, bool quiet) {
  std::vector<Decl> found;
  int level = 0;
  candidates(kind, m, name, found, level);
  const Span at = span(m, name.at);
  if (found.empty()) {
    if (!quiet) report_missing(kind, m, name);
    return {};
  }
  if (found.size() > 1 && !quiet) {
    std::string where;
    for (const Decl& decl : found) {
      if (!where.empty()) where += " or ";
      where += text(modules_[decl.module]->name) + "." + text(name.simple);
    }
    Diagnostic& report = diagnostics_.report(
        "rebel-024", at, std::string(word(kind)) + " '" + text(name.simple) + "' is ambiguous",
        "write " + where);
    for (const Decl& decl : found) {
      report.related.push_back({span(decl.module, name_of(kind, decl).at), "declared here"});
    }
    return {};
  }
  symbols_.use(place_of(kind, found[0]), at);
  if (level == 2 && !quiet) {
    diagnostics_.report("rebel-025", at,
                        std::string(word(kind)) + " '" + text(name.simple) +
                            "' is found only through the imports of an import",
                        "add 'import " + text(modules_[found[0].module]->name) + "'");
  }
  return found[0];
}

namespace {

// For hints: the module in the folder of this file whose text has such a declaration.
std::string module_beside(const std::string& path, const std::string& declaration) {
  constexpr std::size_t kMostFiles = 200;
  std::error_code problem;
  std::vector<fs::path> files;
  const fs::path folder = fs::path(path).parent_path();
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, problem);
       !problem && entry != fs::directory_iterator() && files.size() < kMostFiles;
       entry.increment(problem))
    if (entry->path().extension() == ".ebl" && entry->path() != path)
      files.push_back(entry->path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const auto text = read_file(file.string());
    if (!text) continue;
    const std::size_t at = text->find(declaration);
    const std::size_t end = at + declaration.size();
    if (at == std::string::npos || (at > 0 && (*text)[at - 1] != '\n') ||
        (end < text->size() && (std::isalnum(static_cast<unsigned char>((*text)[end])) != 0)))
      continue;
    // Its module line says what it is called.
    const std::size_t line = text->rfind("module ", at);
    if (line == std::string::npos || (line > 0 && (*text)[line - 1] != '\n'))
      return file.stem().string();
    const std::size_t begin = line + 7;
    return text->substr(begin, text->find_first_of(" \t\r\n", begin) - begin);
  }
  return {};
}

}  // namespace

void Program::report_missing(DeclKind kind, std::uint32_t m, const QName& name) {
  const Module& here = *modules_[m];
  // A fragment with events only, or with a specification only, shows a part of a program.
  const bool elsewhere = here.fragment && !here.ast.test &&
                         ((kind == DeclKind::Event && here.events.empty()) ||
                          (kind == DeclKind::Spec && (here.specs.empty() || here.events.empty())));
  NearestName near(names_.text(name.simple));
  std::string module_with_it;
  auto offer = [&](std::uint32_t i) {
    for (const auto& entry : table(kind, i)) near.offer(names_.text(entry.first));
  };
  offer(m);
  for (std::uint32_t i : here.imports) offer(i);
  for (std::uint32_t i : reachable(m)) offer(i);
  for (std::uint32_t i = 0; i < modules_.size(); ++i) {
    if (table(kind, i).contains(name.simple)) module_with_it = text(modules_[i]->name);
  }
  std::string hint;
  std::string meant;
  if (!module_with_it.empty()) {
    hint = "it is declared in module " + module_with_it + ", which is not imported here";
  } else if (near.result()) {
    meant = *near.result();
    hint = "did you mean '" + meant + "'?";
  } else if (const auto beside = module_beside(sources_.file(span(m, name.at).file).path(),
                                               std::string(word(kind)) + " " + text(name.simple));
             !beside.empty() && !name.qualified()) {
    hint = "add 'import " + beside + "', which declares it";
  } else if (elsewhere) {
    hint = "this fragment shows a part only; import the module that declares it";
  }
  Diagnostic& missing =
      diagnostics_.report(elsewhere ? "rebel-026" : "rebel-027", span(m, name.at),
                          "there is no " + std::string(word(kind)) + " '" + text(name.full) + "'" +
                              (elsewhere ? " in this fragment" : ""),
                          hint);
  if (!elsewhere) mark_absence(missing, meant);
}

std::uint32_t Program::resolve_spec(std::uint32_t m, const QName& name, bool quiet) {
  const Decl decl = resolve(DeclKind::Spec, m, name, quiet);
  return decl.found() ? spec_of(decl) : kNone;
}

RType Program::resolve_type(std::uint32_t m, TypeRef t) {
  if (t == kNone) return Kind::Unknown;
  const ModuleAst& ast = modules_[m]->ast;
  const TypeNode node = ast.types[t];
  switch (node.kind) {
    case TypeNodeKind::Set: {
      const RType element = resolve_type(m, node.a);
      if (types_.is_collection(element)) {
        diagnostics_.report("rebel-028", ast.span(node.at),
                            "sets of sets or maps are not supported");
        return Kind::Unknown;
      }
      return element == RType(Kind::Unknown) ? element : types_.set(element);
    }
    case TypeNodeKind::Map: {
      const RType key = resolve_type(m, node.a);
      const RType value = resolve_type(m, node.b);
      if (types_.is_collection(key) || types_.is_collection(value)) {
        diagnostics_.report("rebel-028", ast.span(node.at),
                            "maps of sets or maps are not supported");
        return Kind::Unknown;
      }
      if (key == RType(Kind::Unknown) || value == RType(Kind::Unknown)) return Kind::Unknown;
      return types_.map(key, value);
    }
    case TypeNodeKind::Function:
    case TypeNodeKind::Tuple:
      return types_.function();
    case TypeNodeKind::Named:
      break;
  }
  const std::string_view name = names_.text(node.a);
  const Kind simple = simple_type_named(name);
  if (simple == Kind::InterestTariff) {
    diagnostics_.report("rebel-029", ast.span(node.at), "interest tariffs are not supported",
                        "use a Percentage");
    return Kind::Unknown;
  }
  if (simple != Kind::Unknown) return simple;
  QName spec;
  spec.simple = node.a;
  spec.full = node.b;
  spec.at = node.at;
  if (const std::uint32_t s = resolve_spec(m, spec, true); s != kNone) return types_.spec(s);
  NearestName near(name);
  for (const std::string& known : simple_type_names()) near.offer(known);
  for (const Spec& known : specs_) near.offer(names_.text(known.name));
  std::string hint;
  if (near.result()) {
    hint = "did you mean '" + *near.result() + "'?";
  } else if (name == "Int" || name == "int" || name == "Number" || name == "Real") {
    hint = "numbers are of type Integer";
  } else if (name == "Bool" || name == "bool") {
    hint = "truth values are of type Boolean";
  }
  diagnostics_.report("rebel-030", ast.span(node.at),
                      "there is no type '" + std::string(name) + "'", hint);
  return Kind::Unknown;
}

// ----- specifications

void Program::build_spec(std::uint32_t s) {
  if (specs_[s].progress != Spec::Progress::Untouched) return;
  specs_[s].progress = Spec::Progress::Busy;
  const std::uint32_t m = specs_[s].decl.module;
  const SpecAst ast = modules_[m]->ast.specs[specs_[s].decl.index];
  if (ast.extends.given()) {
    // Chains of `extends` are followed by hand: parents are built first, however long the chain.
    std::vector<std::uint32_t> chain{s};
    while (true) {
      const std::uint32_t child = chain.back();
      const std::uint32_t cm = specs_[child].decl.module;
      const SpecAst& child_ast = modules_[cm]->ast.specs[specs_[child].decl.index];
      if (!child_ast.extends.given()) break;
      const std::uint32_t parent = resolve_spec(cm, child_ast.extends);
      if (parent == kNone) break;
      if (std::find(chain.begin(), chain.end(), parent) != chain.end()) {
        diagnostics_.report(
            "rebel-031", span(cm, child_ast.extends.at),
            "specification '" + text(specs_[child].name) + "' extends itself" +
                (parent == child ? std::string()
                                 : ", through '" + text(specs_[parent].name) + "'"));
        for (std::uint32_t one : chain) specs_[one].circular = true;
        break;
      }
      specs_[child].parent = parent;
      if (specs_[parent].progress == Spec::Progress::Done) break;
      chain.push_back(parent);
    }
    for (std::size_t i = chain.size(); i-- > 0;) {
      Spec& one = specs_[chain[i]];
      const SpecAst& one_ast = modules_[one.decl.module]->ast.specs[one.decl.index];
      if (one.parent != kNone) inherit(one, specs_[one.parent]);
      own_fields(one, one_ast);
      own_events(one, one_ast);
      own_life_cycle(one, one_ast);
      check_spec(one);
      one.progress = Spec::Progress::Done;
    }
    return;
  }
  Spec& spec = specs_[s];
  own_fields(spec, modules_[m]->ast.specs[spec.decl.index]);
  own_events(spec, modules_[m]->ast.specs[spec.decl.index]);
  own_life_cycle(spec, modules_[m]->ast.specs[spec.decl.index]);
  check_spec(spec);
  spec.progress = Spec::Progress::Done;
}

void Program::inherit(Spec& spec, const Spec& parent) {
  spec.fields = parent.fields;
  spec.field_index = parent.field_index;
  spec.uses = parent.uses;
  spec.use_index = parent.use_index;
  spec.invariants = parent.invariants;
  spec.states = parent.states;
  spec.state_index = parent.state_index;
  spec.arcs = parent.arcs;
}

void Program::own_fields(Spec& spec, const SpecAst& ast) {
  const std::uint32_t m = spec.decl.module;
  const ModuleAst& module_ast = modules_[m]->ast;
  const std::size_t inherited = spec.fields.size();
  for (std::uint32_t i = 0; i < ast.fields.count; ++i) {
    const FieldAst& from = module_ast.fields[ast.fields.first + i];
    Field field;
    field.name = from.name;
    field.type = resolve_type(m, from.type);
    field.key = from.key;
    field.origin = span(m, from.at);
    field.name_at = span(m, from.name_at);
    if (types_.kind(field.type) == Kind::Function) {
      diagnostics_.report("rebel-032", field.origin, "a field cannot hold a function");
      field.type = Kind::Unknown;
    }
    if (from.ref.given()) field.ref = resolve_spec(m, from.ref);
    const auto [it, fresh] =
        spec.field_index.try_emplace(field.name, static_cast<std::uint32_t>(spec.fields.size()));
    if (fresh) {
      symbols_.declare(SymbolKind::Variable, text(field.name), field.name_at);
      spec.fields.push_back(field);
      continue;
    }
    const Field& before = spec.fields[it->second];
    if (it->second < inherited && before.type == field.type) continue;
    diagnostics_
        .report("rebel-021", span(m, from.name_at),
                it->second < inherited
                    ? "field '" + text(field.name) + "' is inherited with another type"
                    : "field '" + text(field.name) + "' is declared twice")
        .related.push_back({before.origin, "first declared here"});
  }
}

void Program::own_events(Spec& spec, const SpecAst& ast) {
  const std::uint32_t m = spec.decl.module;
  const std::size_t inherited = spec.uses.size();
  spec.use_index.reserve(spec.use_index.size() + ast.events.count);
  spec.uses.reserve(spec.uses.size() + ast.events.count);
  for (std::uint32_t i = 0; i < ast.events.count; ++i) {
    const EventRefAst& ref = modules_[m]->ast.event_refs[ast.events.first + i];
    EventUse use;
    use.name = ref.event.simple;
    use.ref = {m, ast.events.first + i};
    use.interface = ref.interface;
    if (ref.interface) {
      if (spec.modifier != SpecModifier::Abstract && spec.modifier != SpecModifier::External) {
        diagnostics_.report(
            "rebel-033", span(m, ref.at),
            "only abstract and external specifications have events without a definition",
            "write '" + text(use.name) + "[]' and define the event in a library");
      }
    } else if (spec.modifier == SpecModifier::External) {
      use.definition = resolve(DeclKind::Event, m, ref.event, true);
    } else {
      use.definition = resolve(DeclKind::Event, m, ref.event);
    }
    const auto [it, fresh] =
        spec.use_index.try_emplace(use.name, static_cast<std::uint32_t>(spec.uses.size()));
    if (fresh) {
      spec.uses.push_back(use);
    } else if (it->second < inherited) {
      spec.uses[it->second] = use;  // the child's configuration replaces the parent's
    } else {
      diagnostics_
          .report("rebel-021", span(m, ref.at), "event '" + text(use.name) + "' is listed twice")
          .related.push_back({span(spec.uses[it->second].ref.module,
                                   modules_[m]->ast.event_refs[spec.uses[it->second].ref.index].at),
                              "first listed here"});
    }
  }
  for (std::uint32_t i = 0; i < ast.invariants.count; ++i) {
    const QName& name = modules_[m]->ast.invariant_refs[ast.invariants.first + i];
    const Decl decl = resolve(DeclKind::Invariant, m, name);
    if (!decl.found()) continue;
    if (std::find(spec.invariants.begin(), spec.invariants.end(), decl) == spec.invariants.end()) {
      spec.invariants.push_back(decl);
    }
  }
}

void Program::own_life_cycle(Spec& spec, const SpecAst& ast) {
  const std::uint32_t m = spec.decl.module;
  const ModuleAst& module_ast = modules_[m]->ast;
  auto state = [&](Name name, Extent at) {
    const auto [it, fresh] =
        spec.state_index.try_emplace(name, static_cast<std::uint32_t>(spec.states.size()));
    if (fresh) {
      spec.states.push_back({name, false, false, span(m, at)});
      symbols_.declare(SymbolKind::Location, text(name), span(m, at));
    }
    symbols_.use(spec.states[it->second].origin, span(m, at));
    return it->second;
  };
  // Declared states first, so that their places are where they are declared, not where they are
  // first used as a target.
  for (std::uint32_t i = 0; i < ast.states.count; ++i) {
    const LifeStateAst& from = module_ast.life_states[ast.states.first + i];
    LifeState& declared = spec.states[state(from.state, from.state_at)];
    if (from.initial) declared.initial = true;
    if (from.final) declared.final = true;
  }
  std::set<std::array<std::uint32_t, 3>> known;  // entries of one state may repeat
  auto add_arc = [&](const LifeArc& arc) {
    if (known.insert({arc.use, arc.from, arc.to}).second) spec.arcs.push_back(arc);
  };
  const std::vector<LifeArc> inherited = std::move(spec.arcs);
  spec.arcs.clear();
  for (const LifeArc& arc : inherited) add_arc(arc);
  for (std::uint32_t i = 0; i < ast.states.count; ++i) {
    const LifeStateAst& from = module_ast.life_states[ast.states.first + i];
    const std::uint32_t source = spec.state_index.at(from.state);
    for (std::uint32_t t = 0; t < from.targets.count; ++t) {
      const LifeTargetAst& target = module_ast.life_targets[from.targets.first + t];
      const std::uint32_t destination = state(target.state, target.state_at);
      for (std::uint32_t e = 0; e < target.events.count; ++e) {
        const LifeEventAst& event = module_ast.life_events[target.events.first + e];
        const auto use = spec.use_index.find(event.event);
        if (use == spec.use_index.end()) {
          NearestName near(names_.text(event.event));
          bool all_known = true;
          for (const EventUse& other : spec.uses) {
            near.offer(names_.text(other.name));
            all_known = all_known && (other.interface || other.definition.found());
          }
          spec.unread_arcs = true;
          // The list of events may be where the name is wrong, which has been said.
          const QName simple{event.event, event.event, event.at};
          if (!all_known && resolve(DeclKind::Event, m, simple, true).found()) continue;
          mark_absence(diagnostics_.report("rebel-034", span(m, event.at),
                                           "specification '" + text(spec.name) +
                                               "' has no event '" + text(event.event) + "'",
                                           near.result() ? "did you mean '" + *near.result() + "'?"
                                                         : "list it in the section 'events'"),
                       near.result().value_or(""));
          continue;
        }
        if (const Decl definition = spec.uses[use->second].definition; definition.found())
          symbols_.use(place_of(DeclKind::Event, definition), span(m, event.at));
        add_arc({source, destination, use->second, span(m, event.at)});
      }
    }
  }
}

void Program::check_spec(Spec& spec) {
  const bool external = spec.modifier == SpecModifier::External;
  std::uint32_t keys = 0;
  for (std::uint32_t f = 0; f < spec.fields.size(); ++f) {
    if (!spec.fields[f].key) continue;
    ++keys;
    if (spec.key == kNone) {
      spec.key = f;
      const Kind kind = types_.kind(spec.fields[f].type);
      if (types_.is_collection(spec.fields[f].type) || kind == Kind::Money ||
          kind == Kind::DateTime || kind == Kind::Term || kind == Kind::Boolean ||
          kind == Kind::Spec) {
        diagnostics_.report(
            "rebel-035", spec.fields[f].origin,
            "a key of type " + types_.to_string(spec.fields[f].type) + " is not supported",
            "use Integer, IBAN or String");
      }
    } else if (!spec.circular) {
      diagnostics_
          .report("rebel-036", spec.fields[f].origin,
                  "specification '" + text(spec.name) + "' has several keys",
                  "composite keys are not supported; use one @key field")
          .related.push_back({spec.fields[spec.key].origin, "the first key"});
    }
  }
  for (std::uint32_t s = 0; s < spec.states.size(); ++s) {
    if (!spec.states[s].initial) continue;
    if (spec.initial == kNone) {
      spec.initial = s;
    } else if (!spec.circular) {
      diagnostics_
          .report("rebel-037", spec.states[s].origin,
                  "specification '" + text(spec.name) + "' has several initial states")
          .related.push_back({spec.states[spec.initial].origin, "the first one"});
    }
  }
  if (spec.initial == kNone && !external && spec.modifier != SpecModifier::Abstract) {
    // Where the word belongs: at the first entry of the own life cycle.
    const SpecAst& ast = modules_[spec.decl.module]->ast.specs[spec.decl.index];
    mark_absence(diagnostics_.report(
        "rebel-038",
        ast.states.count == 0
            ? spec.origin
            : span(spec.decl.module,
                   modules_[spec.decl.module]->ast.life_states[ast.states.first].state_at),
        "specification '" + text(spec.name) + "' has no initial state",
        spec.states.empty() ? "add 'lifeCycle { initial init -> ... }'"
                            : "write 'initial " + text(spec.states[0].name) +
                                  "' for the state in which instances begin"));
  }
  const bool whole = spec.modifier != SpecModifier::Abstract && !spec.circular && !spec.unread_arcs;
  if (spec.initial != kNone && whole) warn_never_entered(spec);
}

// A way out of a state into which nothing leads is most often a misspelt name, and so is a state
// with no way out either if it is final or is called like another one. Others may be there for a
// specification that extends this one.
void Program::warn_never_entered(const Spec& spec) {
  std::vector<bool> entered(spec.states.size(), false);
  std::vector<bool> left(spec.states.size(), false);
  entered[spec.initial] = true;
  for (const LifeArc& arc : spec.arcs) {
    if (arc.from != arc.to) entered[arc.to] = true;
    left[arc.from] = true;
  }
  int said = 0;
  for (std::uint32_t s = 0; s < spec.states.size() && said < 10; ++s) {
    if (entered[s]) continue;
    NearestName near(names_.text(spec.states[s].name));
    for (std::uint32_t other = 0; other < spec.states.size(); ++other) {
      if (entered[other]) near.offer(names_.text(spec.states[other].name));
    }
    if (!left[s]) {
      near.offer("final");
      near.offer("initial");
      const auto extends_it = [&](const Spec& other) {
        return other.parent != kNone && &specs_[other.parent] == &spec;
      };
      if (!(spec.states[s].final || near.result()) ||
          std::any_of(specs_.begin(), specs_.end(), extends_it)) {
        continue;
      }
    }
    ++said;
    diagnostics_.report(
        "rebel-089", spec.states[s].origin,
        "nothing leads to state '" + text(spec.states[s].name) + "' of '" + text(spec.name) + "'",
        near.result() ? "did you mean '" + *near.result() + "'?" : "");
  }
}

}  // namespace whittle::rebel

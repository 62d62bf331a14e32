// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/print.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "frontend/rebel/print_impl.h"

namespace whittle::rebel {

std::string Printer::with_comments(const ModuleAst& m, Extent at) {
  const std::string_view whole = sources_.file(m.file).text();
  std::size_t begin = at.begin;
  while (true) {
    const std::size_t line_start = whole.rfind('\n', begin == 0 ? 0 : begin - 1);
    const std::size_t start = line_start == std::string_view::npos ? 0 : line_start + 1;
    if (whole.substr(start, begin - start).find_first_not_of(" \t") != std::string_view::npos) {
      break;  // something else stands before it on its line
    }
    if (start == 0) break;
    const std::size_t previous = whole.rfind('\n', start - 2);
    const std::size_t from = previous == std::string_view::npos || start < 2 ? 0 : previous + 1;
    const std::string_view line = whole.substr(from, start - from);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) break;
    if (line.substr(first, 2) == "//") {
      begin = from + first;
      continue;
    }
    // The end of a comment of several lines (or one) that has its lines for itself.
    const std::size_t last = line.find_last_not_of(" \t\r\n");
    if (last == std::string_view::npos || last == 0 || line.substr(last - 1, 2) != "*/") break;
    const std::size_t opened = whole.rfind("/*", from + last - 1);
    if (opened == std::string_view::npos) break;
    const std::size_t before = whole.rfind('\n', opened);
    const std::size_t its_line = before == std::string_view::npos ? 0 : before + 1;
    if (whole.substr(its_line, opened - its_line).find_first_not_of(" \t") !=
        std::string_view::npos) {
      break;
    }
    begin = opened;
  }
  return std::string(whole.substr(begin, at.end - begin));
}

std::string Printer::print_life_cycle(const KeptSpec& spec) {
  const Machine& machine = network_.machine(spec.machine);
  struct Target {
    LocationId to;
    std::vector<std::string> events;
  };
  std::unordered_map<std::uint32_t, std::vector<Target>> targets;
  for (EventId e : machine.events) {
    for (const Arc& arc : network_.event(e).arcs) {
      auto& list = targets[arc.from.index()];
      auto it =
          std::find_if(list.begin(), list.end(), [&](const Target& t) { return t.to == arc.to; });
      if (it == list.end()) it = list.insert(list.end(), {arc.to, {}});
      it->events.push_back(network_.event(e).name);
    }
  }
  std::string result = "  lifeCycle {\n";
  for (LocationId l : machine.locations) {
    const Location& location = network_.location(l);
    const bool initial = !machine.starts.empty() && machine.starts[0].location == l;
    result += std::string("    ") + (initial ? "initial " : "") + (location.final ? "final " : "") +
              location.name;
    std::string gap = " ";
    for (const Target& target : targets[l.index()]) {
      result += gap + "-> " + network_.location(target.to).name + ": ";
      for (std::size_t i = 0; i < target.events.size(); ++i) {
        result += (i == 0 ? "" : ", ") + target.events[i];
      }
      gap = "\n      ";
    }
    result += "\n";
  }
  return result + "  }\n";
}

std::string Printer::print_sync(const ModuleAst& m, const SyncAst& sync) {
  // Arguments for parameters that are gone are gone too.
  const auto target = spec_index_.find(name(sync.spec.simple));
  const std::uint32_t count = m.list_size(sync.arguments);
  std::vector<bool> keep(count, true);
  if (target != spec_index_.end()) {
    const auto& events = specs_[target->second].events;
    const auto event = events.find(name(sync.event));
    if (event != events.end() && event->second.ast != nullptr) {
      const EventAst& ast = *event->second.ast;
      for (std::uint32_t i = 0; i < count && i < ast.params.count; ++i) {
        const ParamAst& param = event->second.module->params[ast.params.first + i];
        keep[i] = event->second.params.contains(name(param.name));
      }
    }
  }
  std::string result = with_comments(m, {sync.at.begin, sync.event_at.end}) + "(";
  bool first = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!keep[i]) continue;
    result += (first ? "" : ", ") + text(m, m.expr(m.list(sync.arguments)[i]).at);
    first = false;
  }
  return result + ");";
}

std::string Printer::print_event(KeptSpec&, const KeptEvent& event) {
  if (event.ast == nullptr) return "event " + event.name + "() {\n}\n";
  const ModuleAst& m = *event.module;
  const EventAst& ast = *event.ast;
  std::string result = with_comments(m, {ast.at.begin, ast.name.at.end});
  if (ast.config.count > 0) result += text(m, ast.config_at);
  result += "(";
  bool first = true;
  for (std::uint32_t p = 0; p < ast.params.count; ++p) {
    const ParamAst& param = m.params[ast.params.first + p];
    if (!event.params.contains(name(param.name))) continue;
    result += (first ? "" : ", ") + text(m, param.at);
    first = false;
  }
  result += ") {\n";
  auto block = [&](const char* word, Range range) {
    std::string body;
    for (std::uint32_t i = 0; i < range.count; ++i) {
      const StmtAst& stmt = m.stmts[range.first + i];
      if (event.statements.contains(stmt.at.begin)) {
        body += "    " + with_comments(m, stmt.at) + "\n";
      }
    }
    if (!body.empty()) result += std::string("  ") + word + " {\n" + body + "  }\n";
  };
  block("preconditions", ast.pre);
  block("postconditions", ast.post);
  std::string body;
  for (std::uint32_t i = 0; i < ast.sync.count; ++i) {
    const SyncAst& sync = m.syncs[ast.sync.first + i];
    if (event.syncs.contains(sync.at.begin)) body += "    " + print_sync(m, sync) + "\n";
  }
  if (!body.empty()) result += "  sync {\n" + body + "  }\n";
  return result + "}\n";
}

std::string Printer::print_functions(std::set<std::string> wanted, std::set<std::string>& specs) {
  std::string result;
  std::set<std::string> done;
  while (!wanted.empty()) {
    const std::string next = *wanted.begin();
    wanted.erase(wanted.begin());
    if (!done.insert(next).second) continue;
    for (auto& [file, m] : modules_) {
      const auto it =
          std::find_if(m->functions.begin(), m->functions.end(),
                       [&](const FunctionAst& f) { return names_.text(f.name.simple) == next; });
      if (it == m->functions.end()) continue;
      result += "\n" + with_comments(*m, it->at) + "\n";
      Mention found;
      statement_mentions(*m, m->stmts[it->body], found, wanted, specs);
      break;
    }
  }
  return result;
}

std::string Printer::print_spec(KeptSpec& spec) {
  std::string body;
  std::set<std::string> calls, used;
  Mention found;
  std::string refs;
  std::string events;
  for (const std::string& event_name : spec.event_order) {
    const KeptEvent& event = spec.events[event_name];
    event_mentions(event, found, calls, used);
    refs += "    " + event_name;
    const ModuleAst* ref_module = nullptr;
    const EventRefAst* ref = find_ref(spec, event_name, &ref_module);
    refs += "[";
    if (ref != nullptr) {
      for (std::uint32_t i = 0; i < ref->arguments.count; ++i) {
        const ConfigArgAst& arg = ref_module->config_args[ref->arguments.first + i];
        const std::string value = text(*ref_module, ref_module->expr(arg.value).at);
        refs += (i == 0 ? "" : ", ") + name(arg.name) + " = " + value;
        mentions(*ref_module, arg.value, found, calls, used);
        calls.insert(value);  // the name of a function, perhaps
      }
    }
    refs += "]\n";
    if (event.ast != nullptr) {
      for (std::uint32_t i = 0; i < event.ast->config.count; ++i) {
        mentions(*event.module, event.module->params[event.ast->config.first + i].init, found,
                 calls, used);
      }
    }
    events += "\n" + print_event(spec, event);
  }
  // Invariants that are still asked about.
  std::string invariant_refs, invariants;
  for (const Property& property : network_.properties()) {
    if (property.kind != PropertyKind::Invariant || !property.name.starts_with(spec.name + ".")) {
      continue;
    }
    const std::string wanted = property.name.substr(spec.name.size() + 1);
    const ModuleAst& m = module_of(property.origin.file);
    for (const InvariantAst& invariant : m.invariants) {
      if (names_.text(invariant.name.simple) != wanted) continue;
      invariant_refs += "    " + wanted + "\n";
      invariants += "\n" + with_comments(m, invariant.at) + "\n";
      for (std::uint32_t i = 0; i < invariant.body.count; ++i) {
        statement_mentions(m, m.stmts[invariant.body.first + i], found, calls, used);
      }
    }
  }
  const std::string functions = print_functions(calls, used);
  std::string fields;
  std::set<std::string> printed;
  for (VariableId v : network_.machine(spec.machine).variables) {  // their order, then the rest
    const std::string& variable = network_.variable(v).name;
    const std::string whole = variable.substr(0, variable.find_first_of(".#"));
    if (!printed.insert(whole).second) continue;
    const ModuleAst* m = nullptr;
    if (const FieldAst* field = find_field(spec, whole, &m)) {
      fields +=
          "    " + whole + ": " + text(*m, m->types[field->type].at) + (field->key ? " @key" : "");
      if (field->ref.given() && spec_index_.contains(name(field->ref.simple))) {
        fields += " @ref=" + name(field->ref.simple);
        used.insert(name(field->ref.simple));
      }
      fields += "\n";
      use_words(text(*m, m->types[field->type].at), used);
    }
  }
  for (const std::string& field_name : spec.fields) {
    const ModuleAst* m = nullptr;
    if (printed.contains(field_name)) continue;
    if (const FieldAst* field = find_field(spec, field_name, &m)) {
      fields += "    " + field_name + ": " + text(*m, m->types[field->type].at) + "\n";
      use_words(text(*m, m->types[field->type].at), used);
    }
  }
  for (const std::string& other : used) {
    if (other != spec.name && spec_index_.contains(other)) spec.used_specs.insert(other);
  }
  std::string result = "module " + spec.name + "\n";
  std::string external;
  for (const std::string& other : spec.used_specs) result += "\nimport " + other;
  for (const std::string& other : used) {
    const ModuleAst* m = nullptr;
    if (spec_index_.contains(other)) continue;
    const SpecAst* ast = find_spec(other, &m);
    if (ast == nullptr) continue;
    (ast->modifier == SpecModifier::External ? externals_ : bare_).insert(other);
    result += "\nimport " + other;
  }
  result += "\n\n";
  if (spec.ast != nullptr) {
    result += with_comments(*spec.module, {spec.ast->at.begin, spec.ast->name_at.end});
    // An abstract one stays what it is; a singleton too.
  } else {
    result += "specification " + spec.name;
  }
  result += " {\n  fields {\n" + fields + "  }\n\n  events {\n" + refs + "  }\n\n";
  if (!invariant_refs.empty()) result += "  invariants {\n" + invariant_refs + "  }\n\n";
  return result + print_life_cycle(spec) + "}\n" + events + functions + invariants;
}

// A specification that is mentioned, but of which nothing matters: `finalized T[k]` where T has no
// final state.
std::string Printer::print_bare(const std::string& wanted) {
  std::string key;
  std::string initial;
  std::set<std::string> states;
  const ModuleAst* m = nullptr;
  const SpecAst* ast = find_spec(wanted, &m);
  for (int depth = 0; ast != nullptr && depth < 64; ++depth) {
    for (std::uint32_t f = 0; f < ast->fields.count; ++f) {
      const FieldAst& field = m->fields[ast->fields.first + f];
      if (field.key) {
        key = name(field.name) + ": " + text(*m, m->types[field.type].at) + " @key";
      }
    }
    for (std::uint32_t i = 0; i < ast->states.count; ++i) {
      const LifeStateAst& state = m->life_states[ast->states.first + i];
      states.insert(name(state.state));
      if (state.initial) initial = name(state.state);
      for (std::uint32_t t = 0; t < state.targets.count; ++t) {
        states.insert(name(m->life_targets[state.targets.first + t].state));
      }
    }
    ast = ast->extends.given() ? find_spec(name(ast->extends.simple), &m) : nullptr;
  }
  std::string result = "module " + wanted + "\n\nspecification " + wanted + " {\n  fields {\n    " +
                       key + "\n  }\n\n  lifeCycle {\n";
  for (const std::string& state : states) {
    result += std::string("    ") + (state == initial ? "initial " : "") + state + "\n";
  }
  return result + "  }\n}\n";
}

std::optional<PrintedFile> Printer::print_test() {
  const ModuleAst* test = nullptr;
  for (const Property& property : network_.properties()) {
    const bool asked = property.kind == PropertyKind::Reach || property.kind == PropertyKind::Ltl ||
                       property.kind == PropertyKind::Recoverable;
    if (asked && property.origin.valid()) {
      test = &module_of(property.origin.file);
    }
  }
  if (test == nullptr) return std::nullopt;
  std::set<std::uint32_t> checks;
  for (const Property& property : network_.properties()) checks.insert(property.origin.begin);
  const std::string path = sources_.file(test->file).path();
  // A specification that stands in the test module gets a module of its own name.
  std::string stem = std::filesystem::path(path).stem().string();
  while (spec_index_.contains(stem)) stem += "Test";
  std::string result;
  std::set<std::string> imports;
  for (const KeptSpec& spec : specs_) imports.insert(spec.name);
  std::set<Name> setups;
  for (const CheckAst& check : test->checks) {
    if (checks.contains(check.at.begin)) setups.insert(check.setup);
  }
  std::set<std::string> calls, used;
  Mention found;
  std::string runs;
  for (const RunsAst& one : test->runs) {
    if (!checks.contains(one.at.begin)) continue;
    setups.insert(one.setup);
    for (const ExprRef e : one.runs.formulas()) mentions(*test, e, found, calls, used);
    runs += "\n" + with_comments(*test, one.at) + "\n";
  }
  for (const FairAst& one : test->fair) {
    if (!runs.empty() && spec_index_.contains(name(one.spec.simple)))
      runs += "\n" + with_comments(*test, one.at) + "\n";
  }
  for (const SetupAst& setup : test->setups) {
    if (!setups.contains(setup.name)) continue;
    result += "\n" + with_comments(*test, {setup.at.begin, setup.name_at.end}) + " {\n";
    for (std::uint32_t i = 0; i < setup.stmts.count; ++i) {
      const SetupStmtAst& stmt = test->setup_stmts[setup.stmts.first + i];
      std::set<std::string> about;
      for (std::uint32_t g = 0; g < stmt.groups.count; ++g) {
        const ConstraintGroupAst& group = test->groups[stmt.groups.first + g];
        for (std::uint32_t c = 0; c < test->list_size(group.constraints); ++c) {
          mentions(*test, test->list(group.constraints)[c], found, calls, about);
        }
      }
      const std::string spec = name(stmt.spec.simple);
      // What is said of an instance that does not matter may be about others that do.
      const bool about_others = std::any_of(about.begin(), about.end(), [&](const auto& other) {
        return spec_index_.contains(other);
      });
      if (!stmt.is_now && !spec_index_.contains(spec) && about_others) {
        bare_.insert(spec);
        imports.insert(spec);
      }
      if (stmt.is_now || spec_index_.contains(spec) || about_others) {
        result += "  " + with_comments(*test, stmt.at) + "\n";
      }
      used.merge(about);
    }
    result += "}\n";
  }
  result += print_functions(calls, used);
  for (const CheckAst& check : test->checks) {
    if (checks.contains(check.at.begin)) {
      result += "\n" + with_comments(*test, check.at) + "\n";
    }
  }
  result += runs;
  std::string head = "module " + stem + "\n";
  for (const std::string& import : imports) head += "\nimport " + import;
  return PrintedFile{stem + ".tebl", head + "\n" + result};
}

// Everything is printed into modules side by side, so packages are gone: `fleet.cars.Driver` is
// `Driver`, and what stands in a module is its own. Texts in quotes stay.
std::string Printer::with_simple_names(const std::string& text) const {
  std::map<std::string, std::string> packages;  // `fleet.cars.Driver` to `Driver`
  for (const auto& [file, m] : modules_)
    if (m->name.given() && m->name.full != m->name.simple)
      packages.emplace(names_.text(m->name.full), names_.text(m->name.simple));
  if (packages.empty()) return text;
  auto part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text[at] == '"') {
      while (end < text.size() && text[end] != '"' && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
    } else if (part_of_name(text[at])) {
      while (end < text.size() && (part_of_name(text[end]) || text[end] == '.')) ++end;
      std::string word = text.substr(at, end - at);
      for (const auto& [full, simple] : packages) {
        if (!word.starts_with(full)) continue;
        if (word.size() == full.size())
          word = simple;
        else if (word[full.size()] == '.')
          word = word.substr(full.size() + 1);
        else
          continue;
        break;
      }
      result += word;
      at = end;
      continue;
    }
    result += text.substr(at, end - at);
    at = end;
  }
  return result;
}

// The names in a type, which may be specifications: `set[Friend]`.
void Printer::use_words(const std::string& type, std::set<std::string>& used) const {
  std::string word;
  for (const char c : type + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
    } else {
      used.insert(std::exchange(word, ""));
    }
  }
}

std::vector<PrintedFile> Printer::run() {
  for (const Property& property : network_.properties()) {
    if (property.origin.valid()) module_of(property.origin.file);
  }
  // Every file is there before anything is looked for in it.
  for (std::uint32_t f = 0; f < sources_.size(); ++f) {
    const std::string& path = sources_.file(FileId(f)).path();
    if (path.ends_with(".ebl") || path.ends_with(".tebl")) module_of(FileId(f));
  }
  for (std::uint32_t m = 0; m < network_.machines().size(); ++m) collect_machine(MachineId(m));
  close();
  std::vector<PrintedFile> files;
  if (auto test = print_test()) files.push_back(std::move(*test));
  // Without a test module the file that was asked about comes first.
  for (KeptSpec& spec : specs_) files.push_back({spec.name + ".ebl", print_spec(spec)});
  for (const std::string& external : externals_) {
    const ModuleAst* m = nullptr;
    const SpecAst* ast = find_spec(external, &m);
    files.push_back(
        {external + ".ebl", "module " + external + "\n\n" + with_comments(*m, ast->at) + "\n"});
  }
  for (const std::string& bare : bare_) files.push_back({bare + ".ebl", print_bare(bare)});
  for (PrintedFile& file : files) file.text = with_simple_names(file.text);
  if (files.size() > 1 && !files[0].path.ends_with(".tebl")) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (files[i].text.find("  invariants {") != std::string::npos) {
        std::rotate(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(i),
                    files.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        break;
      }
    }
  }
  return files;
}

std::vector<PrintedFile> print(const Network& network, const Sources& sources) {
  return Printer(network, sources).run();
}

}  // namespace whittle::rebel

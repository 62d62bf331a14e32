// SPDX-License-Identifier: Apache-2.0
// Which files belong to a program. A module enters the table before its imports are followed, so
// cycles are harmless; a failing import is reported and loading goes on.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>

#include "frontend/rebel/parser.h"
#include "frontend/rebel/program.h"

namespace whittle::rebel {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> parts_of(std::string_view qualified) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (true) {
    const std::size_t dot = qualified.find('.', from);
    parts.emplace_back(qualified.substr(from, dot - from));
    if (dot == std::string_view::npos) return parts;
    from = dot + 1;
  }
}

bool is_test_path(const std::string& path) {
  std::string end = fs::path(path).extension().string();
  for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return end == ".tebl";
}

}  // namespace

// Goes up one directory for each package part that names the directory at hand, last part first.
// Whole path components are compared: `my_atm` is not package `atm`.
std::string Program::base_directory(const Module& module) const {
  fs::path base = fs::path(module.path).parent_path();
  if (!module.ast.name.given()) return base.string();
  std::error_code failed;
  fs::path full = fs::absolute(base.empty() ? fs::path(".") : base, failed).lexically_normal();
  if (failed) return base.string();
  if (!full.has_filename()) full = full.parent_path();
  auto parts = parts_of(names_.text(module.name));
  parts.pop_back();
  while (!parts.empty()) {
    if (full.filename() == parts.back()) {
      full = full.parent_path();
      base = (base.empty() ? fs::path("..") : base / "..").lexically_normal();
    }
    parts.pop_back();
  }
  return base.string();
}

std::uint32_t Program::add_module(FileId file, Name imported_as) {
  auto fresh = std::make_unique<Module>();
  fresh->path = sources_.file(file).path();
  fresh->ast = parse(sources_, file, is_test_path(fresh->path), names_, diagnostics_);
  ModuleAst& ast = fresh->ast;
  const std::string stem = fs::path(fresh->path).stem().string();
  if (ast.name.given()) {
    fresh->name = ast.name.full;
    if (names_.text(ast.name.simple) != stem) {
      diagnostics_.report("rebel-020", ast.span(ast.name.at),
                          "module '" + text(ast.name.simple) + "' stands in a file called '" +
                              fs::path(fresh->path).filename().string() + "'",
                          "imports find a module by its file name");
    }
  } else {
    fresh->name = names_.intern_copy(stem);
  }
  fresh->fragment = !ast.name.given() && ast.imports.empty();
  const auto m = static_cast<std::uint32_t>(modules_.size());
  modules_.push_back(std::move(fresh));
  by_name_.try_emplace(modules_[m]->name, m);
  symbols_.declare(SymbolKind::Module, text(modules_[m]->name), modules_[m]->place());
  if (imported_as != kNoName) by_name_.try_emplace(imported_as, m);
  enter(m);
  return m;
}

void Program::enter(std::uint32_t m) {
  Module& module = *modules_[m];
  ModuleAst& ast = module.ast;
  auto declare = [&](Table& table, Name name, std::uint32_t index, Extent at, Extent first,
                     SymbolKind kind, const char* what) {
    if (table.try_emplace(name, index).second) {
      symbols_.declare(kind, text(name), ast.span(at));
      return true;
    }
    diagnostics_
        .report("rebel-021", ast.span(at),
                std::string(what) + " '" + text(name) + "' is declared twice")
        .related.push_back({ast.span(first), "first declared here"});
    return false;
  };
  module.events.reserve(ast.events.size());
  for (std::uint32_t i = 0; i < ast.events.size(); ++i) {
    const QName& name = ast.events[i].name;
    const auto known = module.events.find(name.simple);
    const Extent first = known == module.events.end() ? name.at : ast.events[known->second].name.at;
    declare(module.events, name.simple, i, name.at, first, SymbolKind::Event, "event");
  }
  for (std::uint32_t i = 0; i < ast.functions.size(); ++i) {
    const QName& name = ast.functions[i].name;
    const auto known = module.functions.find(name.simple);
    declare(module.functions, name.simple, i, name.at,
            known == module.functions.end() ? name.at : ast.functions[known->second].name.at,
            SymbolKind::Function, "function");
  }
  for (std::uint32_t i = 0; i < ast.invariants.size(); ++i) {
    const QName& name = ast.invariants[i].name;
    const auto known = module.invariants.find(name.simple);
    declare(module.invariants, name.simple, i, name.at,
            known == module.invariants.end() ? name.at : ast.invariants[known->second].name.at,
            SymbolKind::Invariant, "invariant");
  }
  for (std::uint32_t i = 0; i < ast.setups.size(); ++i) {
    const SetupAst& setup = ast.setups[i];
    const auto known = module.setups.find(setup.name);
    declare(module.setups, setup.name, i, setup.name_at,
            known == module.setups.end() ? setup.name_at : ast.setups[known->second].name_at,
            SymbolKind::Universe, "configuration");
  }
  for (std::uint32_t i = 0; i < ast.specs.size(); ++i) {
    const SpecAst& spec = ast.specs[i];
    const auto known = module.specs.find(spec.name);
    if (!declare(module.specs, spec.name, i, spec.name_at,
                 known == module.specs.end() ? spec.name_at : ast.specs[known->second].name_at,
                 SymbolKind::Machine, "specification")) {
      continue;
    }
    const auto s = static_cast<std::uint32_t>(specs_.size());
    Spec fresh;
    fresh.decl = {m, i};
    fresh.name = spec.name;
    fresh.modifier = spec.modifier;
    fresh.origin = ast.span(spec.name_at);
    specs_.push_back(std::move(fresh));
    types_.name_spec(s, text(spec.name));
    spec_index_[(static_cast<std::uint64_t>(m) << 32U) | i] = s;
  }
  if (ast.three_decimals) three_decimals_ = true;
}

std::uint32_t Program::spec_of(Decl decl) const {
  const auto it = spec_index_.find((static_cast<std::uint64_t>(decl.module) << 32U) | decl.index);
  return it == spec_index_.end() ? kNone : it->second;
}

void Program::follow_imports(std::uint32_t m) {
  // Not recursive: modules are appended, and the loop in `load` reaches them in turn.
  const std::size_t count = modules_[m]->ast.imports.size();
  for (std::size_t i = 0; i < count; ++i) {
    const ImportAst import = modules_[m]->ast.imports[i];
    const Span at = modules_[m]->ast.span(import.module.at);
    std::uint32_t target = kNone;
    if (const auto known = by_name_.find(import.module.full); known != by_name_.end()) {
      target = known->second;
    } else {
      fs::path path = base_;
      for (const std::string& part : parts_of(names_.text(import.module.full))) path /= part;
      path += ".ebl";
      if (!options_.read) {
        diagnostics_.report("rebel-022", at, "imports cannot be followed here").nature =
            Diagnostic::Nature::Unread;
        continue;
      }
      auto file = options_.read(path.string());
      if (!file) {
        diagnostics_
            .report(
                "rebel-022", at,
                "module '" + text(import.module.full) + "' cannot be read: " + file.error().message,
                "looked for it in " + path.string())
            .nature = Diagnostic::Nature::Unread;
        by_name_[import.module.full] = kNone;  // said once
        continue;
      }
      target = add_module(*file, import.module.full);
      const ModuleAst& found = modules_[target]->ast;
      if (found.name.given() && found.name.full != import.module.full &&
          found.name.simple == import.module.simple) {
        diagnostics_.report("rebel-020", found.span(found.name.at),
                            "this is module '" + text(found.name.full) +
                                "', but it is imported as '" + text(import.module.full) + "'",
                            "imports find a module by the place of its file");
      }
    }
    if (target == kNone || target == m) continue;
    symbols_.use(modules_[target]->place(), at);
    if (modules_[target]->ast.test) {
      diagnostics_.report("rebel-023", at, "a test module cannot be imported");
      continue;
    }
    auto& imports = modules_[m]->imports;
    if (std::find(imports.begin(), imports.end(), target) == imports.end()) {
      imports.push_back(target);
    }
  }
}

std::uint32_t Program::try_file(const std::string& path) {
  if (!options_.read) return kNone;
  auto file = options_.read(path);
  if (!file) return kNone;
  for (std::uint32_t m = 0; m < modules_.size(); ++m) {
    if (modules_[m]->ast.file == *file) return m;
  }
  return add_module(*file, kNoName);
}

// Files that leave out their imports: a specification T is looked for in T.ebl beside them, and the
// events of fragments in TLibrary.ebl, TLib.ebl, Library.ebl and Lib.ebl.
void Program::find_missing(std::uint32_t m) {
  if (!modules_[m]->fragment && !(modules_[m]->ast.test && modules_[m]->ast.imports.empty())) {
    return;
  }
  const fs::path directory = fs::path(modules_[m]->path).parent_path();
  auto import = [&](const std::string& file) {
    const std::uint32_t target = try_file((directory / file).string());
    if (target == kNone || target == m) return;
    auto& imports = modules_[m]->imports;
    if (std::find(imports.begin(), imports.end(), target) == imports.end()) {
      imports.push_back(target);
    }
  };
  std::vector<Name> wanted;
  auto want = [&](Name name) {
    if (name == kNoName || modules_[m]->specs.contains(name)) return;
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) wanted.push_back(name);
  };
  const ModuleAst& ast = modules_[m]->ast;
  for (const SetupStmtAst& stmt : ast.setup_stmts) want(stmt.spec.simple);
  for (const SpecAst& spec : ast.specs) want(spec.extends.simple);
  for (const FieldAst& field : ast.fields) want(field.ref.simple);
  for (const SyncAst& sync : ast.syncs) want(sync.spec.simple);
  bool needs_library = false;
  for (const EventRefAst& ref : ast.event_refs) {
    if (!ref.interface && !modules_[m]->events.contains(ref.event.simple)) needs_library = true;
  }
  std::vector<std::string> files;
  files.reserve(wanted.size());
  for (Name name : wanted) files.push_back(text(name) + ".ebl");
  if (needs_library) {
    for (const SpecAst& spec : ast.specs) {
      files.push_back(text(spec.name) + "Library.ebl");
      files.push_back(text(spec.name) + "Lib.ebl");
    }
    files.emplace_back("Library.ebl");
    files.emplace_back("Lib.ebl");
  }
  for (const std::string& file : files) import(file);
}

void Program::load(FileId root) {
  add_module(root, kNoName);
  base_ = base_directory(*modules_[0]);
  for (std::uint32_t m = 0; m < modules_.size(); ++m) {
    follow_imports(m);
    find_missing(m);
  }
  for (std::uint32_t s = 0; s < specs_.size(); ++s) build_spec(s);
}

}  // namespace whittle::rebel

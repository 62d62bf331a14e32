// SPDX-License-Identifier: Apache-2.0
// A Rebel program: the modules that belong together, their declarations by name, and the
// specifications with everything they inherit.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"
#include "frontend/frontend.h"
#include "frontend/rebel/ast.h"
#include "frontend/rebel/names.h"
#include "frontend/rebel/types.h"

namespace whittle::rebel {

using Table = std::unordered_map<Name, std::uint32_t>;  // name -> index in the module

struct Module {
  ModuleAst ast;
  std::string path;
  Name name = kNoName;                   // declared, or made from the file name
  bool fragment = false;                 // neither module line nor imports
  std::vector<std::uint32_t> imports;    // modules, direct
  std::vector<std::uint32_t> reachable;  // modules that only the imports (of imports ...) import
  bool reachable_known = false;
  Table specs, events, functions, invariants, setups;
  [[nodiscard]] Span place() const { return ast.name.given() ? ast.span(ast.name.at) : Span(); }
};

// A declaration: its module and its index there.
struct Decl {
  std::uint32_t module = kNone;
  std::uint32_t index = kNone;
  [[nodiscard]] bool found() const { return module != kNone; }
  bool operator==(const Decl&) const = default;
};

struct Field {
  Name name = kNoName;
  RType type;
  bool key = false;
  std::uint32_t ref = kNone;  // specification that @ref names
  Span origin;
  Span name_at;
};

// An event as a specification has it.
struct EventUse {
  Name name = kNoName;
  Decl ref;         // EventRefAst: where its configuration stands
  Decl definition;  // EventAst; none: unknown, or an interface event
  bool interface = false;
};

struct LifeState {
  Name name = kNoName;
  bool initial = false;
  bool final = false;
  Span origin;
};

struct LifeArc {
  std::uint32_t from = 0;  // states
  std::uint32_t to = 0;
  std::uint32_t use = 0;  // event
  Span origin;            // of the event's name in the entry
};

struct Spec {
  Decl decl;
  Name name = kNoName;
  SpecModifier modifier = SpecModifier::None;
  std::uint32_t parent = kNone;
  std::vector<Field> fields;
  std::vector<EventUse> uses;
  std::vector<Decl> invariants;
  std::vector<LifeState> states;
  std::vector<LifeArc> arcs;
  Table field_index, use_index, state_index;
  std::uint32_t key = kNone;      // field
  std::uint32_t initial = kNone;  // state
  Span origin;                    // of its name
  bool circular = false;          // extends itself
  bool unread_arcs = false;       // the life cycle names events that do not exist
  enum class Progress : std::uint8_t { Untouched, Busy, Done } progress = Progress::Untouched;
};

// Something is missing that may stand in text that was not read; `meant`: what it is probably
// called (empty: no idea).
inline void mark_absence(Diagnostic& diagnostic, std::string meant = "") {
  diagnostic.nature = Diagnostic::Nature::Absence;
  diagnostic.suggestion = std::move(meant);
}

enum class DeclKind : std::uint8_t { Spec, Event, Function, Invariant };

class Program {
 public:
  Program(const Sources& sources, const LoadOptions& options, Diagnostics& diagnostics)
      : sources_(sources),
        options_(options),
        diagnostics_(diagnostics),
        symbols_(options.symbols) {}

  // Reads the file and everything it imports, then builds the tables and the specifications.
  void load(FileId root);

  [[nodiscard]] Module& module(std::uint32_t i) { return *modules_[i]; }
  [[nodiscard]] const Module& module(std::uint32_t i) const { return *modules_[i]; }
  [[nodiscard]] std::uint32_t module_count() const {
    return static_cast<std::uint32_t>(modules_.size());
  }
  [[nodiscard]] std::vector<Spec>& specs() { return specs_; }
  [[nodiscard]] const std::vector<Spec>& specs() const { return specs_; }
  [[nodiscard]] Names& names() { return names_; }
  [[nodiscard]] const Names& names() const { return names_; }
  [[nodiscard]] TypeTable& types() { return types_; }
  [[nodiscard]] const TypeTable& types() const { return types_; }
  [[nodiscard]] const Sources& sources() const { return sources_; }
  [[nodiscard]] Diagnostics& diagnostics() { return diagnostics_; }
  [[nodiscard]] SymbolIndex& symbols() { return symbols_; }
  [[nodiscard]] const LoadOptions& options() const { return options_; }
  [[nodiscard]] bool three_decimals() const { return three_decimals_; }

  // The declaration that a name means in a module: its own, then those of direct imports, then
  // those further away (with a warning). None: reported, unless `quiet`.
  Decl resolve(DeclKind kind, std::uint32_t module, const QName& name, bool quiet = false);
  // Index in specs(); kNone: reported, unless `quiet`.
  std::uint32_t resolve_spec(std::uint32_t module, const QName& name, bool quiet = false);
  // The type that was written; Unknown: reported.
  RType resolve_type(std::uint32_t module, TypeRef type);
  [[nodiscard]] std::uint32_t spec_of(Decl decl) const;

  [[nodiscard]] std::string text(Name name) const { return names_.string(name); }
  [[nodiscard]] Span span(std::uint32_t m, Extent at) const { return module(m).ast.span(at); }

  // Of the name in a declaration.
  [[nodiscard]] Span place_of(DeclKind kind, Decl decl) const {
    return span(decl.module, name_of(kind, decl).at);
  }
  // For the index of names: the name stands at the end of `at`.
  void use(Span declaration, std::uint32_t m, Extent at, Name name);

 private:
  // ----- load.cpp
  std::uint32_t add_module(FileId file, Name imported_as);
  void follow_imports(std::uint32_t m);
  [[nodiscard]] std::string base_directory(const Module& module) const;
  std::uint32_t try_file(const std::string& path);
  void find_missing(std::uint32_t m);
  void enter(std::uint32_t m);

  // ----- resolve.cpp
  Table& table(DeclKind kind, std::uint32_t m);
  const std::vector<std::uint32_t>& reachable(std::uint32_t m);
  void candidates(DeclKind kind, std::uint32_t m, const QName& name, std::vector<Decl>& found,
                  int& level);
  void report_missing(DeclKind kind, std::uint32_t m, const QName& name);
  void build_spec(std::uint32_t s);
  void inherit(Spec& spec, const Spec& parent);
  void own_fields(Spec& spec, const SpecAst& ast);
  void own_events(Spec& spec, const SpecAst& ast);
  void own_life_cycle(Spec& spec, const SpecAst& ast);
  void check_spec(Spec& spec);
  void warn_never_entered(const Spec& spec);
  [[nodiscard]] QName name_of(DeclKind kind, Decl decl) const;

  const Sources& sources_;
  const LoadOptions& options_;
  Diagnostics& diagnostics_;
  SymbolIndex symbols_;
  Names names_;
  TypeTable types_;
  std::vector<std::unique_ptr<Module>> modules_;
  std::unordered_map<Name, std::uint32_t> by_name_;              // qualified name -> module
  std::unordered_map<std::uint64_t, std::uint32_t> spec_index_;  // module, index -> spec
  std::vector<Spec> specs_;
  std::string base_;
  bool three_decimals_ = false;
};

}  // namespace whittle::rebel

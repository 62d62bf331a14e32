// SPDX-License-Identifier: Apache-2.0
// The printer's class: print_keep.cpp decides what is printed, print.cpp prints it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "frontend/frontend.h"
#include "frontend/rebel/ast.h"
#include "frontend/rebel/names.h"

namespace whittle::rebel {

// An event of a machine, with what is kept of its definition.
struct KeptEvent {
  std::string name;
  const ModuleAst* module = nullptr;  // null: a transformation made it
  const EventAst* ast = nullptr;
  std::set<std::uint32_t> statements;  // offsets of pre- and postconditions
  std::set<std::uint32_t> syncs;
  std::set<std::string> params;
  bool all = false;  // everything was called back
};

struct KeptSpec {
  std::string name;
  MachineId machine;
  const ModuleAst* module = nullptr;
  const SpecAst* ast = nullptr;
  std::set<std::string> fields;
  std::map<std::string, KeptEvent> events;
  std::vector<std::string> event_order;
  std::set<std::string> used_specs;  // to import
};

class Printer {
 public:
  Printer(const Network& network, const Sources& sources) : network_(network), sources_(sources) {}

  std::vector<PrintedFile> run();

 private:
  using Mention = std::set<std::pair<std::string, std::string>>;  // whose, name
  static constexpr const char* kOwn = "";                         // of `this`, or a parameter
  static constexpr const char* kAnybody = "*";  // of a reference: the text does not say whose

  const ModuleAst& module_of(FileId file);
  void collect_machine(MachineId id);
  void collect_event(KeptSpec& spec, const Event& event);
  const SpecAst* find_spec(const std::string& name, const ModuleAst** module);
  const FieldAst* find_field(KeptSpec& spec, const std::string& name, const ModuleAst** module);
  const EventRefAst* find_ref(const KeptSpec& spec, const std::string& name,
                              const ModuleAst** module);
  void mentions(const ModuleAst& m, ExprRef root, Mention& out, std::set<std::string>& calls,
                std::set<std::string>& specs);
  void statement_mentions(const ModuleAst& m, const StmtAst& stmt, Mention& out,
                          std::set<std::string>& calls, std::set<std::string>& specs);
  std::string owner(const ModuleAst& m, ExprRef e);
  bool is_parameter(const KeptEvent& event, const std::string& name);
  bool writes(const ModuleAst& m, const StmtAst& stmt, const std::string& field);
  void close();
  bool keep_field(KeptSpec& spec, const std::string& name);
  void event_mentions(const KeptEvent& event, Mention& out, std::set<std::string>& calls,
                      std::set<std::string>& specs);
  void keep_all(KeptEvent& event);

  std::string text(const ModuleAst& m, Extent at) { return std::string(sources_.text(m.span(at))); }
  std::string with_comments(const ModuleAst& m, Extent at);
  std::string name(Name n) { return names_.string(n); }
  std::string print_spec(KeptSpec& spec);
  std::string print_life_cycle(const KeptSpec& spec);
  std::string print_event(KeptSpec& spec, const KeptEvent& event);
  std::string print_sync(const ModuleAst& m, const SyncAst& sync);
  std::string print_bare(const std::string& wanted);
  std::string print_functions(std::set<std::string> wanted, std::set<std::string>& specs);
  std::string print_external(const std::string& name);
  std::optional<PrintedFile> print_test();
  std::string with_simple_names(const std::string& text) const;
  void use_words(const std::string& type, std::set<std::string>& used) const;

  const Network& network_;
  const Sources& sources_;
  Names names_;
  Diagnostics ignored_;
  std::map<std::uint32_t, std::unique_ptr<ModuleAst>> modules_;
  std::vector<KeptSpec> specs_;
  std::map<std::string, std::size_t> spec_index_;
  // Places of things by name, so that nothing is looked for twice.
  std::unordered_map<std::string, std::pair<const ModuleAst*, const SpecAst*>> spec_asts_;
  std::unordered_map<const ModuleAst*, std::unordered_map<std::uint32_t, const EventAst*>>
      event_asts_;  // by offset
  std::unordered_map<const SpecAst*, std::unordered_map<std::string, const FieldAst*>> field_asts_;
  std::unordered_map<const SpecAst*, std::unordered_map<std::string, const EventRefAst*>> ref_asts_;
  std::set<std::string> externals_;
  std::set<std::string> bare_;
};

}  // namespace whittle::rebel

// SPDX-License-Identifier: Apache-2.0
// From a program to a network: one machine per specification, one event per event that a
// specification lists, one universe per configuration, one property per check and per invariant.
//
// translate.cpp: machines and the order of things; translate_event.cpp: events;
// translate_sync.cpp: what happens together; translate_check.cpp: universes and properties;
// collection_capacity.cpp: the size of sets and maps.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/rebel/collection_capacity.h"
#include "frontend/rebel/elaborate.h"
#include "frontend/rebel/encode.h"
#include "frontend/rebel/notation.h"
#include "frontend/rebel/program.h"
#include "ir/network.h"

namespace whittle::rebel {

class Translator {
 public:
  Translator(Program& program, Capacities capacities);
  // Reports what it finds, and leaves out what is wrong.
  std::shared_ptr<Network> run();
  // After the run: whether there are sets or maps, and the capacities that the questions need.
  [[nodiscard]] bool collections() const { return collections_; }
  [[nodiscard]] Capacities capacities() const { return capacity_.needed(); }

 private:
  // ----- translate.cpp
  void declare_machine(std::uint32_t s);
  void declare_events(std::uint32_t s);
  void refer_from_invariants();
  void look_at_invariant(std::uint32_t s, std::uint32_t m, const InvariantAst& invariant);
  void check_unused();
  void find_sync_cycles();
  void warn_about_fields();
  void warn_about_conditions();
  void register_group(const std::string& name, RType type, const std::vector<SymbolId>& symbols);
  void refer(std::uint32_t from, std::uint32_t to);

  // ----- translate_event.cpp
  struct Conjunct;
  void translate_event(std::uint32_t s, std::uint32_t use);
  void event_body(Scope& scope, Decl definition, EventId event, std::uint32_t s, bool from_initial);
  void configure(const EventUse& use, const Scope& scope, std::vector<ConfigValue>& config);
  std::set<std::string> report_unknown_arguments(const EventUse& use);
  ConfigValue configured(const EventUse& use, const Scope& scope, const ParamAst& param, bool said);
  void leave_open(const EventUse& use, const ParamAst& param, RType type, ConfigValue& value);
  void preconditions(const Scope& scope, const EventAst& ast, EventId event);
  void postconditions(const Scope& scope, const EventAst& ast, EventId event, std::uint32_t s);
  void split(const Scope& scope, const StmtAst& stmt, std::vector<Conjunct>& all);
  void elaborate_conjunct(const Scope& scope, Conjunct& conjunct);
  void warn_about_relations(std::uint32_t s, const std::vector<Conjunct>& all);
  void emit(EventId event, std::uint32_t s, std::vector<Conjunct>& all);
  void emit_assignment(EventId event, std::uint32_t s, std::uint32_t field, const TypedTerm& val,
                       Span origin);
  void emit_relation(EventId event, std::uint32_t s, const Conjunct& conjunct);
  void synchronisations(const Scope& scope, const EventAst& ast, EventId event);
  struct SyncTarget;
  void synchronise(const Scope& scope, const SyncAst& sync, EventId event);
  // The event that a synchronisation names; kNone: there is none, which is reported.
  std::uint32_t target_use(const ModuleAst& module, const SyncAst& sync, const Spec& spec);
  bool right_arity(const ModuleAst& module, const SyncAst& sync, const Spec& spec,
                   const SyncTarget& target);
  bool bind_arguments(const ModuleAst& module, const SyncAst& sync, const SyncTarget& target,
                      std::vector<TypedTerm>& args, EventId event, Sync& result);
  void guard(EventId event, Expr condition, Span origin, bool of_effect = false);
  void warn_early_reads(std::uint32_t s);

  // ----- translate_check.cpp
  struct Setup {
    UniverseId universe;
    Expr goal;
    bool good = false;
    ExprRef now = kNone;
  };
  void checks();
  Setup& setup_of(std::uint32_t index);
  struct SetupPlan;
  void build_setup(std::uint32_t index, Setup& setup);
  // Which instances the statements of a configuration describe, with the keys that they give.
  SetupPlan plan_setup(const SetupAst& written, Setup& setup);
  bool possible_count(const SetupStmtAst& stmt, const Spec& spec, std::uint64_t count);
  // Keys that no statement gave, around those that some did; then the instances.
  void add_instances(SetupPlan& plan, UniverseId universe);
  void describe(Setup& setup, const SetupStmtAst& stmt, std::uint32_t s,
                const std::vector<InstanceId>& instances, std::vector<Expr>& goal);
  void constrain(InstanceId instance, std::uint32_t s, std::span<const std::uint32_t> states,
                 const ConstraintGroupAst& group, std::vector<Expr>& goal);
  std::optional<Value> explicit_key(std::uint32_t s, const ConstraintGroupAst& group);
  Value generated_key(std::uint32_t s, std::uint64_t number, bool& possible);
  InstanceId add_instance(UniverseId universe, std::uint32_t s, const Value& key);
  void check(const CheckAst& ast);
  // The configuration of that name; none: reported, or what it says is wrong.
  const Setup* setup_named(Name name, Extent at);
  bool read_bound(const CheckAst& ast, StepBound& bound);
  // ----- translate_runs.cpp
  void fairness(const FairAst& ast);
  void runs(const RunsAst& ast);
  bool formula_of(const RunsAst& ast, UniverseId universe, Property& property);

  void invariants(std::uint32_t s);
  UniverseId default_universe(std::uint32_t s);
  void structure();
  void set_now(UniverseId universe, ExprRef now);
  void finish_now();
  void fix_now();
  std::string unique_name(const std::string& name);
  std::string describe_universe(const std::vector<std::pair<std::uint32_t, std::uint64_t>>& counts);

  Diagnostics& diagnostics() { return program_.diagnostics(); }
  std::string text(Name name) const { return program_.text(name); }

  Program& program_;
  std::shared_ptr<ExprPool> pool_ptr_;
  std::shared_ptr<Network> network_;
  ExprPool& pool_;
  std::shared_ptr<Encoder> encoder_;
  std::shared_ptr<RebelNotation> notation_;
  std::vector<SpecNet> nets_;
  Elaborator elaborator_;
  std::map<EventId, std::size_t> preconditions_;  // how many of the event's guards come from them
  std::map<std::uint32_t, Span> written_early_;   // under `new` in the preconditions
  std::vector<std::vector<bool>> assigned_;       // by specification and field
  std::set<std::pair<std::uint32_t, std::uint32_t>> refers_;  // specification -> specification
  std::unordered_map<std::uint64_t, bool> used_events_;       // definitions that some spec lists
  std::unordered_map<std::uint32_t, Setup> setups_;
  std::vector<std::pair<UniverseId, ExprRef>> nows_;
  std::set<std::string> property_names_;
  bool now_fixed_ = false;    // `now` is a constant of the model, not a variable
  bool collections_ = false;  // some field or parameter is a set or a map
  CollectionCapacity capacity_;
};

}  // namespace whittle::rebel

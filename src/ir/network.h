// SPDX-License-Identifier: Apache-2.0
// The Network: what every front end produces and every transformation of models works on. A set of
// machines (a Rebel specification, a process, a symbolic transition system), each with locations,
// variables and events, and universes that say which instances of the machines exist.
//
// One step of a network is one root event of one instance, together with all events it
// synchronises with, atomically: every participating instance moves along one arc of its event
// that starts at its location, all guards hold, all effects hold between the state before and the
// state after, and whatever no effect mentions keeps its value. An instance takes part with at most
// one event (with one list of arguments) per step. A guard, effect, key or argument that is
// undefined (division by zero, dangling reference) disables the step.
//
// Terms in a network speak about the model through symbols; `role` says what a symbol stands for.
// Elements are addressed by 32-bit ids that are dense within one network. A transformed network
// has ids of its own but shares the pool, and variables, parameters and locations keep their
// symbols, so terms carry over unchanged.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "expr/expr.h"
#include "ir/as_written.h"
#include "ir/property.h"

namespace whittle {

class Notation;
struct Drawing;

// What a symbol stands for. "Own" means: of the instance that takes the event at hand.
enum class RoleKind : std::uint8_t {
  None,
  Current,          // own or shared variable before the step (in conditions on states: now)
  Next,             // own or shared variable after the step
  Input,            // parameter of the event at hand
  Bound,            // bound by a quantifier
  At,               // Bool: own location is this one, before the step
  AtNext,           // ... after the step
  RemoteCurrent,    // variable of the instance whose key is the argument, before the step
  RemoteNext,       // ... after the step
  RemoteAt,         // Bool: the instance whose key is the argument is at this location
  RemoteAtNext,     // ... after the step
  Known,            // Bool: the argument is the key of an instance of the machine
  InstanceCurrent,  // variable of one particular instance (in properties and `init`)
  InstanceAt,       // Bool: that instance is at that location
  InstanceTaken,    // Bool: that instance takes part in the step that leaves the state with this
                    // event; false on the last state of a run, which stays (atoms of LTL only)
  Halt,             // Bool: no step is possible in the state (atoms of LTL only)
};
// Machines without a key have at most one instance; their Remote... and Known symbols take no
// argument. Remote variables of an absent instance are undefined; RemoteAt and Known are false.

struct Role {
  RoleKind kind = RoleKind::None;
  std::uint32_t id = 0;  // variable, location, event or machine, as the kind says
  InstanceId instance;   // InstanceCurrent, InstanceAt, InstanceTaken
  bool operator==(const Role&) const = default;
};

struct Variable {
  std::string name;
  Type type;
  MachineId machine;  // invalid: shared by all machines
  SymbolId current;
  SymbolId next;
  Expr initial;  // value at the start; invalid: arbitrary
  Span origin;
};

struct Location {
  std::string name;
  MachineId machine;
  bool final = false;  // being stuck here is fine
  bool error = false;  // being here is a violation (its property says which)
  Span origin;
};

struct Parameter {
  std::string name;
  Type type;
  SymbolId symbol;
  Span origin;
};

struct Guard {
  Expr condition;  // over Current, Input, At, Remote... symbols
  Span origin;
  bool of_effect = false;  // nobody wrote it: it says where an effect has a value
};

enum class EffectKind : std::uint8_t {
  Assign,    // writes[0]' = expr
  Relation,  // expr holds between before and after; it may fail, and then disables the event
  Free,      // writes get any value
};

struct Effect {
  EffectKind kind = EffectKind::Assign;
  std::vector<VariableId> writes;  // own or shared; the variables that are not framed because of it
  Expr expr;
  Span origin;
};

struct Sync {
  MachineId machine;
  Expr key;  // invalid where the machine has no key
  EventId event;
  std::vector<Expr> arguments;  // one per parameter, over the caller's symbols before the step
  bool negated = false;         // the event must not be possible there; nothing moves by this
  Span origin;
};

struct Arc {
  LocationId from;
  LocationId to;
  Span origin;
};

struct Event {
  std::string name;
  MachineId machine;
  std::vector<Parameter> parameters;
  std::vector<Guard> guards;
  std::vector<Effect> effects;
  std::vector<Sync> syncs;
  std::vector<Arc> arcs;  // where it can happen and where it leads; none: never
  bool root = true;       // false: happens only when synchronised with
  Span origin;
};

struct Start {
  std::string name;  // "start Open", "start Open #2"
  LocationId location;
  Expr condition;  // over own Current symbols
  Span origin;
};

struct Machine {
  std::string name;
  UniverseId universe;                // for questions about its structure; invalid: any
  VariableId key;                     // invalid: no key, at most one instance
  std::vector<VariableId> variables;  // own ones, the key included
  std::vector<LocationId> locations;
  std::vector<EventId> events;
  std::vector<Start> starts;  // alternatives
  Span origin;
};

struct Instance {
  std::string name;  // as people write it: `Account[NL01]`, `P[2]`
  MachineId machine;
  UniverseId universe;
  Value key;  // meaningful where the machine has a key; unique per machine
};

// Which instances exist. A property is decided in one universe.
struct Universe {
  std::string description;  // "one Account, two of Transaction"
  std::vector<InstanceId> instances;
  std::vector<Expr> init;  // further conditions on the first state, over Instance... symbols
  std::string incomplete;  // as in Property, for questions about any number of steps
  // What the front end expects of every reachable state, over Instance... symbols: hints for
  // engines, which prove them before they use them. Transformations may lose them.
  std::vector<Expr> believed;
};

// What no run neglects for ever, of every instance of the machine by itself: steps in which the
// instance takes part with one of the events.
struct Fairness {
  enum class Kind : std::uint8_t {
    Weak,    // possible all the time from some state on: taken infinitely often
    Strong,  // possible infinitely often: taken infinitely often
  };
  Kind kind = Kind::Weak;
  MachineId machine;
  std::vector<EventId> events;  // of the machine
  std::string name;             // "process P", "transition serve"
  Span origin;
};

class Network {
 public:
  explicit Network(std::shared_ptr<ExprPool> pool);

  std::string name;
  std::string language;                      // id of the front end: "sts"
  std::shared_ptr<const Notation> notation;  // how values are shown to people; may be null
  // The second reading of the text, where the front end encodes; null: there is none.
  std::shared_ptr<const AsWritten> as_written;
  std::vector<Fairness> fairness;          // of every run that an LTL property is about
  std::shared_ptr<const Drawing> drawing;  // of the file; null: it has none

  // ----- building
  MachineId add_machine(std::string machine_name, Span origin);
  // Declares the symbols of the variable: `x` and `x'`.
  VariableId add_variable(std::string variable_name, Type type, MachineId owner, Span origin);
  // Keeps given symbols (transformations that copy a variable into another network).
  VariableId add_variable(Variable variable);
  LocationId add_location(std::string location_name, MachineId machine, Span origin);
  EventId add_event(std::string event_name, MachineId machine, Span origin);
  SymbolId add_parameter(EventId event, std::string parameter_name, Type type, Span origin);
  void add_parameter(EventId event, Parameter parameter);
  UniverseId add_universe(std::string description);
  InstanceId add_instance(UniverseId universe, MachineId machine, Value key, std::string name);
  PropertyId add_property(Property property);
  // The machine that a structural check is about; invalid: the property asks about states.
  [[nodiscard]] MachineId machine_of(const Property& property) const;
  void set_role(SymbolId symbol, Role role);

  // ----- symbols made on demand, one per meaning
  SymbolId at(LocationId location);
  SymbolId at_next(LocationId location);
  SymbolId remote(VariableId variable);
  SymbolId remote_next(VariableId variable);
  SymbolId remote_at(LocationId location);
  SymbolId remote_at_next(LocationId location);
  SymbolId known(MachineId machine);
  SymbolId of_instance(InstanceId instance, VariableId variable);
  SymbolId at_instance(InstanceId instance, LocationId location);
  SymbolId taken_by(InstanceId instance, EventId event);
  SymbolId halt();
  // For flat systems: the next value of an instance's variable, and the instance's location as a
  // value of this type, before and after the step.
  SymbolId next_of_instance(InstanceId instance, VariableId variable);
  SymbolId location_of_instance(InstanceId instance, Type type);
  SymbolId next_location_of_instance(InstanceId instance, Type type);
  // Takes over the meaning that a symbol has in another network, with this network's ids.
  void adopt(SymbolId symbol, Role role);

  // ----- looking
  [[nodiscard]] ExprPool& pool() const { return *pool_; }
  [[nodiscard]] const std::shared_ptr<ExprPool>& shared_pool() const { return pool_; }
  // Formulas of properties; shared with networks that transformations make of this one.
  [[nodiscard]] LtlPool& ltl() const { return *ltl_; }
  void share_ltl(const Network& other) { ltl_ = other.ltl_; }
  [[nodiscard]] Role role(SymbolId symbol) const;
  [[nodiscard]] Machine& machine(MachineId id) { return machines_[id.index()]; }
  [[nodiscard]] Variable& variable(VariableId id) { return variables_[id.index()]; }
  [[nodiscard]] Location& location(LocationId id) { return locations_[id.index()]; }
  [[nodiscard]] Event& event(EventId id) { return events_[id.index()]; }
  [[nodiscard]] Universe& universe(UniverseId id) { return universes_[id.index()]; }
  [[nodiscard]] Property& property(PropertyId id) { return properties_[id.index()]; }
  [[nodiscard]] const Machine& machine(MachineId id) const { return machines_[id.index()]; }
  [[nodiscard]] const Variable& variable(VariableId id) const { return variables_[id.index()]; }
  [[nodiscard]] const Location& location(LocationId id) const { return locations_[id.index()]; }
  [[nodiscard]] const Event& event(EventId id) const { return events_[id.index()]; }
  [[nodiscard]] const Universe& universe(UniverseId id) const { return universes_[id.index()]; }
  [[nodiscard]] const Instance& instance(InstanceId id) const { return instances_[id.index()]; }
  [[nodiscard]] const Property& property(PropertyId id) const { return properties_[id.index()]; }
  [[nodiscard]] const std::vector<Machine>& machines() const { return machines_; }
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }
  [[nodiscard]] const std::vector<Location>& locations() const { return locations_; }
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] const std::vector<Universe>& universes() const { return universes_; }
  [[nodiscard]] const std::vector<Instance>& instances() const { return instances_; }
  [[nodiscard]] const std::vector<Property>& properties() const { return properties_; }
  [[nodiscard]] const std::vector<VariableId>& shared_variables() const { return shared_; }

  // The instance of the machine with this key in the universe; invalid: there is none.
  // Machines without a key have only one; the key is ignored then.
  [[nodiscard]] InstanceId find_instance(UniverseId universe, MachineId machine,
                                         const Value& key) const;
  // The instances of a machine in a universe, in the order of Universe::instances.
  [[nodiscard]] const std::vector<InstanceId>& instances_of(UniverseId universe,
                                                            MachineId machine) const;

 private:
  struct RoleHash {
    std::size_t operator()(const Role& role) const noexcept;
  };
  // The instances of one machine in one universe.
  struct Population {
    std::vector<InstanceId> all;
    std::unordered_map<Value, InstanceId> by_key;
  };

  SymbolId on_demand(Role role, std::string symbol_name, Type type, std::vector<Type> params);
  [[nodiscard]] std::vector<Type> key_types(MachineId machine) const;
  [[nodiscard]] const Population* population(UniverseId universe, MachineId machine) const;

  std::shared_ptr<ExprPool> pool_;
  std::shared_ptr<LtlPool> ltl_;
  std::vector<Machine> machines_;
  std::vector<Variable> variables_;
  std::vector<Location> locations_;
  std::vector<Event> events_;
  std::vector<Universe> universes_;
  std::vector<Instance> instances_;
  std::vector<Property> properties_;
  std::vector<VariableId> shared_;
  std::vector<Role> roles_;                                    // by symbol
  std::unordered_map<Role, SymbolId, RoleHash> demanded_;      // symbols made on demand
  std::unordered_map<std::uint64_t, Population> populations_;  // by universe and machine
};

// Problems a front end or transformation should never leave behind (unknown ids, terms with symbols
// that have no role there, types that do not fit, synchronisation cycles); empty when well formed.
[[nodiscard]] std::vector<std::string> well_formedness_problems(const Network& network);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Instances: the nodes of the dependence graph (Eilers 2018, section 4.2), pairs of a control-flow
// node and a variable, with epsilon for "is executed". Eilers' guard node is one node per event;
// ours is also split per arc, so that an event that is needed between two locations does not bring
// its other arcs with it.
#pragma once

#include <cstdint>
#include <string_view>

#include "ir/network.h"

namespace whittle::slice {

enum class Part : std::uint8_t {
  Location,       // (location, epsilon): the machine is there
  LocationValue,  // (location, v): the value that v has there
  Value,          // the value of v wherever its machine is (shared variables, references)
  LocationRead,   // whether the machine is at the location, seen from outside at any time
  Arc,            // (guard, epsilon) along one arc
  Guard,          // (guard, epsilon) along some arc
  Parameter,      // (guard, p): the value of a parameter
  Effect,         // (effect, epsilon), and with it the variables that it defines
  Sync,           // (sync, epsilon)
  Initial,        // the value of v at the start
  Machine,        // which instances exist
};

struct Instance {
  Part part = Part::Location;
  std::uint32_t id = 0;    // location, variable, event or machine, as the part says
  std::uint32_t with = 0;  // variable of LocationValue; index of the arc, parameter, effect, sync

  bool operator==(const Instance&) const = default;
  [[nodiscard]] std::uint64_t key() const {
    return (std::uint64_t{static_cast<std::uint8_t>(part)} << 60) | (std::uint64_t{id} << 30) |
           with;
  }
};

inline Instance location(LocationId l) { return {Part::Location, l.index(), 0}; }
inline Instance value_at(LocationId l, VariableId v) {
  return {Part::LocationValue, l.index(), v.index()};
}
inline Instance value(VariableId v) { return {Part::Value, v.index(), 0}; }
inline Instance location_read(LocationId l) { return {Part::LocationRead, l.index(), 0}; }
inline Instance arc(EventId e, std::uint32_t a) { return {Part::Arc, e.index(), a}; }
inline Instance guard(EventId e) { return {Part::Guard, e.index(), 0}; }
inline Instance parameter(EventId e, std::uint32_t p) { return {Part::Parameter, e.index(), p}; }
inline Instance effect(EventId e, std::uint32_t j) { return {Part::Effect, e.index(), j}; }
inline Instance sync(EventId e, std::uint32_t j) { return {Part::Sync, e.index(), j}; }
inline Instance initial(VariableId v) { return {Part::Initial, v.index(), 0}; }
inline Instance machine(MachineId m) { return {Part::Machine, m.index(), 0}; }

// Why an instance is in the slice. The first seven after Criterion are those of Eilers 2018.
enum class DependenceKind : std::uint8_t {
  Criterion,        // the question asks for it
  UseDef,           // a use of a variable and the definitions that reach it
  DefUse,           // a definition and the variables it is computed from
  Control,          // whether an event happens and the variables of its guard
  NestedControl,    // an effect or synchronisation and the event it belongs to
  DefExecution,     // a definition and the execution of its event
  ParameterData,    // a parameter and the arguments of synchronisations
  Synchronisation,  // a synchronisation and the event it synchronises with
  Atomicity,        // an event and its own synchronisations: without them it cannot happen
  BlockingEffect,   // an event and an effect of it that may be impossible
  CrossRead,        // a reference to another instance and everything that defines what it reads
  Interference,     // a shared variable and its definitions in all machines
  EnterLocation,    // an event and the locations it leaves and enters
  OnlyByCall,       // an event that only happens when synchronised with, and its callers
  MovesTogether,    // events that one caller lets happen in one step
  Initial,          // a value and the conditions on the start
  Reconnection,     // what lies on a way between two parts of the slice
  WholeEvent,       // coarse slicing keeps events whole
  EveryStep,        // infinite runs: a step stays a step, so it is possible where it was
  Decides,          // a location and what decides whether it is met
  Divergence,       // a location and what may go on for ever, or get stuck, before it
  NextObservable,   // two locations and what decides which of them is met first
  Separator,        // a location after which another one is entered, so that this is seen
  Neighbour,        // a location that the formula names and those behind it
};

[[nodiscard]] std::string_view to_string(DependenceKind kind);

}  // namespace whittle::slice

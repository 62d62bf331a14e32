// SPDX-License-Identifier: Apache-2.0
// The edges of the dependence graph, found when somebody asks for them: the cost of a closure is
// the size of the part of the graph that it walks.
#pragma once

#include <functional>
#include <vector>

#include "slice/closure.h"
#include "slice/control_flow.h"
#include "slice/init_conditions.h"
#include "slice/uses.h"

namespace whittle::slice {

// What distinguishes the granularities.
struct Precision {
  bool by_location = true;    // definitions reach uses along paths; false: every definition does
  bool whole_events = false;  // an event brings all its effects
  bool all_moves = false;  // a machine of which anything is needed brings all changes of location
};

// What an instance depends on (the arrow goes from the instance to the reported target). One object
// serves one closure: rules that join two instances look up whether the other one is there.
class Dependences {
 public:
  using Report = std::function<void(Instance target, DependenceKind kind, Span origin)>;

  Dependences(const ControlFlow& flow, const InitConditions& init, Precision precision);

  void of(Instance instance, const Closure& known, const Report& report);
  void start_condition(const InitCondition& condition, const Report& report);
  // What a condition of the question reads where it is evaluated.
  void of_condition(Expr condition, DependenceKind kind, Span origin, const Report& report);

  // What it depends on that the synchronisation is *not* possible.
  void forbidden(const Sync& sync, const Report& report);

 private:
  using Arcs = std::vector<ArcRef>;

  // One function per kind of dependence; the formulas stand above the bodies.
  void use_def_at(LocationId location, VariableId v, const Report& report);
  void use_def_anywhere(VariableId v, const Report& report);
  void defined_by(EffectRef writer, ArcRef along, DependenceKind kind, const Report& report);
  void def_use(EffectRef effect, const Arcs& arcs, const Report& report);
  void control(EventId event, const Arcs& arcs, const Report& report);
  void nested_control(EventId event, Span origin, const Report& report);
  void parameter_data(EventId event, std::uint32_t parameter, const Closure& known,
                      const Report& report);
  void arguments(SyncRef ref, const Arcs& arcs, const Closure& known, const Report& report);
  void synchronisation(SyncRef ref, const Arcs& arcs, const Report& report);
  void atomicity(EventId event, const Report& report);
  void blocking_effects(EventId event, const Report& report);
  void enter_location(ArcRef ref, const Report& report);
  void location_read(LocationId location, const Report& report);
  void only_by_call(EventId event, const Report& report);
  void moves_together(EventId event, const Report& report);
  void initial_value(VariableId v, const Report& report);
  void every_move(MachineId machine, const Report& report);

  void use(Expr e, EventId event, const Arcs& arcs, DependenceKind kind, Span origin,
           const Report& report);
  void every_arc(EventId event, DependenceKind kind, Span origin, const Report& report);
  [[nodiscard]] Arcs known_arcs(EventId event, const Closure& known) const;

  const ControlFlow& flow_;
  const Network& network_;
  const InitConditions& init_;
  Precision precision_;
  UseTable uses_;
  std::vector<char> carries_;          // by event: it or something it synchronises with is needed
  std::vector<std::uint8_t> carried_;  // by event: how many of its synchronisations do (up to 2)
  std::vector<char> moves_;            // by machine: every_move was reported
};

// By effect: it may be impossible for some values, so that it acts as a guard.
[[nodiscard]] std::vector<char> may_block(const Network& network, const Event& event);

}  // namespace whittle::slice

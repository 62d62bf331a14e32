// SPDX-License-Identifier: Apache-2.0
// Which fields a text speaks about: what postconditions mention under `new` may change, everything
// else keeps its value.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "frontend/rebel/program.h"

namespace whittle::rebel {

// Every expression in an expression, itself included, with the names that are bound around it.
using ExprVisitor = std::function<void(ExprRef, const std::vector<Name>& bound)>;
void each_expression(const ModuleAst& module, ExprRef e, const ExprVisitor& visit);
// All expressions of a statement, those of its cases included.
void each_expression(const ModuleAst& module, const StmtAst& stmt, const ExprVisitor& visit);

// Does it speak of the state after the step?
[[nodiscard]] bool mentions_new(const ModuleAst& module, ExprRef e);
[[nodiscard]] bool mentions_new(const ModuleAst& module, const StmtAst& stmt);

// `new this.m[key] == value`, where the value is of the state before.
struct EntryUpdate {
  ExprRef key = kNone;
  ExprRef value = kNone;
};

// `new this.f == value`, likewise; kNone: more is said about the field, or something else.
struct FieldChange {
  bool only_updates = true;          // every conjunct about it is an EntryUpdate
  std::vector<EntryUpdate> updates;  // if so
  std::uint32_t conjuncts = 0;       // that mention it
  ExprRef assigned = kNone;          // of the last conjunct of that form
};

// The fields of `this` under `new` in the postconditions of an event that a specification uses, by
// field. `parameters`: names that hide fields.
[[nodiscard]] std::map<std::uint32_t, FieldChange> changes(const Program& program,
                                                           std::uint32_t module,
                                                           const EventAst& event, const Spec& spec,
                                                           const std::set<Name>& parameters);
// Is every postcondition an assignment or an entry of a map? Then the state after follows.
[[nodiscard]] bool only_assigns(const Program& program, std::uint32_t module, const EventAst& event,
                                const Spec& spec, const std::set<Name>& parameters);
// Does it read a field of `this` other than the key?
[[nodiscard]] bool reads_own_fields(const ModuleAst& module, ExprRef e, const Spec& spec);

}  // namespace whittle::rebel

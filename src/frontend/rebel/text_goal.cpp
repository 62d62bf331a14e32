// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/text_goal.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/rebel/mentions.h"

namespace whittle::rebel {

namespace {

const CheckAst* check_at(const Program& program, Span origin) {
  const ModuleAst& ast = program.module(0).ast;
  for (const CheckAst& one : ast.checks) {
    if (ast.span(one.at) == origin) return &one;
  }
  return nullptr;
}

// Of the configuration that the check is about.
Range statements_of(const Program& program, const CheckAst& check) {
  const Module& root = program.module(0);
  const auto setup = root.setups.find(check.setup);
  if (setup == root.setups.end()) throw Gap{"a configuration that was not found"};
  return root.ast.setups[setup->second].stmts;
}

class Goal {
 public:
  Goal(Program& program, const TextTrace& trace)
      : program_(program),
        trace_(trace),
        world_(trace.world),
        evaluator_(program, world_),
        last_(trace.steps.empty() ? trace.initial : trace.steps.back().after) {}

  // The configuration describes the instances in their order, all in one state.
  void configuration(Span origin) {
    const ModuleAst& ast = program_.module(0).ast;
    const CheckAst* check = check_at(program_, origin);
    if (check == nullptr) throw Gap{"a check that was not found"};
    const Range stmts = statements_of(program_, *check);
    for (std::uint32_t i = 0; i < stmts.count; ++i) {
      const SetupStmtAst& stmt = ast.setup_stmts[stmts.first + i];
      if (stmt.is_now) time(stmt);
    }
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < stmts.count; ++i) {
      const SetupStmtAst& stmt = ast.setup_stmts[stmts.first + i];
      if (stmt.is_now) continue;
      const std::uint32_t spec = program_.resolve_spec(0, stmt.spec, true);
      for (std::uint32_t n = 0; n < stmt.count; ++n, ++next) {
        if (next >= world_.instances.size() || world_.instances[next].spec != spec) {
          throw Difference{"the instances are not those of the configuration"};
        }
        described(next, n, stmt);
      }
    }
    if (next != world_.instances.size()) {
      throw Difference{"there are more instances than the configuration describes"};
    }
  }

  // Some initialised instance does not fulfil it.
  void violated(const Property& property) {
    bool found = false;
    for (std::uint32_t s = 0; s < program_.specs().size(); ++s) {
      const Spec& spec = program_.specs()[s];
      for (const Decl& decl : spec.invariants) {
        const ModuleAst& ast = program_.module(decl.module).ast;
        const InvariantAst& invariant = ast.invariants[decl.index];
        const std::string name =
            program_.text(spec.name) + "." + program_.text(invariant.name.simple);
        if (ast.span(invariant.name.at) != property.origin) continue;
        if (property.name != name && !property.name.starts_with(name + "#")) continue;
        if (found) throw Gap{"two invariants of one name"};
        found = true;
        if (!some_instance_violates(s, decl)) {
          throw Difference{"the invariant holds in the last state"};
        }
      }
    }
    if (!found) throw Gap{"an invariant that was not found"};
  }

  // The last step takes the event from one state to the other.
  void taken(const Network& network, const Property& property) {
    if (trace_.steps.empty()) throw Difference{"nothing happens"};
    const auto& asked = property.as<ArcGoal>();
    const Event& event = network.event(asked.event);
    const Arc& arc = event.arcs.at(asked.arc);
    const Snapshot& before =
        trace_.steps.size() > 1 ? trace_.steps[trace_.steps.size() - 2].after : trace_.initial;
    for (const TextOccurrence& one : trace_.steps.back().occurrences) {
      const Spec& spec = program_.specs()[world_.instances[one.instance].spec];
      const auto state = [&](const Snapshot& at) {
        return program_.text(spec.states[at.states[one.instance]].name);
      };
      if (program_.text(spec.uses[one.use].name) == event.name &&
          spec.origin == network.machine(event.machine).origin &&
          state(before) == network.location(arc.from).name &&
          state(last_) == network.location(arc.to).name) {
        return;
      }
    }
    throw Difference{"the last step does not take the transition"};
  }

 private:
  void demand(bool truth, Extent at) const {
    if (truth) return;
    const ModuleAst& ast = program_.module(0).ast;
    throw Difference{
        fmt::format("'{}' is not true in the last state", program_.sources().text(ast.span(at)))};
  }

  void time(const SetupStmtAst& stmt) {
    const ModuleAst& ast = program_.module(0).ast;
    const ExprNode& n = ast.expr(stmt.now);
    const bool exact = n.kind == ExprKind::DateTime;
    const ExprNode& day = exact ? ast.expr(n.a) : n;
    if (day.kind != ExprKind::Date) throw Gap{"a time that is not written out"};
    const Datum& now = world_.now;
    if (!now.defined()) return;  // nothing in the model depends on it
    const bool same_day = now.date.day == static_cast<int>(day.a) &&
                          now.date.month == static_cast<int>(day.b) &&
                          (day.c == kNone || now.date.year == Integer(static_cast<long>(day.c)));
    demand(same_day, stmt.at);
    if (exact) demand(now.number == Integer(static_cast<long>(ast.expr(n.b).a)), stmt.at);
  }

  void described(std::uint32_t instance, std::uint32_t n, const SetupStmtAst& stmt) {
    const ModuleAst& ast = program_.module(0).ast;
    const Spec& spec = program_.specs()[world_.instances[instance].spec];
    const Name at = spec.states[last_.states[instance]].name;
    if (stmt.uninitialized) demand(last_.states[instance] == spec.initial, stmt.at);
    if (stmt.state != kNoName) demand(at == stmt.state, stmt.at);
    if (stmt.states != kNone) {
      bool some = false;
      for (std::uint32_t i = 0; i < ast.list_size(stmt.states); ++i) {
        some = some || ast.expr(ast.list(stmt.states)[i]).a == at;
      }
      demand(some, stmt.at);
    }
    for (std::uint32_t g = 0; g < stmt.groups.count; ++g) {
      if (stmt.one_each && g != n) continue;
      fulfils(instance, ast.groups[stmt.groups.first + g]);
    }
  }

  void fulfils(std::uint32_t instance, const ConstraintGroupAst& group) {
    const ModuleAst& ast = program_.module(0).ast;
    const Spec& spec = program_.specs()[world_.instances[instance].spec];
    Place place;
    place.self = instance;
    place.before = &last_;
    place.goal = true;
    for (std::uint32_t i = 0; i < ast.list_size(group.constraints); ++i) {
      const ExprRef e = ast.list(group.constraints)[i];
      demand(evaluator_.value(place, e).is_true(), ast.expr(e).at);
      // Fields have values once the instance has left its initial state.
      if (reads_own_fields(ast, e, spec)) {
        demand(last_.states[instance] != spec.initial, ast.expr(e).at);
      }
    }
  }

  bool some_instance_violates(std::uint32_t s, const Decl& decl) {
    const ModuleAst& ast = program_.module(decl.module).ast;
    const InvariantAst& invariant = ast.invariants[decl.index];
    std::string gap;
    for (std::uint32_t i = 0; i < world_.instances.size(); ++i) {
      if (world_.instances[i].spec != s || last_.states[i] == program_.specs()[s].initial) continue;
      Place place;
      place.module = decl.module;
      place.self = i;
      place.before = &last_;
      for (std::uint32_t k = 0; k < invariant.body.count; ++k) {
        try {
          if (!evaluator_.statement(place, ast.stmts[invariant.body.first + k]).is_true()) {
            return true;
          }
        } catch (const Gap& unread) {
          gap = unread.what;
        }
      }
    }
    if (!gap.empty()) throw Gap{gap};
    return false;
  }

  Program& program_;
  const TextTrace& trace_;
  const World& world_;
  Evaluator evaluator_;
  const Snapshot& last_;
};

}  // namespace

Datum written_now(Program& program, const Property& property) {
  const CheckAst* check = check_at(program, property.origin);
  if (property.kind != PropertyKind::Reach || check == nullptr) return {};
  const ModuleAst& ast = program.module(0).ast;
  const Range stmts = statements_of(program, *check);
  for (std::uint32_t i = 0; i < stmts.count; ++i) {
    const SetupStmtAst& stmt = ast.setup_stmts[stmts.first + i];
    if (!stmt.is_now || ast.expr(stmt.now).kind != ExprKind::DateTime) continue;
    if (ast.expr(ast.expr(stmt.now).a).c == kNone) continue;  // in any year
    return Evaluator(program, World()).value(Place(), stmt.now);
  }
  return {};
}

void check_goal(Program& program, const TextTrace& trace, const Network& network, PropertyId id) {
  const Property& property = network.property(id);
  Goal goal(program, trace);
  switch (property.kind) {
    case PropertyKind::Reach:
      return goal.configuration(property.origin);
    case PropertyKind::Invariant:
      return goal.violated(property);
    case PropertyKind::DeadTransition:
      return goal.taken(network, property);
    case PropertyKind::UnsatStart:
      return;
    default:
      throw Gap{"that nothing can happen in the last state"};
  }
}

}  // namespace whittle::rebel

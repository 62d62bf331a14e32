// SPDX-License-Identifier: Apache-2.0
// What a network must satisfy before anybody may rely on it. Problems found here are defects of a
// front end or a transformation, so the messages are for developers.
#include <algorithm>
#include <string>
#include <unordered_set>

#include "expr/traverse.h"
#include "ir/ltl.h"
#include "ir/network.h"
#include "ir/property_kinds.h"

namespace whittle {

namespace {

// Which roles a term may use.
enum class Context {
  Event,     // guards, assigned values, keys, arguments: before the step
  Relation,  // also after the step
  Start,     // own variables only
  State,     // the whole universe: properties, init
  Letter,    // the same and the step that leaves the state: atoms of LTL
};

class Checker {
 public:
  explicit Checker(const Network& network) : network_(network), pool_(network.pool()) {}

  std::vector<std::string> run() {
    for (std::size_t i = 0; i < network_.variables().size(); ++i) variable(VariableId(i));
    for (std::size_t i = 0; i < network_.locations().size(); ++i) location(LocationId(i));
    for (std::size_t i = 0; i < network_.machines().size(); ++i) machine(MachineId(i));
    for (std::size_t i = 0; i < network_.events().size(); ++i) event(EventId(i));
    for (std::size_t i = 0; i < network_.instances().size(); ++i) instance(InstanceId(i));
    for (std::size_t i = 0; i < network_.universes().size(); ++i) universe(UniverseId(i));
    for (std::size_t i = 0; i < network_.properties().size(); ++i) property(PropertyId(i));
    sync_cycles();
    return std::move(problems_);
  }

 private:
  template <class Id, class Table>
  static bool known(Id id, const Table& table) {
    return id.valid() && id.index() < table.size();
  }
  bool known(MachineId id) const { return known(id, network_.machines()); }
  bool known(VariableId id) const { return known(id, network_.variables()); }
  bool known(LocationId id) const { return known(id, network_.locations()); }
  bool known(EventId id) const { return known(id, network_.events()); }
  bool known(InstanceId id) const { return known(id, network_.instances()); }
  bool known(UniverseId id) const { return known(id, network_.universes()); }

  void problem(const std::string& where, const std::string& what) {
    constexpr std::size_t kEnough = 100;
    if (problems_.size() < kEnough) problems_.push_back(where + ": " + what);
  }

  void variable(VariableId id) {
    const Variable& v = network_.variable(id);
    const std::string where = "variable " + v.name;
    if (v.machine.valid() && !known(v.machine)) return problem(where, "unknown machine");
    if (network_.role(v.current) != Role{RoleKind::Current, id.index(), {}}) {
      problem(where, "its current symbol has another role");
    }
    if (network_.role(v.next) != Role{RoleKind::Next, id.index(), {}}) {
      problem(where, "its next symbol has another role");
    }
    if (pool_.info(v.current).type != v.type || pool_.info(v.next).type != v.type) {
      problem(where, "its symbols have another type");
    }
    if (v.initial.valid()) {
      if (pool_.type(v.initial) != v.type) problem(where, "initial value of another type");
      term(v.initial, Context::Start, v.machine, {}, where + ", initial value");
    }
  }

  void location(LocationId id) {
    const Location& l = network_.location(id);
    if (!known(l.machine)) problem("location " + l.name, "unknown machine");
  }

  void machine(MachineId id) {
    const Machine& m = network_.machine(id);
    const std::string where = "machine " + m.name;
    if (m.locations.empty()) problem(where, "no location");
    if (m.starts.empty()) problem(where, "no start");
    if (m.key.valid() && (!known(m.key) || network_.variable(m.key).machine != id)) {
      problem(where, "its key is no variable of its own");
    }
    for (VariableId v : m.variables) {
      if (!known(v) || network_.variable(v).machine != id)
        problem(where, "lists a foreign variable");
    }
    for (LocationId l : m.locations) {
      if (!known(l) || network_.location(l).machine != id)
        problem(where, "lists a foreign location");
    }
    for (EventId e : m.events) {
      if (!known(e) || network_.event(e).machine != id) problem(where, "lists a foreign event");
    }
    for (const Start& start : m.starts) {
      if (!known(start.location) || network_.location(start.location).machine != id) {
        problem(where, "starts at a foreign location");
      }
      if (start.condition.valid()) {
        condition(start.condition, Context::Start, id, {}, where + ", " + start.name);
      }
    }
  }

  void event(EventId id) {
    const Event& e = network_.event(id);
    if (!known(e.machine)) return problem("event " + e.name, "unknown machine");
    const std::string where = "event " + network_.machine(e.machine).name + "." + e.name;
    for (const Parameter& p : e.parameters) {
      if (network_.role(p.symbol) != Role{RoleKind::Input, id.index(), {}}) {
        problem(where, "the symbol of parameter " + p.name + " has another role");
      } else if (pool_.info(p.symbol).type != p.type) {
        problem(where, "the symbol of parameter " + p.name + " has another type");
      }
    }
    for (const Guard& g : e.guards) {
      condition(g.condition, Context::Event, e.machine, id, where + ", guard");
    }
    for (const Effect& effect : e.effects) this->effect(effect, e, id, where);
    for (const Sync& sync : e.syncs) this->sync(sync, e, id, where);
    for (const Arc& arc : e.arcs) {
      for (LocationId l : {arc.from, arc.to}) {
        if (!known(l) || network_.location(l).machine != e.machine) {
          problem(where, "an arc with a foreign location");
        }
      }
    }
  }

  void effect(const Effect& effect, const Event& e, EventId id, const std::string& where) {
    for (VariableId v : effect.writes) {
      if (!known(v)) return problem(where, "writes an unknown variable");
      const MachineId owner = network_.variable(v).machine;
      if (owner.valid() && owner != e.machine) {
        problem(where, "writes the foreign variable " + network_.variable(v).name);
      }
      if (network_.machine(e.machine).key == v) problem(where, "writes the key");
    }
    switch (effect.kind) {
      case EffectKind::Assign:
        if (effect.writes.size() != 1) return problem(where, "an assignment writes one variable");
        if (!effect.expr.valid()) return problem(where, "an assignment without a value");
        if (pool_.type(effect.expr) != network_.variable(effect.writes[0]).type) {
          problem(where,
                  "assigns a value of another type to " + network_.variable(effect.writes[0]).name);
        }
        term(effect.expr, Context::Event, e.machine, id, where + ", assignment");
        break;
      case EffectKind::Relation:
        if (!effect.expr.valid()) return problem(where, "a relation without a condition");
        condition(effect.expr, Context::Relation, e.machine, id, where + ", relation");
        break;
      case EffectKind::Free:
        if (effect.writes.empty()) problem(where, "frees nothing");
        break;
    }
  }

  void sync(const Sync& sync, const Event& e, EventId id, const std::string& where) {
    if (!known(sync.machine) || !known(sync.event) ||
        network_.event(sync.event).machine != sync.machine) {
      return problem(where, "synchronises with an unknown event");
    }
    const VariableId key = network_.machine(sync.machine).key;
    if (key.valid() != sync.key.valid()) {
      problem(where, "synchronises with a key where there is none, or without");
    } else if (key.valid()) {
      if (pool_.type(sync.key) != network_.variable(key).type) {
        problem(where, "synchronises with a key of another type");
      }
      term(sync.key, Context::Event, e.machine, id, where + ", key");
    }
    const auto& parameters = network_.event(sync.event).parameters;
    if (parameters.size() != sync.arguments.size()) {
      return problem(where, "synchronises with the wrong number of arguments");
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (pool_.type(sync.arguments[i]) != parameters[i].type) {
        problem(where, "an argument of another type for " + parameters[i].name);
      }
      term(sync.arguments[i], Context::Event, e.machine, id, where + ", argument");
    }
  }

  void instance(InstanceId id) {
    const Instance& i = network_.instance(id);
    const std::string where = "instance " + i.name;
    if (!known(i.machine) || !known(i.universe))
      return problem(where, "unknown machine or universe");
    const VariableId key = network_.machine(i.machine).key;
    if (!key.valid()) {
      if (network_.instances_of(i.universe, i.machine).size() > 1) {
        problem(where, "one of several, but its machine has no key");
      }
      return;
    }
    if (!pool_.has_type(i.key, network_.variable(key).type)) {
      problem(where, "a key of another type");
    } else if (network_.find_instance(i.universe, i.machine, i.key) != id) {
      problem(where, "its key is taken");
    }
  }

  void universe(UniverseId id) {
    for (Expr e : network_.universe(id).init) {
      condition(e, Context::State, {}, {}, "universe " + network_.universe(id).description);
      in_universe(e, id, "universe " + network_.universe(id).description);
    }
  }

  void arc_of(const ArcGoal& goal, const std::string& where) {
    if (!known(goal.event)) return problem(where, "unknown event");
    if (goal.arc >= network_.event(goal.event).arcs.size()) problem(where, "no such arc");
  }

  void start_of(const StartGoal& goal, const std::string& where) {
    if (!known(goal.machine)) return problem(where, "unknown machine");
    if (goal.start >= network_.machine(goal.machine).starts.size()) problem(where, "no such start");
  }

  void run(const RunGoal& goal, UniverseId universe, const std::string& where) {
    if (!goal.formula.valid()) return problem(where, "no formula");
    for (LtlFormula f : {goal.formula, goal.assumption}) {
      if (!f.valid()) continue;
      for (Expr atom : network_.ltl().atoms(f)) {
        condition(atom, Context::Letter, {}, {}, where);
        in_universe(atom, universe, where);
      }
    }
  }

  void property(PropertyId id) {
    const Property& p = network_.property(id);
    const std::string where = "property " + p.name;
    if (!known(p.universe)) return problem(where, "unknown universe");
    if (!has_shape(p.goal, goal_of(p.kind))) return problem(where, "the goal of another kind");
    switch (goal_of(p.kind)) {
      case GoalKind::ConditionHolds:
      case GoalKind::ConditionFails:
        if (!p.condition().valid()) return problem(where, "no condition");
        condition(p.condition(), Context::State, {}, {}, where);
        in_universe(p.condition(), p.universe, where);
        break;
      case GoalKind::NothingPossible:
        break;
      case GoalKind::ArcTaken:
        arc_of(p.as<ArcGoal>(), where);
        break;
      case GoalKind::NoNextState:
        if (!known(p.as<RelationGoal>().event)) problem(where, "unknown event");
        break;
      case GoalKind::NeverMoves:
        if (!known(p.as<SinkholeGoal>().location)) problem(where, "unknown location");
        if (p.condition().valid()) {
          condition(p.condition(), Context::State, {}, {}, where);
          in_universe(p.condition(), p.universe, where);
        }
        break;
      case GoalKind::Started:
        start_of(p.as<StartGoal>(), where);
        break;
      case GoalKind::RunRefutes:
        run(p.as<RunGoal>(), p.universe, where);
        break;
      case GoalKind::NeverAgain:
        condition(p.condition(), Context::State, {}, {}, where);
        in_universe(p.condition(), p.universe, where);
        break;
    }
    if (p.bound.max && *p.bound.max < p.bound.min) problem(where, "an empty range of steps");
  }

  void condition(Expr e, Context context, MachineId own, EventId event, const std::string& where) {
    if (!e.valid()) return problem(where, "a condition is missing");
    if (pool_.type(e) != Type::boolean()) problem(where, "a condition that is not Bool");
    term(e, context, own, event, where);
  }

  void term(Expr root, Context context, MachineId own, EventId event, const std::string& where) {
    std::unordered_set<SymbolId> bound;
    for_each_subterm(pool_, root, [&](Expr e) {
      const Op op = pool_.op(e);
      if (op == Op::Forall || op == Op::Exists || op == Op::Filter) {
        bound.insert(pool_.symbol_of(pool_.child(e, 0)));
      }
    });
    for_each_subterm(pool_, root, [&](Expr e) {
      if (pool_.op(e) != Op::Apply) return;
      const SymbolId symbol = pool_.symbol_of(e);
      if (bound.contains(symbol)) return;
      if (!allowed(network_.role(symbol), context, own, event)) {
        problem(where, "the symbol " + pool_.info(symbol).name + " has no meaning here");
      }
    });
  }

  bool allowed(Role role, Context context, MachineId own, EventId event) const {
    const bool in_event = context == Context::Event || context == Context::Relation;
    const bool of_universe = context == Context::State || context == Context::Letter;
    auto own_or_shared = [&] {
      if (role.id >= network_.variables().size()) return false;
      const MachineId owner = network_.variable(VariableId(role.id)).machine;
      return !owner.valid() || (!of_universe && owner == own);
    };
    auto own_location = [&] {
      return role.id < network_.locations().size() &&
             network_.location(LocationId(role.id)).machine == own;
    };
    switch (role.kind) {
      case RoleKind::None:
      case RoleKind::Bound:
        return false;
      case RoleKind::Current:
        return own_or_shared();
      case RoleKind::Next:
        return context == Context::Relation && !role.instance.valid() && own_or_shared();
      case RoleKind::Input:
        return in_event && role.id == event.index();
      case RoleKind::At:
        return in_event && own_location();
      case RoleKind::AtNext:
        return context == Context::Relation && own_location();
      case RoleKind::RemoteCurrent:
        return context != Context::Start && role.id < network_.variables().size();
      case RoleKind::RemoteNext:
        return context == Context::Relation && role.id < network_.variables().size();
      case RoleKind::RemoteAt:
        return context != Context::Start && role.id < network_.locations().size();
      case RoleKind::RemoteAtNext:
        return context == Context::Relation && role.id < network_.locations().size();
      case RoleKind::Known:
        return context != Context::Start && role.id < network_.machines().size();
      case RoleKind::InstanceCurrent:
        return of_universe && role.id < network_.variables().size() && known(role.instance);
      case RoleKind::InstanceAt:
        return of_universe && role.id < network_.locations().size() && known(role.instance);
      case RoleKind::InstanceTaken:
        return context == Context::Letter && role.id < network_.events().size() &&
               known(role.instance);
      case RoleKind::Halt:
        return context == Context::Letter;
    }
    return false;
  }

  void in_universe(Expr root, UniverseId universe, const std::string& where) {
    if (!root.valid()) return;
    for_each_subterm(pool_, root, [&](Expr e) {
      if (pool_.op(e) != Op::Apply) return;
      const Role role = network_.role(pool_.symbol_of(e));
      if (role.kind != RoleKind::InstanceCurrent && role.kind != RoleKind::InstanceAt &&
          role.kind != RoleKind::InstanceTaken)
        return;
      if (known(role.instance) && network_.instance(role.instance).universe != universe) {
        problem(where, "speaks of an instance of another universe");
      }
    });
  }

  // Depth-first search over event -> synchronised event.
  void sync_cycles() {
    enum : std::uint8_t { New, Open, Done };
    std::vector<std::uint8_t> mark(network_.events().size(), New);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack;
    for (std::uint32_t root = 0; root < mark.size(); ++root) {
      if (mark[root] != New) continue;
      mark[root] = Open;
      stack.emplace_back(root, 0);
      while (!stack.empty()) {
        auto& [at, next] = stack.back();
        const auto& syncs = network_.event(EventId(at)).syncs;
        if (next == syncs.size()) {
          mark[at] = Done;
          stack.pop_back();
          continue;
        }
        const EventId target = syncs[next++].event;
        if (!known(target)) continue;
        if (mark[target.index()] == Open) {
          problem("event " + network_.event(target).name, "synchronises with itself in the end");
        } else if (mark[target.index()] == New) {
          mark[target.index()] = Open;
          stack.emplace_back(target.index(), 0);
        }
      }
    }
  }

  const Network& network_;
  const ExprPool& pool_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> well_formedness_problems(const Network& network) {
  return Checker(network).run();
}

}  // namespace whittle

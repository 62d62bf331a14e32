// SPDX-License-Identifier: Apache-2.0
#include "driver/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_set>

#include "expr/traverse.h"
#include "ir/notation.h"

namespace whittle {

namespace {

// The properties of one model.
class ModelLint {
 public:
  ModelLint(std::size_t model, const Network& network, Diagnostics& diagnostics)
      : model_(model),
        asking_(std::make_shared<Network>(network)),
        network_(*asking_),
        diagnostics_(diagnostics) {}

  std::vector<Question> questions() {
    const std::size_t own = network_.properties().size();
    for (std::size_t p = 0; p < own; ++p) {
      const PropertyKind kind = network_.properties()[p].kind;
      if (is_safety(kind)) ask(PropertyId(p));
    }
    std::vector<std::pair<MachineId, UniverseId>> used;
    for (std::size_t m = 0; m < network_.machines().size(); ++m) {
      if (network_.machines()[m].universe.valid())
        used.emplace_back(MachineId(m), network_.machines()[m].universe);
    }
    const bool said = !used.empty();  // the front end says which machines, and among whom
    for (std::size_t m = 0; !said && m < network_.machines().size(); ++m) {
      if (auto universe = universe_of(MachineId(m))) used.emplace_back(MachineId(m), *universe);
    }
    for (const auto& [machine, universe] : used) {
      prefix_ = used.size() > 1 ? network_.machine(machine).name + "." : "";
      about_ = {};
      about_.universe = universe;
      about_.incomplete = network_.universe(universe).incomplete;
      add_starts(machine);
      add_events(machine);
      add_locations(machine);
    }
    return std::move(questions_);
  }

 private:
  void ask(PropertyId property) { questions_.push_back({model_, asking_, property}); }

  // The first one in which the machine has an instance.
  [[nodiscard]] std::optional<UniverseId> universe_of(MachineId machine) const {
    for (std::size_t u = 0; u < network_.universes().size(); ++u) {
      if (!network_.instances_of(UniverseId(u), machine).empty()) return UniverseId(u);
    }
    return std::nullopt;
  }

  Property property(PropertyKind kind, PropertyGoal goal, std::string name, Span origin) const {
    Property result = about_;
    result.kind = kind;
    result.goal = goal;
    result.name = std::move(name);
    result.origin = origin;
    return result;
  }

  void add(Property property) { ask(network_.add_property(std::move(property))); }

  void add_starts(MachineId machine) {
    const std::size_t count = network_.machine(machine).starts.size();
    for (std::uint32_t i = 0; i < count; ++i) {
      const Start& start = network_.machine(machine).starts[i];
      std::string name = prefix_ + start.name;
      if (start.name.empty()) {
        name = fmt::format("{}start #{}", prefix_, i + 1);
      } else if (start.name == network_.location(start.location).name) {
        name.insert(0, "start ");
      }
      add(property(PropertyKind::UnsatStart, StartGoal{machine, i}, std::move(name), start.origin));
    }
  }

  void add_events(MachineId machine) {
    const std::vector<EventId> events = network_.machine(machine).events;
    for (EventId id : events) {
      const Event& event = network_.event(id);
      for (std::uint32_t a = 0; a < event.arcs.size(); ++a) {
        // A check that a front end made of an assertion or an index: good if it never fails, and a
        // property of its own says so.
        if (network_.location(event.arcs[a].to).error) continue;
        std::string name = fmt::format("transition {}{}", prefix_, event.name);
        if (event.arcs.size() > 1) {
          name += fmt::format(" ({} -> {})", network_.location(event.arcs[a].from).name,
                              network_.location(event.arcs[a].to).name);
        }
        add(property(PropertyKind::DeadTransition, ArcGoal{id, a}, std::move(name), event.origin));
      }
      if (!may_be_impossible(event) || event.arcs.empty()) continue;
      add(property(PropertyKind::UnsatRelation, RelationGoal{id},
                   fmt::format("relation of {}{}", prefix_, event.name), event.origin));
    }
  }

  // A relation that nothing may satisfy, or a value that may not exist. Where the relation is the
  // only condition, it restricts its inputs, and a state without a step shows at the node. In a
  // program a missing value is an error with a property of its own.
  [[nodiscard]] bool may_be_impossible(const Event& event) const {
    const LanguageTraits traits = traits_of(network_);
    if (traits.one_relation || traits.programs) return false;
    ExprPool& pool = network_.pool();
    return std::any_of(event.guards.begin(), event.guards.end(),
                       [](const Guard& guard) { return guard.of_effect; }) ||
           std::any_of(event.effects.begin(), event.effects.end(), [&](const Effect& effect) {
             return effect.kind == EffectKind::Relation ||
                    (effect.kind == EffectKind::Assign &&
                     !pool.is_true(definedness(pool, effect.expr)));
           });
  }

  void add_locations(MachineId machine) {
    std::unordered_set<LocationId> left;
    for (EventId id : network_.machine(machine).events) {
      for (const Arc& arc : network_.event(id).arcs) left.insert(arc.from);
    }
    const std::vector<LocationId> locations = network_.machine(machine).locations;
    for (LocationId id : locations) {
      const Location& location = network_.location(id);
      if (location.final || location.error) continue;
      // An instruction that nothing can follow on is stuck whenever it is reached.
      if (!left.contains(id) && !traits_of(network_).programs) {
        diagnostics_.report("check-005", location.origin,
                            fmt::format("no transition leaves '{}'", location.name),
                            "say so if that is meant: 'final'");
        continue;
      }
      add(property(PropertyKind::Sinkhole, SinkholeGoal{id, somebody_new(machine)},
                   fmt::format("node {}{}", prefix_, location.name), location.origin));
    }
  }

  // Entities come and go. One that waits for another is not stuck because those few that the
  // universe has are all at their ends: of each kind, one has to be there that has done nothing.
  [[nodiscard]] Expr somebody_new(MachineId machine) const {
    ExprPool& pool = network_.pool();
    const UniverseId universe = network_.machine(machine).universe;
    if (!universe.valid()) return {};
    std::vector<Expr> all;
    for (std::size_t m = 0; m < network_.machines().size(); ++m) {
      const std::vector<InstanceId> instances = network_.instances_of(universe, MachineId(m));
      if (MachineId(m) == machine || instances.size() < 2) continue;
      std::vector<Expr> one;
      for (InstanceId instance : instances) {
        for (const Start& start : network_.machines()[m].starts)
          one.push_back(pool.symbol(network_.at_instance(instance, start.location)));
      }
      all.push_back(pool.disj(one));
    }
    return all.empty() ? Expr() : pool.conj(all);
  }

  std::size_t model_;
  std::shared_ptr<Network> asking_;
  Network& network_;
  Diagnostics& diagnostics_;
  std::string prefix_;  // of names, where several machines have elements
  Property about_;      // what the properties of a machine have in common
  std::vector<Question> questions_;
};

}  // namespace

std::vector<Question> lint_questions(LoadedModels& loaded) {
  std::vector<Question> result;
  for (std::size_t m = 0; m < loaded.models.size(); ++m) {
    const std::vector<Question> of_model =
        ModelLint(m, *loaded.models[m].network, loaded.diagnostics).questions();
    result.insert(result.end(), of_model.begin(), of_model.end());
  }
  return result;
}

namespace {

// Processes of a family have the same text, and so have the ways through one instruction. What
// counts is whether the instruction can be executed by any of them in any way: otherwise
// `if (me == 0) { ... }` would be a finding for all but one.
class Instructions {
 public:
  explicit Instructions(std::span<const PropertyResult> results) {
    for (const PropertyResult& result : results) {
      if (concerned(result) && result.verdict.kind() != VerdictKind::Violated)
        not_dead_.insert(key(result));
    }
  }
  // It is dead, but the instruction is not.
  [[nodiscard]] bool excused(const PropertyResult& result) const {
    return concerned(result) && result.verdict.kind() == VerdictKind::Violated &&
           not_dead_.contains(key(result));
  }

 private:
  using Key = std::tuple<const Network*, std::uint32_t, std::uint32_t, std::uint32_t>;
  static bool concerned(const PropertyResult& result) {
    return result.question().kind == PropertyKind::DeadTransition &&
           traits_of(*result.network).programs;
  }
  static Key key(const PropertyResult& result) {
    const Span origin = result.question().origin;
    return {result.network.get(), origin.file.index(), origin.begin, origin.end};
  }

  std::set<Key> not_dead_;
};

}  // namespace

CheckReport lint_files(const std::vector<std::string>& paths, DecideContext& context,
                       const CheckListener& listener) {
  CheckListener held = listener;  // what a finding is shows when all results are there
  held.on_result = nullptr;
  CheckReport report = decide_files(
      paths, context, held,
      [&](LoadedModels& loaded) {
        const auto& names = context.options.get<CheckGroup>().property.value();
        std::vector<Question> all = lint_questions(loaded);
        if (names.empty()) return all;
        const std::vector<Question> named = chosen_questions(names, loaded);
        std::erase_if(all, [&](const Question& question) {
          return std::none_of(named.begin(), named.end(), [&](const Question& n) {
            return n.model == question.model && n.property == question.property;
          });
        });
        return all;
      },
      true);
  const Instructions instructions(report.results);
  for (PropertyResult& result : report.results) result.excused = instructions.excused(result);
  if (report.exit != ExitCode::BadInput) report.exit = exit_code_of(report.results);
  if (listener.on_result) {
    for (const PropertyResult& result : report.results) listener.on_result(result);
  }
  return report;
}

}  // namespace whittle

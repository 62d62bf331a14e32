// SPDX-License-Identifier: Apache-2.0
#include "driver/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace whittle {

namespace {

// The properties of one model.
class ModelLint {
 public:
  ModelLint(std::size_t model, Network& network, Diagnostics& diagnostics)
      : model_(model), network_(network), diagnostics_(diagnostics) {}

  std::vector<Question> questions() {
    const std::size_t own = network_.properties().size();
    for (std::size_t p = 0; p < own; ++p) {
      const PropertyKind kind = network_.properties()[p].kind;
      if (kind == PropertyKind::Invariant || kind == PropertyKind::Constraint) ask(PropertyId(p));
    }
    // Without copies: machines do not change, but their properties are added on the way.
    std::vector<std::pair<MachineId, UniverseId>> used;
    for (std::size_t m = 0; m < network_.machines().size(); ++m) {
      if (auto universe = universe_of(MachineId(m))) used.emplace_back(MachineId(m), *universe);
    }
    for (const auto& [machine, universe] : used) {
      prefix_ = used.size() > 1 ? network_.machine(machine).name + "." : "";
      about_ = {};
      about_.universe = universe;
      about_.machine = machine;
      add_starts(machine);
      add_events(machine);
      add_locations(machine);
    }
    return std::move(questions_);
  }

 private:
  void ask(PropertyId property) { questions_.push_back({model_, property}); }

  // The first one in which the machine has an instance.
  [[nodiscard]] std::optional<UniverseId> universe_of(MachineId machine) const {
    for (std::size_t u = 0; u < network_.universes().size(); ++u) {
      if (!network_.instances_of(UniverseId(u), machine).empty()) return UniverseId(u);
    }
    return std::nullopt;
  }

  Property property(PropertyKind kind, std::string name, Span origin) const {
    Property result = about_;
    result.kind = kind;
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
      Property check = property(PropertyKind::UnsatStart, std::move(name), start.origin);
      check.index = i;
      add(std::move(check));
    }
  }

  void add_events(MachineId machine) {
    const std::vector<EventId> events = network_.machine(machine).events;
    for (EventId id : events) {
      const Event& event = network_.event(id);
      for (std::uint32_t a = 0; a < event.arcs.size(); ++a) {
        std::string name = fmt::format("transition {}{}", prefix_, event.name);
        if (event.arcs.size() > 1) {
          name += fmt::format(" ({} -> {})", network_.location(event.arcs[a].from).name,
                              network_.location(event.arcs[a].to).name);
        }
        Property check = property(PropertyKind::DeadTransition, std::move(name), event.origin);
        check.event = id;
        check.index = a;
        add(std::move(check));
      }
      const bool relational =
          std::any_of(event.effects.begin(), event.effects.end(),
                      [](const Effect& effect) { return effect.kind == EffectKind::Relation; });
      if (!relational || event.arcs.empty()) continue;
      Property check = property(PropertyKind::UnsatRelation,
                                fmt::format("relation of {}{}", prefix_, event.name), event.origin);
      check.event = id;
      add(std::move(check));
    }
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
      if (!left.contains(id)) {
        diagnostics_.report("check-005", location.origin,
                            fmt::format("no transition leaves '{}'", location.name),
                            "say so if that is meant: 'final'");
        continue;
      }
      Property check = property(PropertyKind::Sinkhole,
                                fmt::format("node {}{}", prefix_, location.name), location.origin);
      check.location = id;
      add(std::move(check));
    }
  }

  std::size_t model_;
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

CheckReport lint_files(const std::vector<std::string>& paths, DecideContext& context,
                       const CheckListener& listener) {
  return decide_files(paths, context, listener, [&](LoadedModels& loaded) {
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
  });
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/questions.h"

#include <fmt/format.h>

#include "ir/property_kinds.h"

namespace whittle::bpmn {

namespace {

class Questions {
 public:
  Questions(Network& network, UniverseId universe, const Diagram& diagram, const Pools& pools,
            const Channels& channels, std::string incomplete)
      : network_(network),
        pool_(network.pool()),
        universe_(universe),
        diagram_(diagram),
        pools_(pools),
        channels_(channels),
        incomplete_(std::move(incomplete)) {}

  void ask(const std::vector<EventId>& activities) {
    const Span all = diagram_.processes[0].span;
    // What comes after the last message that is followed is not known, so it counts as good.
    const Expr beyond = channels_.full();
    add("every start leads to an end", PropertyKind::Recoverable,
        RecoveryGoal{pool_.disj(at_rest(), beyond)}, all);
    if (channels_.any())
      add("no lost message", PropertyKind::Recoverable,
          RecoveryGoal{pool_.disj(pool_.conj(at_rest(), channels_.empty()), beyond)}, all);
    add("no stuck token", PropertyKind::Deadlock, DeadlockGoal{}, all);
    for (std::size_t p = 0; p < diagram_.processes.size(); ++p) {
      const Span span = diagram_.processes[p].span;
      add(named("no doubled token", p), PropertyKind::Invariant, StateGoal{at_most_one(p)}, span);
      add(named("ends once", p), PropertyKind::Invariant, StateGoal{ends_once(p)}, span);
    }
    for (std::size_t n = 0; n < activities.size(); ++n)
      if (activities[n].valid())
        add(fmt::format("`{}` can happen", pools_.name(n)), PropertyKind::DeadTransition,
            ArcGoal{activities[n], 0}, diagram_.nodes[n].span);
  }

 private:
  void add(std::string name, PropertyKind kind, PropertyGoal goal, Span span) {
    Property property;
    property.name = std::move(name);
    property.kind = kind;
    property.goal = std::move(goal);
    property.universe = universe_;
    property.origin = span;
    property.incomplete = incomplete_;
    for (const auto& [question, expected] : diagram_.expected) {
      if (question != property.name || !misfit(kind, expected).empty()) continue;
      property.expected = expected;
      property.expected->origin = span;
    }
    network_.add_property(std::move(property));
  }

  [[nodiscard]] std::string named(std::string text, std::size_t process) const {
    if (diagram_.processes.size() == 1) return text;
    return fmt::format("{} in {}", text, network_.machine(pools_.all()[process].machine).name);
  }

  Expr value(std::size_t process, VariableId variable) {
    return pool_.symbol(network_.of_instance(pools_.all()[process].instance, variable));
  }

  Expr at_rest() {
    std::vector<Expr> parts;
    for (const Pool& pool : pools_.all())
      parts.push_back(pool_.disj(pool_.symbol(network_.at_instance(pool.instance, pool.waiting)),
                                 pool_.symbol(network_.at_instance(pool.instance, pool.complete))));
    return pool_.conj(parts);
  }

  Expr at_most_one(std::size_t process) {
    std::vector<Expr> parts;
    for (std::size_t f = 0; f < diagram_.flows.size(); ++f)
      if (diagram_.scopes[diagram_.flows[f].scope].process == process)
        parts.push_back(pool_.le(value(process, pools_.tokens(f)), pool_.integer(1)));
    return pool_.conj(parts);
  }

  // When the process has come to an end event, nothing else goes on.
  Expr ends_once(std::size_t process) {
    std::vector<Expr> parts;
    for (const VariableId id : pools_.inside(diagram_.processes[process].scope))
      parts.push_back(pool_.eq(value(process, id), pool_.integer(0)));
    return pool_.implies(value(process, pools_.all()[process].ended), pool_.conj(parts));
  }

  Network& network_;
  ExprPool& pool_;
  UniverseId universe_;
  const Diagram& diagram_;
  const Pools& pools_;
  const Channels& channels_;
  std::string incomplete_;
};

}  // namespace

void ask(Network& network, UniverseId universe, const Diagram& diagram, const Pools& pools,
         const Channels& channels, const std::vector<EventId>& activities,
         const std::string& incomplete) {
  const std::string& why = incomplete.empty() ? channels.incomplete() : incomplete;
  Questions(network, universe, diagram, pools, channels, why).ask(activities);
}

}  // namespace whittle::bpmn

// SPDX-License-Identifier: Apache-2.0
#include "driver/run_options.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ir/ltl.h"
#include "ir/notation.h"

namespace whittle {

namespace {

bool declared(const Network& network, MachineId machine, EventId event) {
  return std::any_of(network.fairness.begin(), network.fairness.end(),
                     [&](const Fairness& fairness) {
                       return fairness.machine == machine &&
                              std::find(fairness.events.begin(), fairness.events.end(), event) !=
                                  fairness.events.end();
                     });
}

// Units of programs are processes, those of other models transitions.
void make_fair(Network& network, Fairness::Kind kind) {
  const bool programs = traits_of(network).programs;
  std::vector<Fairness> more;
  for (std::uint32_t m = 0; m < network.machines().size(); ++m) {
    const Machine& machine = network.machine(MachineId(m));
    std::vector<EventId> open;
    for (const EventId event : machine.events) {
      if (network.event(event).root && !declared(network, MachineId(m), event))
        open.push_back(event);
    }
    // A process for which something is declared has its events in there.
    if (programs) {
      if (!open.empty())
        more.push_back({kind, MachineId(m), std::move(open), machine.name, machine.origin});
      continue;
    }
    for (const EventId event : open) {
      const Event& one = network.event(event);
      const std::string name =
          network.machines().size() == 1 ? "transition " + one.name : machine.name + "." + one.name;
      more.push_back({kind, MachineId(m), {event}, name, one.origin});
    }
  }
  for (Fairness& fairness : more) network.fairness.push_back(std::move(fairness));
}

void assume_end(Network& network) {
  LtlPool& ltl = network.ltl();
  const LtlFormula ends = ltl.eventually(ltl.atom(network.pool().symbol(network.halt())));
  for (std::uint32_t p = 0; p < network.properties().size(); ++p) {
    Property& property = network.property(PropertyId(p));
    auto* asked = std::get_if<RunGoal>(&property.goal);
    if (asked == nullptr) continue;
    const bool more = asked->assumption.valid();
    asked->assumption = more ? ltl.both(asked->assumption, ends) : ends;
    asked->assuming = more ? "(" + asked->assuming + ") && <>halt" : "<>halt";
  }
}

}  // namespace

void apply(const RunsGroup& options, Network& network) {
  const auto& all = network.properties();
  const bool asked = std::any_of(all.begin(), all.end(), [](const Property& property) {
    return property.kind == PropertyKind::Ltl;
  });
  if (!asked) return;
  if (*options.runs == RunsAsked::Terminating) assume_end(network);
  if (*options.fairness == FairnessAsked::AsDeclared) return;
  make_fair(network, *options.fairness == FairnessAsked::Strong ? Fairness::Kind::Strong
                                                                : Fairness::Kind::Weak);
}

}  // namespace whittle

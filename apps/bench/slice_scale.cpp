// SPDX-License-Identifier: Apache-2.0
// Slicing alone, on models with 10^4, 10^5 and 10^6 nodes in the part of the dependence graph that
// the question needs; as much again is there that it does not need. Time per node should not grow,
// and memory should stay small: each cell is measured in a process of its own, with its peak.
//
//   many machines   small machines in a row, each synchronising with the next
//   one machine     a ring of locations with many variables: pairs of a location and a variable
//   unbounded       many machines, for a question that is answered with an invariant
#include <fmt/format.h>

#include "bench/deciding.h"
#include "slice/slice.h"

namespace whittle::bench {

namespace {

struct Model {
  std::shared_ptr<Network> network;
  PropertyId property;
};

class Builder {
 public:
  Builder() : network_(std::make_shared<Network>(std::make_shared<ExprPool>())) {
    universe_ = network_->add_universe("one of each");
  }

  // A ring of locations; the event from a location to the next has a condition on one variable and
  // sets another, which nobody reads for half a round, from a third.
  MachineId ring(const std::string& name, std::uint32_t locations, std::uint32_t variables) {
    const MachineId machine = network_->add_machine(name, {});
    ExprPool& pool = network_->pool();
    std::vector<LocationId> places;
    std::vector<Expr> values;
    std::vector<VariableId> ids;
    for (std::uint32_t l = 0; l < locations; ++l)
      places.push_back(network_->add_location(fmt::format("l{}", l), machine, {}));
    for (std::uint32_t v = 0; v < variables; ++v) {
      ids.push_back(network_->add_variable(fmt::format("v{}", v), Type::integer(), machine, {}));
      network_->variable(ids.back()).initial = pool.integer(v);
      values.push_back(pool.symbol(network_->variable(ids.back()).current));
    }
    network_->machine(machine).starts.push_back({"start", places[0], pool.boolean(true), {}});
    for (std::uint32_t l = 0; l < locations; ++l) {
      const EventId e = network_->add_event(fmt::format("e{}", l), machine, {});
      const Expr input = pool.symbol(network_->add_parameter(e, "by", Type::integer(), {}));
      Event& event = network_->event(e);
      event.arcs.push_back({places[l], places[(l + 1) % locations], {}});
      event.guards.push_back({pool.lt(values[l % variables], input), {}});
      const Expr sum = pool.add(values[(l + 1) % variables], input);
      event.effects.push_back(
          {EffectKind::Assign, {ids[(l + variables / 2) % variables]}, sum, {}});
    }
    network_->add_instance(universe_, machine, Value(), name);
    return machine;
  }

  // Every event of `caller` takes the next machine's event of the same number along.
  void connect(MachineId caller, MachineId called) {
    ExprPool& pool = network_->pool();
    const auto& from = network_->machine(caller).events;
    const auto& to = network_->machine(called).events;
    for (std::size_t i = 0; i < from.size(); ++i) {
      Event& event = network_->event(from[i]);
      event.syncs.push_back(
          {called, Expr(), to[i], {pool.symbol(event.parameters[0].symbol)}, false, {}});
    }
  }

  // Is the first variable of the machine ever negative?
  Model asking(MachineId machine, std::optional<std::uint64_t> bound) {
    ExprPool& pool = network_->pool();
    const Machine& m = network_->machine(machine);
    const InstanceId instance = network_->instances_of(universe_, machine).front();
    Property p;
    p.name = "negative";
    p.set_condition(pool.lt(pool.symbol(network_->of_instance(instance, m.variables.front())),
                            pool.integer(0)));
    p.bound.max = bound;
    p.universe = universe_;
    return {network_, network_->add_property(std::move(p))};
  }

 private:
  std::shared_ptr<Network> network_;
  UniverseId universe_;
};

constexpr std::uint32_t kLocations = 8;
constexpr std::uint32_t kVariables = 6;

Model many_machines(std::uint32_t machines, std::optional<std::uint64_t> bound) {
  Builder builder;
  std::vector<MachineId> all;
  for (std::uint32_t m = 0; m < 2 * machines; ++m)
    all.push_back(builder.ring(fmt::format("M{}", m), kLocations, kVariables));
  // The first half is needed because it is called; the second half calls nobody of it.
  for (std::uint32_t m = 0; m + 1 < all.size(); ++m)
    if (m + 1 != machines) builder.connect(all[m], all[m + 1]);
  return builder.asking(all[0], bound);
}

Model one_machine(std::uint32_t locations, std::uint32_t variables) {
  Builder builder;
  const MachineId needed = builder.ring("Needed", locations, variables);
  builder.ring("Other", locations, variables);
  return builder.asking(needed, 1000);
}

Measurement measured(const std::function<Model()>& model) {
  return measured_alone("slice", [&] {
    const Model m = model();
    std::size_t nodes = 0;
    Measurement result = timed([&] {
      nodes = slice::slice(m.network, m.property, {slice::Granularity::Fine}).closure.size();
    });
    result.units = static_cast<double>(nodes);
    return result;
  });
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (std::uint32_t nodes : {10'000U, 100'000U, 1'000'000U}) {
    Case one{fmt::format("nodes {}", nodes), nodes, static_cast<double>(nodes), {}};
    // By so many nodes per machine and per location, as the slicer counts them.
    const std::uint32_t machines = nodes / 70;
    const std::uint32_t rooms = nodes / 29;
    one.alternatives.push_back({"many machines", [machines](Deadline) {
                                  return measured([&] { return many_machines(machines, 1000); });
                                }});
    one.alternatives.push_back({"one machine", [rooms](Deadline) {
                                  return measured([&] { return one_machine(rooms, 50); });
                                }});
    one.alternatives.push_back({"unbounded", [machines](Deadline) {
                                  return measured(
                                      [&] { return many_machines(machines, std::nullopt); });
                                }});
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace

extern const Benchmark kSliceScale;
const Benchmark kSliceScale = {"slice-scale",
                               "slicing models with many dependence nodes: time and memory", "node",
                               cases, true};

}  // namespace whittle::bench

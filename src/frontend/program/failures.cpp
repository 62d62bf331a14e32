// SPDX-License-Identifier: Apache-2.0
#include "frontend/program/failures.h"

#include <fmt/format.h>

namespace whittle::program {

FailureId Failures::add(std::string name, PropertyKind kind, Span origin,
                        std::optional<Expectation> expected) {
  if (const unsigned count = ++names_[name]; count > 1) name += fmt::format(" #{}", count);
  failures_.push_back({std::move(name), kind, origin, std::move(expected), {}});
  return FailureId(static_cast<std::uint32_t>(failures_.size() - 1));
}

LocationId Failures::location(FailureId failure, MachineId machine, ProgramPoints& points) {
  Failure& entry = failures_[failure.index()];
  LocationId& location = entry.locations[machine];
  if (!location.valid()) location = points.add_error(entry.name);
  return location;
}

Expr Failures::nowhere(Network& network, UniverseId universe, const Failure& failure) {
  ExprPool& pool = network.pool();
  std::vector<Expr> parts;
  for (const auto& [machine, location] : failure.locations)
    for (const InstanceId instance : network.instances_of(universe, machine))
      parts.push_back(pool.negate(pool.symbol(network.at_instance(instance, location))));
  return pool.conj(parts);
}

void Failures::ask(Network& network, UniverseId universe) const {
  for (const Failure& failure : failures_) {
    Property property;
    property.name = failure.name;
    property.kind = failure.kind;
    property.universe = universe;
    property.origin = failure.origin;
    property.expected = failure.expected;
    property.set_condition(nowhere(network, universe, failure));
    network.add_property(std::move(property));
  }
}

void Failures::ask_at_once(Network& network, UniverseId universe, std::string name,
                           PropertyKind kind, Span origin) const {
  std::vector<FailureId> which;
  for (std::size_t i = 0; i < failures_.size(); ++i)
    if (failures_[i].kind == kind) which.emplace_back(i);
  ask_together(network, universe, which, std::move(name), kind, origin);
}

void Failures::ask_together(Network& network, UniverseId universe,
                            const std::vector<FailureId>& which, std::string name,
                            PropertyKind kind, Span origin) const {
  std::vector<Expr> parts;
  for (const FailureId failure : which)
    parts.push_back(nowhere(network, universe, failures_[failure.index()]));
  Property property;
  property.name = std::move(name);
  property.kind = kind;
  property.universe = universe;
  property.origin = origin;
  property.set_condition(network.pool().conj(parts));
  network.add_property(std::move(property));
}

namespace {

// No statement has such a name.
constexpr std::string_view kNoRoom = "no room: ";

}  // namespace

std::string no_room_name(const std::string& why) { return std::string(kNoRoom) + why; }

std::optional<std::string> no_room(const Network& network, LocationId location) {
  const std::string& name = network.location(location).name;
  if (!name.starts_with(kNoRoom)) return std::nullopt;
  return name.substr(kNoRoom.size());
}

}  // namespace whittle::program

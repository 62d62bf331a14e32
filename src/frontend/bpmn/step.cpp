// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/step.h"

#include <fmt/format.h>

#include <unordered_map>

namespace whittle::bpmn {

Step::Step(Network& network, std::string name, MachineId machine, Arc arc, Span origin)
    : network_(network),
      event_(network.add_event(std::move(name), machine, origin)),
      origin_(origin) {
  network_.event(event_).arcs.push_back(arc);
}

Expr Step::value(VariableId variable) const {
  return pool().symbol(network_.variable(variable).current);
}

void Step::guard(Expr condition) {
  if (!pool().is_true(condition)) network_.event(event_).guards.push_back({condition, origin_});
}

void Step::add(VariableId variable, Expr difference) { sums_[variable].push_back(difference); }

void Step::set(VariableId variable, Expr value) { sets_[variable] = value; }

std::vector<Expr> Step::choose(const std::string& parameter,
                               const std::vector<std::string>& names) {
  if (names.size() == 1) return {pool().boolean(true)};
  const std::vector<std::string> values = distinct(names);
  // The enumeration is named after its event, so that no two are confused.
  const std::string type_name = fmt::format("{} of {}", parameter, network_.event(event_).name);
  const Type type = pool().enum_type(type_name, values);
  const Expr chosen = pool().symbol(network_.add_parameter(event_, parameter, type, origin_));
  std::vector<Expr> result;
  for (std::uint32_t i = 0; i < values.size(); ++i)
    result.push_back(pool().eq(chosen, pool().constant(EnumValue{i}, type)));
  return result;
}

Expr Step::flag(const std::string& parameter) {
  return pool().symbol(network_.add_parameter(event_, parameter, Type::boolean(), origin_));
}

void Step::finish() {
  Event& event = network_.event(event_);
  for (const auto& [variable, differences] : sums_) {
    if (sets_.contains(variable)) continue;
    std::vector<Expr> parts = differences;
    parts.insert(parts.begin(), value(variable));
    event.effects.push_back({EffectKind::Assign, {variable}, pool().make(Op::Add, parts), origin_});
  }
  for (const auto& [variable, set] : sets_)
    event.effects.push_back({EffectKind::Assign, {variable}, set, origin_});
}

std::vector<std::string> distinct(std::vector<std::string> names) {
  std::unordered_map<std::string, unsigned> seen;
  for (std::string& name : names)
    if (const unsigned count = ++seen[name]; count > 1) name += fmt::format(" ({})", count);
  return names;
}

}  // namespace whittle::bpmn

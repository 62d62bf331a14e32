// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/notation.h"

#include <algorithm>

#include "expr/print.h"
#include "frontend/rebel/condition_text.h"

namespace whittle::rebel {

std::uint32_t RebelNotation::add_group(Group group) {
  groups_.push_back(std::move(group));
  return static_cast<std::uint32_t>(groups_.size() - 1);
}

void RebelNotation::add_part(std::uint32_t group, std::uint32_t part, SymbolId symbol) {
  places_[symbol.index()] = {group, part};
}

std::string RebelNotation::simple(Kind kind, const Value* a, const Value* b) const {
  const bool two = kind == Kind::Money || kind == Kind::DateTime || kind == Kind::Term;
  if (a == nullptr && b == nullptr) return "?";
  if (a == nullptr) {
    // Only the second part is there: an amount without its currency.
    if (kind != Kind::Money) return "?";
    const std::string euros = encoder_->show(Kind::Money, Value(Integer(0)), b);
    const std::size_t blank = euros.rfind(' ');
    return (euros[0] == '-' ? "-" : "") + euros.substr(blank + 1);
  }
  return encoder_->show(kind, *a, two ? b : nullptr);
}

std::string RebelNotation::text(const Group& group, const std::vector<const Value*>& parts) const {
  auto at = [&](std::size_t i) { return i < parts.size() ? parts[i] : nullptr; };
  if (group.shape == Shape::Simple) return simple(group.key, at(0), at(1));
  const std::size_t width = 1 + group.key_parts + group.value_parts;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < parts.size(); i += width) {
    if (at(i) == nullptr || !at(i)->as_bool()) continue;
    std::string entry = simple(group.key, at(i + 1), group.key_parts > 1 ? at(i + 2) : nullptr);
    if (group.shape == Shape::Map) {
      const std::size_t from = i + 1 + group.key_parts;
      entry += ": " + simple(group.value, at(from), group.value_parts > 1 ? at(from + 1) : nullptr);
    }
    shown.push_back(std::move(entry));
  }
  std::sort(shown.begin(), shown.end());
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  std::string result = group.shape == Shape::Map ? "(" : "{";
  for (std::size_t i = 0; i < shown.size(); ++i) result += (i == 0 ? "" : ", ") + shown[i];
  return result + (group.shape == Shape::Map ? ")" : "}");
}

std::vector<Shown> RebelNotation::state(const Network& network, MachineId machine,
                                        const std::function<Value(VariableId)>& value_of,
                                        const std::vector<VariableId>& only) const {
  const std::vector<VariableId>& variables =
      machine.valid() ? network.machine(machine).variables : network.shared_variables();
  struct Open {
    std::uint32_t group;
    std::vector<Value> values;
    std::vector<bool> present;
    bool wanted;
  };
  std::vector<Open> groups;  // in the order of their first variable
  std::unordered_map<std::uint32_t, std::size_t> index;
  std::vector<Shown> result;
  std::vector<std::pair<std::size_t, Shown>> loose;  // variables that are no part of anything
  for (VariableId v : variables) {
    const auto place = places_.find(network.variable(v).current.index());
    const bool wanted = only.empty() || std::find(only.begin(), only.end(), v) != only.end();
    if (place == places_.end()) {
      if (pool_->kind(network.variable(v).type) == TypeKind::Array) continue;
      if (wanted) {
        loose.push_back({groups.size(),
                         {network.variable(v).name,
                          whittle::to_string(*pool_, value_of(v), network.variable(v).type)}});
      }
      continue;
    }
    const auto [it, fresh] = index.try_emplace(place->second.group, groups.size());
    if (fresh) groups.push_back({place->second.group, {}, {}, false});
    Open& open = groups[it->second];
    const std::uint32_t part = place->second.part;
    if (open.values.size() <= part) {
      open.values.resize(part + 1U);
      open.present.resize(part + 1U, false);
    }
    open.values[part] = value_of(v);
    open.present[part] = true;
    open.wanted = open.wanted || wanted;
  }
  for (const Open& open : groups) {
    if (!open.wanted) continue;
    std::vector<const Value*> parts;
    for (std::size_t i = 0; i < open.values.size(); ++i) {
      parts.push_back(open.present[i] ? &open.values[i] : nullptr);
    }
    result.push_back({groups_[open.group].name, text(groups_[open.group], parts)});
  }
  for (auto& [at, shown] : loose) result.push_back(std::move(shown));
  return result;
}

std::vector<Shown> RebelNotation::arguments(const Network& network, EventId event,
                                            const std::vector<Value>& values) const {
  const std::vector<Parameter>& parameters = network.event(event).parameters;
  std::vector<Shown> result;
  std::vector<std::pair<std::uint32_t, std::vector<const Value*>>> groups;
  std::unordered_map<std::uint32_t, std::size_t> index;
  for (std::size_t i = 0; i < parameters.size() && i < values.size(); ++i) {
    const auto place = places_.find(parameters[i].symbol.index());
    if (place == places_.end()) {
      result.push_back(
          {parameters[i].name, whittle::to_string(*pool_, values[i], parameters[i].type)});
      continue;
    }
    const auto [it, fresh] = index.try_emplace(place->second.group, groups.size());
    if (fresh) groups.push_back({place->second.group, {}});
    auto& parts = groups[it->second].second;
    if (parts.size() <= place->second.part) parts.resize(place->second.part + 1U, nullptr);
    parts[place->second.part] = &values[i];
  }
  for (const auto& [group, parts] : groups) {
    result.push_back({groups_[group].name, text(groups_[group], parts)});
  }
  return result;
}

std::optional<PartOfField> RebelNotation::part_of(SymbolId symbol) const {
  const auto place = places_.find(symbol.index());
  if (place == places_.end()) return std::nullopt;
  const Group& group = groups_[place->second.group];
  std::uint32_t index = place->second.part;
  Kind kind = group.key;
  const bool simple = group.shape == Shape::Simple;
  if (!simple) {
    // Each entry: whether it is there, the parts of its key, those of its value.
    index = index % (1 + group.key_parts + group.value_parts);
    if (index == 0) return std::nullopt;
    --index;
    if (index >= group.key_parts) {
      index -= group.key_parts;
      kind = group.value;
    }
  }
  const bool second = index == 1;
  PartOfField part{kind, false, false, group.name};
  switch (kind) {
    case Kind::Money:
      part.amount = simple && second;
      part.currency = simple && !second;
      part.kind = second ? Kind::Integer : Kind::Currency;
      break;
    case Kind::DateTime:
      part.kind = second ? Kind::Time : Kind::Date;
      break;
    case Kind::Term:
      part.kind = second ? Kind::Period : Kind::Integer;
      break;
    default:
      break;
  }
  return part;
}

std::string RebelNotation::condition(const Network& network, Expr condition) const {
  ConditionText text(network, *encoder_, [this](SymbolId symbol) { return part_of(symbol); });
  return text(condition);
}

LanguageTraits RebelNotation::traits() const {
  LanguageTraits traits;
  traits.values_begin_with_events = true;
  traits.chooses_universe = true;
  traits.encodes_values = true;
  traits.instances_option = "--instances";
  return traits;
}

std::vector<std::string> RebelNotation::conditions(const Network& network, Expr condition) const {
  ConditionText text(network, *encoder_, [this](SymbolId symbol) { return part_of(symbol); });
  return text.conjuncts(condition);
}

}  // namespace whittle::rebel

// SPDX-License-Identifier: Apache-2.0
#include "report/essential.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "expr/traverse.h"
#include "ir/property_kinds.h"
#include "report/shown.h"

namespace whittle {

namespace {

class Backwards {
 public:
  explicit Backwards(const PropertyResult& result)
      : network_(*result.network),
        trace_(*result.verdict.trace()),
        replay_(*result.replay),
        layout_(network_, trace_.universe) {}

  EssentialTrace run(Expr goal) {
    read(goal, {});
    EssentialTrace result;
    result.moments.resize(replay_.steps.size() + 1);
    for (std::size_t i = replay_.steps.size(); i-- > 0;) {
      result.moments[i + 1] = {true, slots_, positions_};
      result.moments[i + 1].matters = step(replay_.steps[i]);
    }
    result.moments[0] = {true, slots_, positions_};
    return result;
  }

 private:
  // What a term reads, said of this instance.
  void read(Expr e, InstanceId own) {
    if (!e.valid()) return;
    for (const SymbolId symbol : symbols(network_.pool(), e)) {
      const Role role = network_.role(symbol);
      switch (role.kind) {
        case RoleKind::Current:
          slots_.insert(slot(own, VariableId(role.id)));
          break;
        case RoleKind::InstanceCurrent:
          slots_.insert(slot(role.instance, VariableId(role.id)));
          break;
        case RoleKind::InstanceAt:
          positions_.insert(position(role.instance));
          break;
        case RoleKind::At:
          if (own.valid()) positions_.insert(position(own));
          break;
        case RoleKind::RemoteCurrent:
          // Whoever is meant: every instance may be.
          for (const InstanceId other :
               instances_of(network_.variable(VariableId(role.id)).machine))
            slots_.insert(slot(other, VariableId(role.id)));
          break;
        case RoleKind::RemoteAt:
          for (const InstanceId other :
               instances_of(network_.location(LocationId(role.id)).machine))
            positions_.insert(position(other));
          break;
        default:
          break;
      }
    }
  }

  // False: it wrote nothing that matters.
  bool step(const ReplayedStep& replayed) {
    const bool writes = std::any_of(replayed.changed_slots.begin(), replayed.changed_slots.end(),
                                    [&](std::uint32_t s) { return slots_.contains(s); }) ||
                        std::any_of(replayed.moved.begin(), replayed.moved.end(),
                                    [&](std::uint32_t p) { return positions_.contains(p); });
    if (!writes) return false;
    for (const Occurrence& occurrence : replayed.occurrences) {
      const Event& event = network_.event(occurrence.event);
      if (occurrence.instance.valid()) positions_.insert(position(occurrence.instance));
      for (const Guard& guard : event.guards) read(guard.condition, occurrence.instance);
      for (const Effect& effect : event.effects) read(effect.expr, occurrence.instance);
      for (const Sync& sync : event.syncs) {
        read(sync.key, occurrence.instance);
        for (const Expr argument : sync.arguments) read(argument, occurrence.instance);
      }
    }
    return true;
  }

  [[nodiscard]] std::uint32_t slot(InstanceId instance, VariableId variable) const {
    return static_cast<std::uint32_t>(layout_.slot(instance, variable));
  }
  [[nodiscard]] std::uint32_t position(InstanceId instance) const {
    return static_cast<std::uint32_t>(layout_.position(instance));
  }
  [[nodiscard]] const std::vector<InstanceId>& instances_of(MachineId machine) const {
    return network_.instances_of(trace_.universe, machine);
  }

  const Network& network_;
  const Trace& trace_;
  const Replay& replay_;
  StateLayout layout_;
  std::set<std::uint32_t> slots_;
  std::set<std::uint32_t> positions_;
};

}  // namespace

ReplayedStep EssentialTrace::reduced(const ReplayedStep& step, std::size_t number) const {
  const Moment& moment = moments[number];
  ReplayedStep result = step;
  std::erase_if(result.changed_slots,
                [&](std::uint32_t slot) { return !moment.slots.contains(slot); });
  std::erase_if(result.moved,
                [&](std::uint32_t position) { return !moment.positions.contains(position); });
  return result;
}

std::optional<EssentialTrace> essential_trace(const PropertyResult& result) {
  const Trace* trace = result.verdict.trace();
  if (trace == nullptr || !result.replay || !is_state_property(result.question().kind))
    return std::nullopt;
  return Backwards(result).run(result.question().condition());
}

namespace {

// `Account[NL01].balance = 5`, `Account[NL01] at Open`.
std::string named_value(const ModelShown& model, const ShownValue& value) {
  const bool named = value.instance.valid() && !model.single();
  const std::string who = named ? model.instance(value.instance) : "";
  if (value.name.empty()) return fmt::format("{}at {}", named ? who + " " : "", value.value);
  return fmt::format("{}{} = {}", named ? who + "." : "", value.name, value.value);
}

std::string joined_values(const ModelShown& model, const std::vector<ShownValue>& values) {
  std::vector<std::string> parts;
  for (const ShownValue& value : values) parts.push_back(safe_text(named_value(model, value)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// The values of the first state that matter, as a step that changes them to what they are.
ReplayedStep everything_at_first(const State& initial) {
  ReplayedStep step;
  step.after = initial;
  for (std::uint32_t i = 0; i < initial.values.size(); ++i) step.changed_slots.push_back(i);
  for (std::uint32_t i = 0; i < initial.locations.size(); ++i) step.moved.push_back(i);
  return step;
}

}  // namespace

std::string essential_text(const PropertyResult& result, const EssentialTrace& what,
                           std::size_t indent) {
  const Trace& trace = *result.verdict.trace();
  const ModelShown model(*result.network, trace.universe);
  struct Line {
    std::string step, event, changes;
  };
  std::vector<Line> lines{{"step", "event", "changes that matter"}};
  lines.push_back({"0", "start",
                   joined_values(model, model.changes(what.reduced(
                                            everything_at_first(result.replay->initial), 0)))});
  std::uint64_t number = 1;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const std::uint64_t times = trace.steps[i].times;
    if (what.moments[i + 1].matters) {
      const ReplayedStep step = what.reduced(result.replay->steps[i], i + 1);
      std::vector<std::string> calls;
      for (const ShownEvent& event : model.events(step)) {
        if (event.depth > 0) continue;
        std::vector<std::string> arguments;
        for (const Shown& argument : event.arguments)
          arguments.push_back(argument.name + " = " + safe_text(argument.value));
        calls.push_back(fmt::format(
            "{}{}{}{}", model.single() ? "" : model.instance(event.instance) + ".", event.event,
            arguments.empty() ? "" : fmt::format("({})", fmt::join(arguments, ", ")),
            times > 1 ? fmt::format(" × {}", times) : ""));
      }
      lines.push_back(
          {times > 1 ? fmt::format("{}–{}", number, number + times - 1) : std::to_string(number),
           fmt::format("{}", fmt::join(calls, "; ")), joined_values(model, model.changes(step))});
    } else {
      left_out += times;
    }
    number += times;
  }
  std::size_t wide = 0;
  std::size_t numbers = 0;
  for (const Line& line : lines) {
    wide = std::max(wide, columns(line.event));
    numbers = std::max(numbers, columns(line.step));
  }
  std::string text;
  for (const Line& line : lines)
    text += fmt::format("{:{}}{}{}  {}{}  {}\n", "", indent,
                        std::string(numbers - columns(line.step), ' '), line.step, line.event,
                        std::string(wide - columns(line.event), ' '), line.changes);
  if (left_out > 0)
    text += fmt::format("{:{}}({} step{} left out: what {} changed matters to nothing here)\n", "",
                        indent, left_out, left_out == 1 ? "" : "s", left_out == 1 ? "it" : "they");
  return text;
}

}  // namespace whittle

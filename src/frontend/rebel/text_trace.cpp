// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/text_trace.h"

#include "ir/notation.h"
#include "ir/run/interpreter.h"

namespace whittle::rebel {

namespace {

constexpr std::uint64_t kMostReadings = 200'000;  // states of instances that are read

class Reading {
 public:
  Reading(Program& program, const Network& network, UniverseId universe)
      : program_(program), network_(network), layout_(network, universe) {
    for (std::size_t i = 0; i < layout_.instance_count(); ++i) {
      const Machine& machine = network_.machine(network_.instance(layout_.instance(i)).machine);
      specs_.push_back(spec_at(machine.origin));
    }
  }

  [[nodiscard]] std::size_t instance_count() const { return specs_.size(); }

  World world(const State& initial, const Snapshot& first) {
    World result;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      const Spec& spec = program_.specs()[specs_[i]];
      Datum key = spec.key == kNone ? Datum::integer(Integer(0)) : first.fields[i][spec.key];
      result.instances.push_back({specs_[i], std::move(key)});
    }
    result.now = now(initial);
    return result;
  }

  Datum now(const State& state) {
    if (network_.shared_variables().empty()) return {};
    const auto value_of = [&](VariableId v) { return state.values[layout_.slot({}, v)]; };
    for (const Shown& shown : network_.notation->state(network_, {}, value_of, {})) {
      if (shown.name == "now") return read(Kind::DateTime, shown, "the time");
    }
    return {};
  }

  Snapshot snapshot(const State& state) {
    Snapshot result;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      const Spec& spec = program_.specs()[specs_[i]];
      const std::string& location = network_.location(state.locations[i]).name;
      const auto at = spec.state_index.find(program_.names().intern_copy(location));
      if (at == spec.state_index.end()) throw Gap{"a state '" + location + "'"};
      result.states.push_back(at->second);
      result.fields.push_back(fields(state, i, spec));
    }
    return result;
  }

  TextOccurrence occurrence(const Occurrence& one) {
    TextOccurrence result;
    result.instance = static_cast<std::uint32_t>(layout_.position(one.instance));
    const Spec& spec = program_.specs()[specs_[result.instance]];
    const std::string& name = network_.event(one.event).name;
    const auto use = spec.use_index.find(program_.names().intern_copy(name));
    if (use == spec.use_index.end()) throw Gap{"an event '" + name + "'"};
    result.use = use->second;
    const EventText text = event_text(program_, spec, result.use);
    const std::vector<Shown> shown =
        network_.notation->arguments(network_, one.event, one.arguments);
    const ModuleAst& module = program_.module(text.module).ast;
    for (std::uint32_t p = 0; p < text.event->params.count; ++p) {
      const ParamAst& param = module.params[text.event->params.first + p];
      const Shown* found = find(shown, program_.names().text(param.name));
      if (found == nullptr) throw Gap{"no argument '" + program_.text(param.name) + "'"};
      result.arguments.push_back(
          read(program_.resolve_type(text.module, param.type), *found, "argument"));
    }
    return result;
  }

 private:
  static const Shown* find(const std::vector<Shown>& all, std::string_view name) {
    for (const Shown& shown : all) {
      if (shown.name == name) return &shown;
    }
    return nullptr;
  }

  Datum read(RType type, const Shown& shown, const std::string& what) {
    auto datum = read_shown(program_, type, shown.value);
    if (!datum) throw Gap{what + " " + shown.name + " = " + shown.value};
    return *datum;
  }

  std::vector<Datum> fields(const State& state, std::size_t i, const Spec& spec) {
    const InstanceId instance = layout_.instance(i);
    const MachineId machine = network_.instance(instance).machine;
    std::vector<Datum> result(spec.fields.size());
    if (network_.machine(machine).variables.empty()) return result;
    const auto value_of = [&](VariableId v) { return state.values[layout_.slot(instance, v)]; };
    const std::vector<Shown> shown = network_.notation->state(network_, machine, value_of, {});
    for (std::size_t f = 0; f < spec.fields.size(); ++f) {
      const Shown* found = find(shown, program_.names().text(spec.fields[f].name));
      if (found == nullptr) throw Gap{"no field '" + program_.text(spec.fields[f].name) + "'"};
      result[f] = read(spec.fields[f].type, *found, "field");
    }
    return result;
  }

  std::uint32_t spec_at(Span origin) {
    for (std::uint32_t s = 0; s < program_.specs().size(); ++s) {
      if (program_.specs()[s].origin == origin) return s;
    }
    throw Gap{"an instance of an unknown specification"};
  }

  Program& program_;
  const Network& network_;
  StateLayout layout_;
  std::vector<std::uint32_t> specs_;  // by instance
};

}  // namespace

EventText event_text(const Program& program, const Spec& spec, std::uint32_t use) {
  const Decl definition = spec.uses[use].definition;
  if (!definition.found()) throw Gap{"an event without definition"};
  return {definition.module, &program.module(definition.module).ast.events[definition.index]};
}

TextTrace text_trace(Program& program, const Network& network, const Trace& trace) {
  if (!network.notation) throw Gap{"a network without notation"};
  Reading reading(program, network, trace.universe);
  if (trace.length() > kMostReadings ||
      (trace.length() + 1) * reading.instance_count() > kMostReadings) {
    throw Gap{"a trace that is too long"};
  }
  Trace expanded{trace.universe, trace.initial, {}};
  for (const TraceStep& step : trace.steps) {
    TraceStep once = step;
    once.times = 1;
    for (std::uint64_t i = 0; i < step.times; ++i) expanded.steps.push_back(once);
  }
  const auto replayed = whittle::replay(network, expanded);
  if (!replayed) throw Gap{"a trace that cannot be replayed: " + replayed.error().message};
  TextTrace result;
  result.initial = reading.snapshot(trace.initial);
  result.world = reading.world(trace.initial, result.initial);
  for (const ReplayedStep& step : replayed->steps) {
    TextStep one;
    for (const Occurrence& occurrence : step.occurrences) {
      one.occurrences.push_back(reading.occurrence(occurrence));
    }
    one.after = reading.snapshot(step.after);
    const Datum now = reading.now(step.after);
    if (now.defined() != result.world.now.defined() ||
        (now.defined() && !same(now, result.world.now))) {
      throw Gap{"a time that changes"};
    }
    result.steps.push_back(std::move(one));
  }
  return result;
}

}  // namespace whittle::rebel

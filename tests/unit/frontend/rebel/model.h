// SPDX-License-Identifier: Apache-2.0
// Rebel programs in memory, and explicit search over a handful of values as the judge of what they
// mean.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "frontend/rebel/rebel.h"
#include "ir/run/stepper.h"

namespace whittle::rebel {

struct Model {
  Sources sources;
  std::map<std::string, std::string> files;
  std::map<std::string, FileId> read;
  std::shared_ptr<Network> network;  // null: there were errors
  std::shared_ptr<Network> partial;  // what was understood nevertheless
  SymbolIndex symbols;
  Diagnostics diagnostics;

  // The first file is the one that is loaded.
  explicit Model(const std::vector<std::pair<std::string, std::string>>& texts,
                 LoadOptions options = {}) {
    for (const auto& [path, text] : texts) files[path] = text;
    options.read = [this](const std::string& path) -> Expected<FileId, Diagnostic> {
      if (const auto it = read.find(path); it != read.end()) return it->second;
      const auto file = files.find(path);
      if (file == files.end()) {
        return Unexpected{make_diagnostic("file-001", {}, "there is no file '" + path + "'")};
      }
      return read[path] = sources.add(path, file->second);
    };
    const FileId root = *options.read(texts[0].first);
    LoadedModel result = load(sources, root, options);
    if (result.complete()) network = result.network;
    partial = result.network;
    symbols = std::move(result.symbols);
    diagnostics = std::move(result.diagnostics);
  }

  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  [[nodiscard]] std::string messages() const { return render(diagnostics, sources, Color::Off); }

  // "rebel-054:3" for each problem: its id and line, in order.
  [[nodiscard]] std::vector<std::string> problems(bool warnings = false) const {
    std::vector<std::string> result;
    for (const Diagnostic& d : diagnostics.all()) {
      if (d.severity != Severity::Error && !warnings) continue;
      const std::string line =
          d.span.valid() ? std::to_string(sources.file(d.span.file).position(d.span.begin).line)
                         : "0";
      result.push_back(d.id + ":" + line);
    }
    return result;
  }

  [[nodiscard]] const Property& property(const std::string& name) const {
    for (const Property& p : network->properties()) {
      if (p.name == name) return p;
    }
    throw std::runtime_error("no property " + name);
  }
};

// Explicit search. Numbers (parameters, values of fields at the start) are taken from `numbers`.
class Search {
 public:
  Search(const Network& network, UniverseId universe, std::vector<long> numbers)
      : network_(network), stepper_(network, universe), numbers_(std::move(numbers)) {
    stepper_.set_candidates([this](Type type, SymbolId) { return values(type); });
  }

  // Least number of steps to a state with the condition; none within `most`.
  std::optional<int> depth(Expr condition, int most) {
    std::set<std::vector<Value>> seen;
    std::vector<State> level;
    for (const State& state : starts()) {
      if (seen.insert(key(state)).second) level.push_back(state);
    }
    for (int d = 0;; ++d) {
      for (const State& state : level) {
        const auto value = stepper_.evaluate(condition, state);
        if (value && value->as_bool()) return d;
      }
      if (d == most) return std::nullopt;
      std::vector<State> next;
      for (const State& state : level) {
        each_successor(state, [&](const State& after) {
          if (seen.insert(key(after)).second) next.push_back(after);
        });
      }
      if (next.empty()) return std::nullopt;
      level = std::move(next);
    }
  }

 private:
  std::vector<Value> values(Type type) const {
    std::vector<Value> result;
    switch (network_.pool().kind(type)) {
      case TypeKind::Bool:
        return {Value(false), Value(true)};
      case TypeKind::Int:
        for (long n : numbers_) result.emplace_back(Integer(n));
        return result;
      case TypeKind::Enum:
        for (std::uint32_t i = 0; i < network_.pool().info(type).values.size(); ++i) {
          result.emplace_back(EnumValue{i});
        }
        return result;
      default:
        return {network_.pool().default_value(type)};
    }
  }

  static std::vector<Value> key(const State& state) {
    std::vector<Value> result = state.values;
    for (LocationId location : state.locations) {
      result.emplace_back(Integer(static_cast<long>(location.index())));
    }
    return result;
  }

  std::vector<State> starts() {
    const StateLayout& layout = stepper_.layout();
    State first;
    for (std::size_t i = 0; i < layout.instance_count(); ++i) {
      const Machine& machine = network_.machine(network_.instance(layout.instance(i)).machine);
      first.locations.push_back(machine.starts.at(0).location);
    }
    std::vector<State> all{first};
    for (std::size_t slot = 0; slot < layout.value_count(); ++slot) {
      const auto [instance, variable] = layout.at(slot);
      const Variable& v = network_.variable(variable);
      std::vector<Value> choices;
      if (instance.valid() && network_.machine(v.machine).key == variable) {
        choices = {network_.instance(instance).key};
      } else if (v.initial.valid()) {
        choices = {network_.pool().value(v.initial)};
      } else if (!instance.valid()) {
        choices = values(v.type);
      } else {
        choices = {values(v.type).at(0)};  // fields before the first event: one value will do
      }
      std::vector<State> extended;
      for (const State& state : all) {
        for (const Value& choice : choices) {
          extended.push_back(state);
          extended.back().values.push_back(choice);
        }
      }
      all = std::move(extended);
    }
    std::vector<State> good;
    for (const State& state : all) {
      if (!stepper_.initial_problem(state)) good.push_back(state);
    }
    return good;
  }

  template <class Visit>
  void each_successor(const State& state, Visit&& visit) {
    const StateLayout& layout = stepper_.layout();
    for (std::size_t i = 0; i < layout.instance_count(); ++i) {
      const InstanceId instance = layout.instance(i);
      for (EventId event : network_.machine(network_.instance(instance).machine).events) {
        const auto& parameters = network_.event(event).parameters;
        std::vector<Value> arguments(parameters.size());
        choose(parameters, arguments, 0, [&] {
          stepper_.each_step(state, instance, event, arguments,
                             [&](const TraceStep&, const State& after) {
                               visit(after);
                               return true;
                             });
        });
      }
    }
  }

  template <class Use>
  void choose(const std::vector<Parameter>& parameters, std::vector<Value>& arguments,
              std::size_t at, Use&& use) {
    if (at == parameters.size()) return use();
    for (const Value& value : values(parameters[at].type)) {
      arguments[at] = value;
      choose(parameters, arguments, at + 1, use);
    }
  }

  const Network& network_;
  Stepper stepper_;
  std::vector<long> numbers_;
};

}  // namespace whittle::rebel

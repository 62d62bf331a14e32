// SPDX-License-Identifier: Apache-2.0
#include "frontend/owls/processes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "frontend/program/checks.h"

namespace whittle::owls {

using program::Action;
using program::FailureId;
using program::Hazard;

std::string Processes::unique(std::string name) {
  if (const unsigned count = ++names_[name]; count > 1) name += fmt::format(" #{}", count);
  return name;
}

VariableId Processes::own(std::string name, Type type, Expr initial, Span origin) {
  const VariableId id = network_->add_variable(unique(std::move(name)), type, owner_, origin);
  network_->variable(id).initial = initial;
  return id;
}

// ----- processes and their parameters

std::unique_ptr<Instance> Processes::make_instance(std::size_t process, std::string name,
                                                   const Instance* around) {
  auto result = std::make_unique<Instance>();
  result->process = process;
  result->name = std::move(name);
  result->around = around;
  result->parameters = document_.parameters(process);
  for (const Parameter& parameter : result->parameters) declare(*result, parameter);
  if (around != nullptr) {
    result->done = own(result->name + "@done", Type::boolean(), pool_->boolean(false),
                       document_.span(process));
  }
  return result;
}

void Processes::declare(Instance& instance, const Parameter& parameter) {
  std::string name =
      unique(instance.name.empty() ? parameter.name : instance.name + "." + parameter.name);
  const Type type = values_.type_of(parameter.sort);
  const VariableId id =
      network_->add_variable(std::move(name), type, owner_, document_.span(parameter.resource));
  // Nobody sees those of a perform before it; those of the process itself may be anything.
  if (instance.around != nullptr)
    network_->variable(id).initial = pool_->constant(pool_->default_value(type), type);
  instance.variables[parameter.uri] = id;
  symbols_.declare(SymbolKind::Parameter, parameter.name, document_.span(parameter.resource));
}

Instance& Processes::performed(std::size_t perform, Instance& here) {
  std::unique_ptr<Instance>& slot = here.performs[perform];
  if (slot) return *slot;
  std::string name = document_.name(perform);
  if (!here.name.empty()) name = here.name + "." + name;
  name = unique(std::move(name));
  std::size_t process = graph_.object(perform, "process");
  for (const char* link : {"realizedBy", "expandsTo"})
    if (const std::size_t real = graph_.object(process, link); real != kNoResource) process = real;
  if (process == kNoResource) {
    diagnostics_.report("owls-004", document_.span(perform), "a Perform without a process",
                        "it refers to one with process:process");
    process = perform;
  } else if (graph_.at(process).types.empty() && graph_.at(process).statements.empty()) {
    diagnostics_.report("owls-free", document_.span(perform),
                        fmt::format("the process `{}` is not in the document: it may do anything",
                                    ellipsized(safe_text(document_.name(process)), 60)),
                        "what owl:imports names is read from files beside the document");
  }
  slot = make_instance(process, name, &here);
  return *slot;
}

std::optional<VariableId> Processes::parameter(Instance& instance, const std::string& uri) {
  if (const auto found = instance.variables.find(uri); found != instance.variables.end())
    return found->second;
  if (!graph_.at(instance.process).types.empty() || instance.around == nullptr) return std::nullopt;
  const std::size_t resource = graph_.find(uri).value_or(instance.process);
  Parameter unknown;
  unknown.resource = resource;
  unknown.uri = uri;
  unknown.name = std::string(local_name(uri));
  unknown.output = true;
  instance.parameters.push_back(unknown);
  declare(instance, instance.parameters.back());
  return instance.variables.at(uri);
}

// ----- values

std::optional<VariableId> Processes::source(std::size_t value_of, Instance& here, Instance* own,
                                            Span span, std::vector<VariableId>& needs) {
  const std::size_t variable = graph_.object(value_of, "theVar") != kNoResource
                                   ? graph_.object(value_of, "theVar")
                                   : graph_.object(value_of, "theParam");
  const std::size_t from = graph_.object(value_of, "fromProcess");
  if (variable == kNoResource) return missing(span, "a ValueOf says no variable");
  const std::string& uri = graph_.at(variable).uri;
  if (document_.construct(from) == Construct::Perform) {
    Instance& other = performed(from, here);
    const auto found = parameter(other, uri);
    if (!found)
      return missing(
          span, fmt::format("`{}` has no parameter `{}`", other.name, document_.name(variable)));
    if (&other != own) needs.push_back(other.done);
    return found;
  }
  for (Instance* at : {&here, own})
    if (at != nullptr)
      if (const auto found = at->variables.find(uri); found != at->variables.end())
        return found->second;
  return missing(span,
                 fmt::format("no process here has a parameter `{}`", document_.name(variable)));
}

std::nullopt_t Processes::missing(Span span, const std::string& what) {
  diagnostics_.report("owls-004", span, safe_text(what),
                      "ValueOf names a parameter of the process around, or of another Perform");
  return std::nullopt;
}

void Processes::no_parameter(const Binding& binding, const Instance& instance) {
  missing(binding.span, fmt::format("`{}` has no parameter `{}`", document_.name(instance.process),
                                    local_name(binding.to)));
}

Given Processes::given(const Binding& binding, VariableId to, Instance& here, Instance* own,
                       std::vector<VariableId>& needs) {
  const Type type = network_->variable(to).type;
  if (binding.value_of == kNoResource) {
    Given result{to, values_.value(binding, type, here), {}};
    if (binding.object != kNoResource) result.source = "=" + graph_.at(binding.object).uri;
    return result;
  }
  const auto from = source(binding.value_of, here, own, binding.span, needs);
  if (!from) return {to, {}, {}};
  const Expr value = values_.as(values_.now(*from), type);
  if (!value.valid()) values_.left_open(binding.span, "a value of another type");
  return {to, value, network_->variable(*from).name};
}

void Processes::give(Action& action, const std::vector<Given>& gives) {
  Facts::Copy copy;
  for (const Given& one : gives) {
    if (network_->variable(one.to).type != Type::boolean() || !one.value.valid() ||
        !pool_->is_true(one.value))
      copy[network_->variable(one.to).name] = one.value.valid() ? one.source : "";
    action.values.emplace_back(one.to, one.value.valid() ? one.value : any(action, one.to));
  }
  const auto given = [&](VariableId variable) {
    return std::any_of(gives.begin(), gives.end(),
                       [&](const Given& one) { return one.to == variable; });
  };
  for (const auto& [to, from] : facts_.copied(copy))
    if (!given(to))
      action.values.emplace_back(to, from.valid() ? values_.now(from) : any(action, to));
}

Expr Processes::any(Action& action, VariableId variable) {
  const Variable& it = network_->variable(variable);
  const SymbolId symbol = pool_->declare(it.name, it.type);
  action.inputs.push_back({symbol, it.type, {}, {}});
  bound(action.inputs.back(), variable);
  return pool_->symbol(symbol);
}

void Processes::bound(Action::Input& input, VariableId variable) {
  static constexpr struct {
    std::string_view type;
    std::int64_t least;
    std::int64_t greatest;
  } kRanges[] = {
      {"int", -2'147'483'648, 2'147'483'647},
      {"short", -32'768, 32'767},
      {"byte", -128, 127},
      {"unsignedInt", 0, 4'294'967'295},
      {"unsignedShort", 0, 65'535},
      {"unsignedByte", 0, 255},
      {"long", INT64_MIN, INT64_MAX},
  };
  const auto found = types_.find(variable);
  const std::string type(found == types_.end() ? "" : found->second);
  for (const auto& range : kRanges) {
    if (range.type != type) continue;
    input.least = pool_->integer(range.least);
    input.greatest = pool_->integer(range.greatest);
  }
  if (type == "nonNegativeInteger" || type == "unsignedLong") input.least = pool_->integer(0);
  if (type == "positiveInteger") input.least = pool_->integer(1);
  if (type == "nonPositiveInteger") input.greatest = pool_->integer(0);
  if (type == "negativeInteger") input.greatest = pool_->integer(-1);
}

void Processes::note_types(const Instance& instance) {
  for (const Parameter& parameter : instance.parameters)
    if (parameter.sort == Sort::Integer)
      types_[instance.variables.at(parameter.uri)] = std::string(local_name(parameter.type));
}

std::vector<Hazard> Processes::hazards(Expr value, std::size_t resource) {
  std::vector<Hazard> result;
  const Expr failure = program::first_failure(*pool_, program::checks_of(*pool_, value),
                                              program::Check::Kind::Division);
  if (pool_->is_false(failure)) return result;
  if (!division_.valid())
    division_ = failures_.add("division", PropertyKind::Division, document_.span(resource));
  result.push_back({failure, division_});
  return result;
}

void Processes::check_divisions(Action& action, std::size_t resource) {
  for (const auto& [variable, value] : action.values)
    for (Hazard& hazard : hazards(value, resource)) action.hazards.push_back(std::move(hazard));
}

void Processes::need(Action& action, std::vector<VariableId> needs, const std::string& who,
                     std::size_t resource) {
  for (const VariableId done : values_.take_needs()) needs.push_back(done);
  if (needs.empty()) return;
  FailureId& failure = early_[who];
  if (!failure.valid())
    failure = failures_.add(fmt::format("what `{}` uses is there", who), PropertyKind::Assert,
                            document_.span(resource));
  for (const VariableId done : needs)
    action.hazards.push_back({pool_->negate(values_.now(done)), failure});
}

}  // namespace whittle::owls

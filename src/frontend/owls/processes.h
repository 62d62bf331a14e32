// SPDX-License-Identifier: Apache-2.0
// Processes while they are followed: the variables of their parameters, and what a step does that
// gives them values.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/owls/values.h"
#include "frontend/program/code.h"

namespace whittle::owls {

class Processes {
 public:
  using Action = program::Action;

  Processes(Network& network, const Document& document, Facts& facts, Values& values,
            program::Failures& failures, Diagnostics& diagnostics, SymbolIndex& symbols)
      : network_(&network),
        pool_(&network.pool()),
        document_(document),
        graph_(document.graph()),
        facts_(facts),
        values_(values),
        failures_(failures),
        diagnostics_(diagnostics),
        symbols_(symbols) {}

  // The machine of all variables; without, they are shared.
  void belong_to(MachineId owner) { owner_ = owner; }
  // The name, with a number where something has it already.
  [[nodiscard]] std::string unique(std::string name);
  // A variable of its own that begins with this value.
  VariableId own(std::string name, Type type, Expr initial, Span origin);

  std::unique_ptr<Instance> make_instance(std::size_t process, std::string name,
                                          const Instance* around);
  void declare(Instance& instance, const Parameter& parameter);
  // The process that is performed, with parameters of its own.
  Instance& performed(std::size_t perform, Instance& here);
  // The parameter of that URI; of a process that is not in the document, it is made.
  std::optional<VariableId> parameter(Instance& instance, const std::string& uri);
  // Reports that it is not there.
  std::nullopt_t missing(Span span, const std::string& what);
  void no_parameter(const Binding& binding, const Instance& instance);
  // Where the value of a binding comes from: a variable; what it must wait for is noted.
  std::optional<VariableId> source(std::size_t value_of, Instance& here, Instance* own, Span span,
                                   std::vector<VariableId>& needs);
  // The value of a binding for a variable.
  Given given(const Binding& binding, VariableId to, Instance& here, Instance* own,
              std::vector<VariableId>& needs);
  // Adds the values to a step, with the facts about them; what is not known may be anything.
  void give(Action& action, const std::vector<Given>& gives);
  Expr any(Action& action, VariableId variable);
  // The range of the integer type of the parameter, where it has one.
  void bound(Action::Input& input, VariableId variable);
  void note_types(const Instance& instance);
  // Where the value is not defined.
  std::vector<program::Hazard> hazards(Expr value, std::size_t resource);
  void check_divisions(Action& action, std::size_t resource);
  // Values of other performs have to be there.
  void need(Action& action, std::vector<VariableId> needs, const std::string& who,
            std::size_t resource);

 private:
  Network* network_;
  ExprPool* pool_;
  const Document& document_;
  const Graph& graph_;
  Facts& facts_;
  Values& values_;
  program::Failures& failures_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  MachineId owner_;
  program::FailureId division_;
  std::map<std::string, program::FailureId> early_;  // by who uses values
  std::map<std::string, unsigned> names_;
  std::map<VariableId, std::string> types_;  // integer types
};

}  // namespace whittle::owls

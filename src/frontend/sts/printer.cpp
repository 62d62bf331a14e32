// SPDX-License-Identifier: Apache-2.0
// Declarations in the order enumerations, variables, nodes, starts, transitions, properties.
// Nothing is invented: constants were folded into the terms and do not come back.
#include "frontend/sts/printer.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "expr/traverse.h"
#include "frontend/expression/expectation_clause.h"
#include "frontend/expression/expression_printer.h"
#include "frontend/expression/formula_printer.h"
#include "frontend/sts/notation.h"

namespace whittle::sts {

namespace {

using frontend::Strength;

class Printer {
 public:
  explicit Printer(const Network& network)
      : network_(network), pool_(network.pool()), symbol_(symbol_writer(network)) {
    WHITTLE_REQUIRE(network.machines().size() <= 1, "an STS has one machine");
  }

  std::string run() {
    out_ = "system " + written(network_.name) + "\n";
    if (network_.machines().empty()) {
      // Nothing matters to the questions; a system has a node all the same.
      out_ += "node Anywhere\n\nstart Anywhere: true\n";
      properties();
      return std::move(out_);
    }
    enums();
    variables();
    nodes();
    out_ += '\n';
    for (const Start& start : machine().starts) {
      out_ += "start " + node(start.location) + ": " + condition(start.condition) + "\n";
    }
    for (const EventId id : machine().events) event(network_.event(id));
    properties();
    return std::move(out_);
  }

 private:
  [[nodiscard]] const Machine& machine() const { return network_.machines()[0]; }
  [[nodiscard]] std::string node(LocationId id) const {
    return written(network_.location(id).name);
  }
  [[nodiscard]] std::string condition(Expr e, Strength needs = Strength::Weakest) const {
    return frontend::print_expression(pool_, e, symbol_, {needs, false});
  }

  void properties() {
    if (!network_.properties().empty()) out_ += '\n';
    for (const Property& property : network_.properties()) this->property(property);
  }

  // The enumerations that variables, parameters and constants have, in the order of their making.
  void enums() {
    std::vector<Type> types;
    std::unordered_set<std::uint32_t> seen;
    const auto note = [&](Type type) {
      if (pool_.kind(type) == TypeKind::Enum && seen.insert(type.id()).second)
        types.push_back(type);
    };
    std::vector<Expr> terms;
    for (const Variable& variable : network_.variables()) note(variable.type);
    for (const Start& start : machine().starts) terms.push_back(start.condition);
    for (const Event& event : network_.events()) {
      for (const Parameter& parameter : event.parameters) note(parameter.type);
      for (const Guard& guard : event.guards) terms.push_back(guard.condition);
      for (const Effect& effect : event.effects) {
        if (effect.expr.valid()) terms.push_back(effect.expr);
      }
    }
    for (const Property& property : network_.properties()) {
      if (property.condition().valid()) terms.push_back(property.condition());
      const auto* run = std::get_if<RunGoal>(&property.goal);
      if (run == nullptr) continue;
      for (const LtlFormula f : {run->formula, run->assumption}) {
        if (!f.valid()) continue;
        const std::vector<Expr> atoms = network_.ltl().atoms(f);
        terms.insert(terms.end(), atoms.begin(), atoms.end());
      }
    }
    for_each_subterm(pool_, terms, [&](Expr e) { note(pool_.type(e)); });
    std::sort(types.begin(), types.end());
    for (const Type type : types) {
      const TypeInfo& info = pool_.info(type);
      out_ += "enum " + info.name + " {";
      for (std::size_t i = 0; i < info.values.size(); ++i) {
        out_ += (i == 0 ? " " : ", ") + info.values[i];
      }
      out_ += " }\n";
    }
  }

  void variables() {
    for (const VariableId id : machine().variables) {
      const Variable& variable = network_.variable(id);
      out_ += "var " + variable.name + ": " + pool_.to_string(variable.type) + "\n";
    }
  }

  // Neighbours of one sort share a line while it is short.
  void nodes() {
    constexpr std::size_t kLine = 80;
    std::size_t line = 0;  // its length; 0: none is open
    bool final = false;
    for (const LocationId id : machine().locations) {
      const bool is_final = network_.location(id).final;
      const std::string name = node(id);
      if (line > 0 && (is_final != final || line + name.size() + 2 > kLine)) {
        out_ += '\n';
        line = 0;
      }
      const std::string_view lead = line > 0 ? ", " : is_final ? "final node " : "node ";
      out_ += lead;
      out_ += name;
      line += lead.size() + name.size();
      final = is_final;
    }
    if (line > 0) out_ += '\n';
  }

  // An event of a transformed network may have several arcs; here each is a transition.
  void event(const Event& event) {
    WHITTLE_REQUIRE(event.syncs.empty(), "nothing synchronises in an STS: " + event.name);
    // Those to one node are one transition: `A, B -> C`.
    std::vector<LocationId> targets;
    for (const Arc& arc : event.arcs)
      if (std::find(targets.begin(), targets.end(), arc.to) == targets.end())
        targets.push_back(arc.to);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const std::string number = i == 0 ? "" : " #" + std::to_string(i + 1);
      transition(event, event.name + number, targets[i]);
    }
  }

  void transition(const Event& event, const std::string& name, LocationId to) {
    out_ += fairness_of(event);
    out_ += "transition " + written(name) + ":";
    std::string_view lead = " ";
    for (const Arc& arc : event.arcs) {
      if (arc.to != to) continue;
      out_ += lead;
      out_ += node(arc.from);
      lead = ", ";
    }
    out_ += " -> " + node(to);
    for (std::size_t i = 0; i < event.parameters.size(); ++i) {
      out_ += i == 0 ? " (" : ", ";
      out_ += event.parameters[i].name + ": " + pool_.to_string(event.parameters[i].type);
    }
    if (!event.parameters.empty()) out_ += ')';
    out_ += '\n';
    // One conjunct each; `&&` inside would be split when read.
    for (std::size_t i = 0; i < event.guards.size(); ++i) {
      out_ +=
          (i == 0 ? "  when " : " && ") + condition(event.guards[i].condition, Strength::Equality);
    }
    if (!event.guards.empty()) out_ += '\n';
    bool first = true;
    for (const Effect& effect : event.effects) {
      for (const std::string& part : parts(effect)) {
        out_ += (first ? "  then " : " && ") + part;
        first = false;
      }
    }
    if (!first) out_ += '\n';
  }

  [[nodiscard]] std::string_view fairness_of(const Event& event) const {
    for (const Fairness& fairness : network_.fairness) {
      for (const EventId id : fairness.events) {
        if (&network_.event(id) != &event) continue;
        return fairness.kind == Fairness::Kind::Strong ? "strong fair " : "fair ";
      }
    }
    return "";
  }

  std::vector<std::string> parts(const Effect& effect) {
    switch (effect.kind) {
      case EffectKind::Assign: {
        const std::string name = network_.variable(effect.writes[0]).name;
        return {
            name + "' == " +
            frontend::print_expression(pool_, effect.expr, symbol_, {Strength::Comparison, true})};
      }
      case EffectKind::Relation:
        return relation(effect);
      case EffectKind::Free: {
        std::vector<std::string> result;
        for (const VariableId id : effect.writes) {
          result.push_back("any " + network_.variable(id).name);
        }
        return result;
      }
    }
    return {};
  }

  // Variables that a relation frees without a word (transformations can simplify its term) are
  // named.
  std::vector<std::string> relation(const Effect& effect) {
    std::vector<std::string> result{condition(effect.expr, Strength::Equality)};
    std::unordered_set<std::uint32_t> spoken;
    for (const SymbolId symbol : symbols(pool_, effect.expr)) {
      const Role role = network_.role(symbol);
      if (role.kind == RoleKind::Next) spoken.insert(role.id);
    }
    for (const VariableId id : effect.writes) {
      if (!spoken.contains(id.index())) result.push_back("any " + network_.variable(id).name);
    }
    return result;
  }

  void property(const Property& property) {
    switch (property.kind) {
      case PropertyKind::Constraint:
        out_ += "constraint " + node(property.as<StateGoal>().node) + ": " + constrained(property) +
                frontend::expectation_clause(property) + "\n";
        return;
      case PropertyKind::Invariant:
        out_ += "safety " + written(property.name) + ": " + condition(property.condition()) +
                frontend::expectation_clause(property) + "\n";
        return;
      case PropertyKind::Reach:
        out_ += "reach " + written(property.name) + ": " + condition(property.condition());
        if (property.bound.max) out_ += " within " + std::to_string(*property.bound.max);
        out_ += frontend::expectation_clause(property) + '\n';
        return;
      case PropertyKind::Ltl: {
        const auto& goal = property.as<RunGoal>();
        out_ += "ltl " + written(property.name);
        if (goal.assumption.valid()) out_ += " assuming " + formula(goal.assumption);
        out_ += ": " + formula(goal.formula) + frontend::expectation_clause(property) + "\n";
        return;
      }
      case PropertyKind::Recoverable:
        out_ += "recoverable " + written(property.name) + ": " + condition(property.condition()) +
                frontend::expectation_clause(property) + "\n";
        return;
      default:
        return;  // structural checks are asked for on the command line
    }
  }

  [[nodiscard]] std::string formula(LtlFormula f) const {
    return frontend::print_formula(network_.ltl(), pool_, f, symbol_);
  }

  // The condition of a constraint is `@Node -> c`, which the builder may have folded.
  [[nodiscard]] std::string constrained(const Property& property) const {
    const Expr e = property.condition();
    if (pool_.op(e) == Op::Implies) return condition(pool_.child(e, 1));
    return pool_.is_true(e) ? "true" : "false";
  }

  const Network& network_;
  const ExprPool& pool_;
  frontend::SymbolWriter symbol_;
  std::string out_;
};

}  // namespace

std::string print_network(const Network& network) { return Printer(network).run(); }

}  // namespace whittle::sts

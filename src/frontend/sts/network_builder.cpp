// SPDX-License-Identifier: Apache-2.0
#include "frontend/sts/network_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/nearest.h"
#include "base/text.h"
#include "expr/traverse.h"
#include "frontend/contradictory_guards.h"
#include "frontend/expectation.h"
#include "frontend/expression/expression_typer.h"
#include "frontend/ltl_property.h"
#include "frontend/sts/constants.h"
#include "frontend/sts/effects.h"
#include "frontend/sts/notation.h"
#include "frontend/sts/scopes.h"
#include "frontend/sts/symbols.h"
#include "ir/notation.h"

namespace whittle::sts {

namespace {

using frontend::ExpressionTyper;
using frontend::SyntaxKind;
using frontend::SyntaxTree;

constexpr std::string_view kReserved[] = {"true", "false", "forall", "exists", "any", "if"};

// "start Open", "start Open #2"
class Numbered {
 public:
  std::string operator()(std::string_view word, const std::string& node) {
    const unsigned count = ++counts_[node];
    std::string name = fmt::format("{} {}", word, node);
    if (count > 1) name += fmt::format(" #{}", count);
    return name;
  }

 private:
  std::unordered_map<std::string, unsigned> counts_;
};

class Builder {
 public:
  Builder(const File& file, const SyntaxTree& tree, Diagnostics& diagnostics, SymbolIndex& symbols)
      : file_(file),
        tree_(tree),
        diagnostics_(diagnostics),
        index_(symbols),
        pool_(std::make_shared<ExprPool>()),
        network_(std::make_shared<Network>(pool_)),
        typer_(*pool_, tree, diagnostics, symbols),
        step_scope_(symbols_, diagnostics, *network_) {
    symbols_.unread = &file.unread;
    symbols_.index = &symbols;
    index_.declare(SymbolKind::Machine, file.name.text, file.name.span);
    network_->name = file.name.text;
    network_->language = "sts";
    network_->notation = make_notation();
    machine_ = network_->add_machine(file.name.text, file.name.span);
    universe_ = network_->add_universe("the system");
    instance_ = network_->add_instance(universe_, machine_, Value(), file.name.text);
  }

  std::shared_ptr<Network> run() {
    enumerations();
    for (std::uint32_t i = 0; i < file_.constants.size(); ++i) {
      declare_value(file_.constants[i].name, {Symbol::Kind::Constant, i, {}, {}, false, false});
    }
    variables();
    evaluate_constants(file_, tree_, *pool_, symbols_, diagnostics_);
    nodes();
    starts();
    transitions();
    properties();
    if (diagnostics_.has_errors()) {
      stand_in();
    } else {
      warn();
    }
    return network_;
  }

 private:
  // ----- names
  void declared_twice(const Name& name, Span before, std::string_view what) {
    diagnostics_
        .report(
            "sts-001", name.span,
            fmt::format("{} `{}` is declared twice", what, ellipsized(safe_text(name.text), 60)),
            "give one of them another name")
        .related.push_back({before, "first declared here"});
  }

  bool check_reserved(const Name& name) {
    if (std::find(std::begin(kReserved), std::end(kReserved), name.text) == std::end(kReserved)) {
      return true;
    }
    diagnostics_.report(
        "sts-010", name.span,
        fmt::format("`{}` has a fixed meaning and cannot be a name here", name.text),
        "choose another name");
    return false;
  }

  static SymbolKind kind_of(Symbol::Kind kind) {
    switch (kind) {
      case Symbol::Kind::Variable:
        return SymbolKind::Variable;
      case Symbol::Kind::Parameter:
        return SymbolKind::Parameter;
      case Symbol::Kind::Constant:
      case Symbol::Kind::EnumValue:
        return SymbolKind::Constant;
    }
    fail_contract("kind", __FILE__, __LINE__, "no such kind of symbol");
  }

  bool declare_value(const Name& name, Symbol symbol) {
    if (!check_reserved(name)) return false;
    symbol.span = name.span;
    const auto [it, fresh] = symbols_.values.emplace(name.text, symbol);
    if (!fresh) declared_twice(name, it->second.span, "the name");
    if (fresh) index_.declare(kind_of(symbol.kind), name.text, name.span);
    return fresh;
  }

  std::optional<Type> type_of(const Name& name) {
    const auto it = symbols_.types.find(name.text);
    if (it != symbols_.types.end()) {
      const auto declared = symbols_.type_spans.find(name.text);
      if (declared != symbols_.type_spans.end()) index_.use(declared->second, name.span);
      return it->second;
    }
    report_unknown_type(diagnostics_, symbols_, name.text, name.span);
    // We go on with the type that is probably meant, to find more mistakes in one go.
    NearestName nearest(name.text);
    for (const auto& entry : symbols_.types) nearest.offer(entry.first);
    if (!nearest.result()) return std::nullopt;
    return symbols_.types.find(*nearest.result())->second;
  }

  std::optional<LocationId> node_of(const Name& name) {
    const auto it = symbols_.nodes.find(name.text);
    if (it != symbols_.nodes.end()) {
      index_.use(network_->location(it->second).origin, name.span);
      return it->second;
    }
    report_unknown_node(diagnostics_, symbols_, name.text, name.span);
    return std::nullopt;
  }

  // ----- declarations
  void enumerations() {
    symbols_.types = {{"Bool", Type::boolean()},
                      {"Int", Type::integer()},
                      {"Real", Type::real()},
                      {"String", Type::string()}};
    for (const EnumDeclaration& declaration : file_.enums) {
      const Name& name = declaration.name;
      if (symbols_.types.contains(name.text)) {
        const auto before = symbols_.type_spans.find(name.text);
        declared_twice(name, before == symbols_.type_spans.end() ? Span{} : before->second,
                       "the type");
        continue;
      }
      std::vector<std::string> values;
      for (const Name& value : declaration.values) values.push_back(value.text);
      const Type type = pool_->enum_type(name.text, std::move(values));
      symbols_.types.emplace(name.text, type);
      symbols_.type_spans.emplace(name.text, name.span);
      index_.declare(SymbolKind::Type, name.text, name.span);
      for (std::uint32_t i = 0; i < declaration.values.size() && !diagnostics_.saturated(); ++i) {
        declare_value(declaration.values[i],
                      {Symbol::Kind::EnumValue, i, pool_->constant(EnumValue{i}, type), {}, true});
      }
    }
  }

  void variables() {
    for (const VarDeclaration& declaration : file_.variables) {
      if (diagnostics_.saturated()) return;
      const auto type = type_of(declaration.type);
      const auto index = static_cast<std::uint32_t>(network_->variables().size());
      if (!declare_value(declaration.name, {Symbol::Kind::Variable, index, {}, {}, false, false}))
        continue;
      network_->add_variable(declaration.name.text, type.value_or(Type::integer()), machine_,
                             declaration.name.span);
      // One error is enough: terms with a variable of an unknown type are not looked at.
      if (!type) symbols_.values.find(declaration.name.text)->second.broken = true;
    }
  }

  void nodes() {
    symbols_.nodes.reserve(file_.nodes.size());
    for (const NodeDeclaration& declaration : file_.nodes) {
      if (diagnostics_.saturated()) break;
      const Name& name = declaration.name;
      const auto [it, fresh] =
          symbols_.nodes.emplace(name.text, LocationId(network_->locations().size()));
      if (!fresh) {
        declared_twice(name, network_->location(it->second).origin, "the node");
        continue;
      }
      const LocationId id = network_->add_location(name.text, machine_, name.span);
      index_.declare(SymbolKind::Location, name.text, name.span);
      network_->location(id).final = declaration.final;
    }
    entered_.resize(network_->locations().size());
    left_.resize(network_->locations().size());
  }

  void starts() {
    Numbered numbered;
    for (const StartDeclaration& declaration : file_.starts) {
      if (diagnostics_.saturated()) return;
      const auto node = node_of(declaration.node);
      if (!declaration.condition) continue;
      const Expr condition = typer_.typed(*declaration.condition, step_scope_, Type::boolean(),
                                          "the condition of a start");
      if (!node || !condition.valid()) continue;
      warn_if_false(condition, *declaration.condition, "this start");
      const Guard guard{condition, tree_.span(*declaration.condition)};
      frontend::warn_of_contradiction(*pool_, {&guard, 1}, "sts-019", "the condition of this start",
                                      diagnostics_);
      entered_[node->index()] = true;
      network_->machine(machine_).starts.push_back(
          {numbered("start", declaration.node.text), *node, condition, declaration.span});
    }
    if (file_.starts.empty() && !file_.unread.contains("start")) {
      diagnostics_.report(
          "sts-005", file_.name.span,
          fmt::format("the system `{}` has no start", ellipsized(safe_text(file_.name.text), 60)),
          "add `start Node: condition`");
    }
  }

  // ----- transitions
  void transitions() {
    NameMap<Span> seen;
    seen.reserve(file_.transitions.size());
    for (const TransitionDeclaration& declaration : file_.transitions) {
      if (diagnostics_.saturated()) return;
      const auto [it, fresh] = seen.emplace(declaration.name.text, declaration.name.span);
      if (!fresh) declared_twice(declaration.name, it->second, "the transition");
      index_.declare(SymbolKind::Event, declaration.name.text, declaration.name.span);
      transition(declaration);
    }
  }

  void transition(const TransitionDeclaration& declaration) {
    std::vector<std::pair<LocationId, Span>> from;
    for (const Name& name : declaration.from)
      if (const auto node = node_of(name)) from.emplace_back(*node, name.span);
    const auto to = node_of(declaration.to);
    const EventId event =
        network_->add_event(declaration.name.text, machine_, declaration.name.span);
    for (std::size_t i = 0; to && i < from.size(); ++i) {
      const auto& [node, span] = from[i];
      const bool again = std::any_of(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(i),
                                     [&](const auto& other) { return other.first == node; });
      if (again) continue;
      network_->event(event).arcs.push_back(
          {node, *to, from.size() == 1 ? join(span, declaration.to.span) : span});
      left_[node.index()] = true;
      entered_[to->index()] = true;
    }
    if (declaration.fairness) {
      network_->fairness.push_back({*declaration.fairness,
                                    machine_,
                                    {event},
                                    "transition " + declaration.name.text,
                                    declaration.name.span});
    }
    parameters(event, declaration.parameters);
    if (declaration.when) guards(event, *declaration.when);
    if (declaration.then) effects(event, *declaration.then);
    for (const VarDeclaration& parameter : declaration.parameters) {
      const auto it = symbols_.parameters.find(parameter.name.text);
      if (it != symbols_.parameters.end() && !it->second.used) {
        diagnostics_.report("sts-014", parameter.name.span,
                            fmt::format("the parameter `{}` is not used", parameter.name.text),
                            "remove it");
      }
    }
    symbols_.parameters.clear();
  }

  void parameters(EventId event, const std::vector<VarDeclaration>& declarations) {
    for (std::uint32_t i = 0; i < declarations.size() && !diagnostics_.saturated(); ++i) {
      const Name& name = declarations[i].name;
      const auto type = type_of(declarations[i].type);
      if (!check_reserved(name)) continue;
      if (const auto hidden = symbols_.values.find(name.text); hidden != symbols_.values.end()) {
        diagnostics_
            .report("sts-009", name.span,
                    fmt::format("the parameter `{}` hides {}", name.text,
                                describe(hidden->second.kind)),
                    "give the parameter another name")
            .related.push_back({hidden->second.span, "declared here"});
        continue;
      }
      const auto [it, fresh] = symbols_.parameters.emplace(name.text, Symbol{});
      if (!fresh) {
        declared_twice(name, it->second.span, "the parameter");
        continue;
      }
      const SymbolId symbol =
          network_->add_parameter(event, name.text, type.value_or(Type::integer()), name.span);
      it->second = {Symbol::Kind::Parameter, i, pool_->symbol(symbol), name.span, false, false};
      index_.declare(SymbolKind::Parameter, name.text, name.span);
      it->second.broken = !type;
    }
  }

  void guards(EventId event, SyntaxId when) {
    for (const SyntaxId conjunct : tree_.conjuncts(when)) {
      const Expr e = typer_.typed(conjunct, step_scope_, Type::boolean(), "the guard");
      if (!e.valid()) continue;
      for (const Expr part : conjuncts(*pool_, e)) {
        if (pool_->is_true(part)) continue;
        warn_if_false(part, conjunct, "this guard");
        network_->event(event).guards.push_back({part, tree_.span(conjunct)});
      }
    }
    const Event& made = network_->event(event);
    frontend::warn_of_contradiction(*pool_, made.guards, "sts-019",
                                    fmt::format("the guard of `{}`", made.name), diagnostics_);
  }

  void effects(EventId event, SyntaxId then) {
    step_scope_.effects = true;
    std::vector<Conjunct> parts;
    for (const SyntaxId conjunct : tree_.conjuncts(then)) {
      if (tree_.node(conjunct).kind == SyntaxKind::Any) continue;
      const Expr e = typer_.typed(conjunct, step_scope_, Type::boolean(), "the effect");
      if (!e.valid()) continue;
      warn_if_false(e, conjunct, "this effect");
      warn_without_next(e, conjunct);
      parts.push_back({e, tree_.span(conjunct)});
    }
    step_scope_.effects = false;
    std::vector<Freed> mentioned = mentioned_in(then);
    if (diagnostics_.has_errors()) return;
    std::vector<Effect> made = make_effects(*network_, parts, mentioned);
    warn_about_any(then, made);
    network_->event(event).effects = std::move(made);
  }

  // Variables that occur primed or after `any`, in the order of the text.
  std::vector<Freed> mentioned_in(SyntaxId then) {
    std::vector<Freed> result;
    for (SyntaxId id = tree_.node(then).first; id <= then; ++id) {
      const SyntaxKind kind = tree_.node(id).kind;
      if (kind != SyntaxKind::Primed && kind != SyntaxKind::Any) continue;
      const std::string_view name = tree_.text(tree_.token_of(id));
      Symbol* symbol = symbols_.find(name);
      if (symbol != nullptr && symbol->kind == Symbol::Kind::Variable) {
        symbol->used = true;
        index_.use(symbol->span, tree_.span_of(tree_.token_of(id)));
        result.push_back({VariableId(symbol->index), tree_.span(id)});
      } else if (kind == SyntaxKind::Any) {
        report_any(symbol, name, tree_.span(id));
      }
    }
    return result;
  }

  void report_any(const Symbol* symbol, std::string_view name, Span span) {
    if (symbol == nullptr) return report_unknown(diagnostics_, symbols_, name, span);
    diagnostics_.report("sts-008", span,
                        fmt::format("`{}` is {} and cannot be freed", name, describe(symbol->kind)),
                        "only what is declared with `var` changes");
  }

  void warn_about_any(SyntaxId then, const std::vector<Effect>& effects) {
    std::vector<VariableId> restricted;
    for (const Effect& effect : effects) {
      if (effect.kind == EffectKind::Free) continue;
      restricted.insert(restricted.end(), effect.writes.begin(), effect.writes.end());
    }
    std::sort(restricted.begin(), restricted.end());
    for (SyntaxId id = tree_.node(then).first; id <= then; ++id) {
      if (tree_.node(id).kind != SyntaxKind::Any) continue;
      const std::string_view name = tree_.text(tree_.token_of(id));
      const Symbol* symbol = symbols_.find(name);
      if (std::binary_search(restricted.begin(), restricted.end(), VariableId(symbol->index))) {
        diagnostics_.report(
            "sts-017", tree_.span(id),
            fmt::format("`any {0}` changes nothing: the effect says what `{0}'` is", name),
            "remove it");
      }
    }
  }

  // ----- properties
  void properties() {
    NameMap<Span> seen;
    Numbered numbered;
    for (const PropertyPlace& place : file_.properties) {
      if (diagnostics_.saturated()) return;
      Property property;
      property.universe = universe_;
      bool whole = false;  // also without a condition
      Name name;
      std::optional<Expectation> expected;
      switch (place.kind) {
        case PropertyPlace::Kind::Constraint: {
          const ConstraintDeclaration& declaration = file_.constraints[place.index];
          name = {numbered("constraint", declaration.node.text), declaration.node.span, true};
          constraint(declaration, property);
          expected = declaration.expected;
          break;
        }
        case PropertyPlace::Kind::Safety:
          name = file_.safeties[place.index].name;
          safety(file_.safeties[place.index], property);
          expected = file_.safeties[place.index].expected;
          break;
        case PropertyPlace::Kind::Reach:
          name = file_.reaches[place.index].name;
          reach(file_.reaches[place.index], property);
          expected = file_.reaches[place.index].expected;
          break;
        case PropertyPlace::Kind::Ltl:
          name = file_.formulas[place.index].name;
          whole = ltl(file_.formulas[place.index], property);
          expected = file_.formulas[place.index].expected;
          break;
        case PropertyPlace::Kind::Recoverable:
          name = file_.recoverables[place.index].name;
          recoverable(file_.recoverables[place.index], property);
          expected = file_.recoverables[place.index].expected;
          break;
      }
      const auto [it, fresh] = seen.emplace(name.text, name.span);
      if (!fresh) declared_twice(name, it->second, "the property");
      if (place.kind != PropertyPlace::Kind::Constraint)
        index_.declare(SymbolKind::Property, name.text, name.span);
      property.name = name.text;
      frontend::expect_of(property, expected, diagnostics_);
      if (whole || property.condition().valid()) network_->add_property(std::move(property));
    }
  }

  Expr condition_of(std::optional<SyntaxId> id, bool nodes, std::string_view what) {
    if (!id) return {};
    PropertyScope scope(symbols_, diagnostics_, *network_, instance_);
    scope.nodes = nodes;
    return typer_.typed(*id, scope, Type::boolean(), what);
  }

  void constraint(const ConstraintDeclaration& declaration, Property& property) {
    property.kind = PropertyKind::Constraint;
    property.origin = declaration.span;
    const auto node = node_of(declaration.node);
    const Expr condition = condition_of(declaration.condition, false, "a constraint");
    if (!node || !condition.valid()) return;
    property.goal = StateGoal{at_implies(*node, condition), *node};
  }

  void safety(const SafetyDeclaration& declaration, Property& property) {
    property.kind = PropertyKind::Invariant;
    property.origin = declaration.span;
    const auto node = declaration.node ? node_of(*declaration.node) : std::nullopt;
    Expr condition = condition_of(declaration.condition, true, "a safety property");
    if (!condition.valid() || (declaration.node && !node)) return;
    property.set_condition(node ? at_implies(*node, condition) : condition);
  }

  void reach(const ReachDeclaration& declaration, Property& property) {
    property.kind = PropertyKind::Reach;
    property.origin = declaration.span;
    property.demand = false;
    property.bound.max = declaration.within;
    property.set_condition(condition_of(declaration.condition, true, "the goal of `reach`"));
  }

  bool ltl(const frontend::LtlDeclaration& declaration, Property& property) {
    property.kind = PropertyKind::Ltl;
    property.origin = declaration.span;
    FormulaScope scope(symbols_, diagnostics_, *network_, instance_);
    auto goal = frontend::run_goal(declaration, typer_, scope, *network_, diagnostics_);
    if (goal) property.goal = std::move(*goal);
    return goal.has_value();
  }

  void recoverable(const RecoverableDeclaration& declaration, Property& property) {
    property.kind = PropertyKind::Recoverable;
    property.origin = declaration.span;
    property.goal = RecoveryGoal{condition_of(declaration.condition, true, "`recoverable`")};
  }

  Expr at_implies(LocationId node, Expr condition) {
    return pool_->implies(pool_->symbol(network_->at_instance(instance_, node)), condition);
  }

  // What every machine must have, where the file does not say it or says it wrongly: a node, and a
  // start that is never taken.
  void stand_in() {
    Machine& machine = network_->machine(machine_);
    if (machine.locations.empty()) network_->add_location("?", machine_, file_.name.span);
    if (!machine.starts.empty()) return;
    machine.starts.push_back(
        {"start", machine.locations[0], pool_->boolean(false), file_.name.span});
  }

  // ----- what is odd but not wrong
  void warn_if_false(Expr e, SyntaxId id, std::string_view what) {
    if (!pool_->is_false(e)) return;
    diagnostics_.report("sts-016", tree_.span(id), fmt::format("{} is never true", what),
                        "is this meant?");
  }

  // `then x == x + 1` for `x' == x + 1`: it only restricts when the transition can be taken.
  void warn_without_next(Expr e, SyntaxId conjunct) {
    if (pool_->is_const(e)) return;
    const Symbol* variable = nullptr;
    std::string_view name;
    for (SyntaxId id = tree_.node(conjunct).first; id <= conjunct; ++id) {
      const SyntaxKind kind = tree_.node(id).kind;
      if (kind == SyntaxKind::Primed) return;
      if (kind != SyntaxKind::Name || variable != nullptr) continue;
      const Symbol* symbol = symbols_.find(tree_.text(tree_.token_of(id)));
      if (symbol == nullptr || symbol->kind != Symbol::Kind::Variable) continue;
      variable = symbol;
      name = tree_.text(tree_.token_of(id));
    }
    diagnostics_.report(
        "sts-018", tree_.span(conjunct), "this says nothing about the state after the step",
        variable == nullptr
            ? std::string("a condition stands after `when`")
            : fmt::format("`{}'` is the value after the step; a condition stands after `when`",
                          name));
  }

  void warn() {
    for (const Location& location : network_->locations()) {
      const auto index = static_cast<std::size_t>(&location - network_->locations().data());
      const std::string name = ellipsized(safe_text(location.name), 60);
      if (!left_[index] && !location.final) {
        diagnostics_.report("sts-011", location.origin,
                            fmt::format("no transition leaves the node `{}`", name),
                            "declare it as `final node` if the system may end there");
      }
      if (!entered_[index]) {
        diagnostics_.report("sts-012", location.origin,
                            fmt::format("nothing leads to the node `{}`", name),
                            "add a start or a transition, or remove the node");
      }
    }
    for (const VarDeclaration& declaration : file_.variables) {
      if (!symbols_.values.find(declaration.name.text)->second.used) {
        diagnostics_.report("sts-013", declaration.name.span,
                            fmt::format("the variable `{}` is not used", declaration.name.text),
                            "remove it");
      }
    }
    for (const ConstDeclaration& declaration : file_.constants) {
      if (!symbols_.values.find(declaration.name.text)->second.used) {
        diagnostics_.report("sts-015", declaration.name.span,
                            fmt::format("the constant `{}` is not used", declaration.name.text),
                            "remove it");
      }
    }
  }

  const File& file_;
  const SyntaxTree& tree_;
  Diagnostics& diagnostics_;
  SymbolIndex& index_;
  std::shared_ptr<ExprPool> pool_;
  std::shared_ptr<Network> network_;
  Symbols symbols_;
  ExpressionTyper typer_;
  StepScope step_scope_;
  MachineId machine_;
  UniverseId universe_;
  InstanceId instance_;
  std::vector<bool> entered_;  // by location: a start or transition leads there
  std::vector<bool> left_;     // by location: a transition leaves it
};

}  // namespace

std::shared_ptr<Network> build_network(const File& file, const SyntaxTree& tree,
                                       Diagnostics& diagnostics, SymbolIndex& symbols) {
  return Builder(file, tree, diagnostics, symbols).run();
}

}  // namespace whittle::sts

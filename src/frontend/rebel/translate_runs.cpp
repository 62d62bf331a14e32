// SPDX-License-Identifier: Apache-2.0
// Properties of runs. A configuration says which instances exist; what it says about them is of no
// concern here. Quantifiers over instances are conjunctions and disjunctions. Conditions speak of
// particular instances, so references by key are resolved.
#include <algorithm>

#include "expr/traverse.h"
#include "frontend/expectation.h"
#include "frontend/ltl_property.h"
#include "frontend/rebel/translate.h"

namespace whittle::rebel {

namespace {

bool is_temporal(ExprKind kind) { return kind >= ExprKind::Always && kind <= ExprKind::Since; }

bool is_past(ExprKind kind) {
  return kind == ExprKind::Once || kind == ExprKind::Historically || kind == ExprKind::Since;
}

// One declaration: from its expressions to formulas. A condition that has no value (a field of an
// instance that has not begun) counts against the property, negated or not; so it matters how often
// it is negated.
class FormulaBuilder {
 public:
  FormulaBuilder(Program& program, Network& network, Elaborator& elaborator,
                 const std::vector<SpecNet>& nets, UniverseId universe, ExprRef first)
      : program_(program),
        ast_(program.module(0).ast),
        network_(network),
        pool_(network.pool()),
        ltl_(network.ltl()),
        elaborator_(elaborator),
        nets_(nets),
        universe_(universe),
        first_(first) {
    scope_.place = "in a property";
    scope_.goal = true;
    scope_.runs = universe;
    find_formulas();
  }

  // Invalid: reported.
  LtlFormula operator()(ExprRef e) { return formula(e, true); }
  Expr condition(ExprRef e) { return condition(e, true); }

 private:
  // Operands have smaller numbers than what is made of them.
  void find_formulas() {
    for (ExprRef e = first_; e < ast_.exprs.size(); ++e) {
      const ExprNode& n = ast_.expr(e);
      bool some = is_temporal(n.kind) || quantified_spec(n) != kNone;
      ast_.each_operand(n, [&](ExprRef operand) { some = some || is_formula(operand); });
      formulas_.push_back(some);
    }
  }
  [[nodiscard]] bool is_formula(ExprRef e) const {
    return e >= first_ && e - first_ < formulas_.size() && formulas_[e - first_];
  }

  // The specification whose instances a quantifier ranges over; kNone: something else.
  [[nodiscard]] std::uint32_t quantified_spec(const ExprNode& n) const {
    if (n.kind != ExprKind::Forall && n.kind != ExprKind::Exists) return kNone;
    const ExprNode& set = ast_.expr(n.b);
    if (set.kind != ExprKind::Word) return kNone;
    QName name;
    name.simple = name.full = set.a;
    name.at = set.at;
    return program_.resolve_spec(0, name, true);
  }

  Expr condition(ExprRef e, bool positive) {
    const TypedTerm val = elaborator_.typed(scope_, e, Kind::Boolean, "a condition");
    if (!val.a.valid()) return {};
    Expr whole = val.a;
    if (val.def.valid())
      whole = positive ? pool_.conj(val.def, val.a) : pool_.disj(pool_.negate(val.def), val.a);
    return of_instances(whole, e);
  }

  LtlFormula formula(ExprRef e, bool positive) {
    if (!is_formula(e)) {
      const Expr c = condition(e, positive);
      if (!c.valid()) return {};
      return pool_.is_const(c) ? ltl_.constant(pool_.is_true(c)) : ltl_.atom(c);
    }
    const ExprNode n = ast_.expr(e);
    switch (n.kind) {
      case ExprKind::And:
      case ExprKind::Or:
        return junction(n.kind, e, positive);
      case ExprKind::Forall:
      case ExprKind::Exists:
        return quantified(e, positive);
      case ExprKind::Not: {
        const LtlFormula a = formula(n.a, !positive);
        return a.valid() ? ltl_.negation(a) : a;
      }
      case ExprKind::Implies: {
        const LtlFormula a = formula(n.a, !positive);
        const LtlFormula b = formula(n.b, positive);
        return a.valid() && b.valid() ? ltl_.implies(a, b) : LtlFormula();
      }
      case ExprKind::Iff:
        return equivalence(n, positive);
      case ExprKind::Cond: {
        const LtlFormula yes = formula(n.a, true), no = formula(n.a, false);
        const LtlFormula b = formula(n.b, positive), c = formula(n.c, positive);
        if (!yes.valid() || !no.valid() || !b.valid() || !c.valid()) return {};
        return ltl_.either(ltl_.both(yes, b), ltl_.both(ltl_.negation(no), c));
      }
      default:
        break;
    }
    if (is_temporal(n.kind)) return temporal(n, positive);
    elaborator_.value(scope_, e);  // reports what stands where a value is needed
    if (!program_.diagnostics().has_errors())
      program_.diagnostics().report("ltl-002", ast_.span(n.at),
                                    "a part of this is about runs; a value is needed here",
                                    "temporal operators are joined by 'not', '&&', '||', '->', "
                                    "'<->' and by each other only");
    return {};
  }

  // Chains of any length. Conditions side by side are one, read from the left.
  LtlFormula junction(ExprKind kind, ExprRef e, bool positive) {
    std::vector<ExprRef> operands;
    while (ast_.expr(e).kind == kind && is_formula(e)) {
      operands.push_back(ast_.expr(e).b);
      e = ast_.expr(e).a;
    }
    operands.push_back(e);
    std::reverse(operands.begin(), operands.end());
    std::vector<LtlFormula> parts;
    for (const ExprRef operand : operands) {
      parts.push_back(formula(operand, positive));
      if (!parts.back().valid()) return {};
    }
    return kind == ExprKind::And ? ltl_.conjunction(parts) : ltl_.disjunction(parts);
  }

  LtlFormula equivalence(const ExprNode& n, bool positive) {
    const LtlFormula a = formula(n.a, positive), not_a = formula(n.a, !positive);
    const LtlFormula b = formula(n.b, positive), not_b = formula(n.b, !positive);
    if (!a.valid() || !not_a.valid() || !b.valid() || !not_b.valid()) return {};
    return ltl_.either(ltl_.both(a, b), ltl_.both(ltl_.negation(not_a), ltl_.negation(not_b)));
  }

  LtlFormula quantified(ExprRef e, bool positive) {
    const ExprNode n = ast_.expr(e);
    const std::uint32_t spec = quantified_spec(n);
    if (spec == kNone) {
      program_.diagnostics().report("ltl-002", ast_.span(ast_.expr(n.b).at),
                                    "a quantifier with temporal operators ranges over instances",
                                    "as in 'forall a : Account | []<>initialized a'");
      return {};
    }
    QName name;
    name.simple = name.full = ast_.expr(n.b).a;
    name.at = ast_.expr(n.b).at;
    static_cast<void>(program_.resolve_spec(0, name));  // for the index of names
    const auto bound = ast_.bound_at.find(e);
    const Span declared = bound == ast_.bound_at.end() ? Span() : ast_.span(bound->second);
    const MachineId machine = nets_[spec].machine;
    std::vector<LtlFormula> cases;
    const std::vector<InstanceId> instances =
        machine.valid() ? network_.instances_of(universe_, machine) : std::vector<InstanceId>();
    for (const InstanceId instance : instances) {
      scope_.locals.push_back({n.a, instance_value(spec, instance), declared});
      std::vector<LtlFormula> parts;
      for (std::uint32_t i = 0; i < ast_.list_size(n.c); ++i)
        parts.push_back(formula(ast_.list(n.c)[i], positive));
      scope_.locals.pop_back();
      if (std::any_of(parts.begin(), parts.end(), [](LtlFormula f) { return !f.valid(); }))
        return {};
      cases.push_back(ltl_.conjunction(parts));
    }
    return n.kind == ExprKind::Forall ? ltl_.conjunction(cases) : ltl_.disjunction(cases);
  }

  TypedTerm instance_value(std::uint32_t spec, InstanceId instance) {
    TypedTerm val;
    val.type = program_.types().spec(spec);
    const VariableId key = network_.machine(network_.instance(instance).machine).key;
    val.a = key.valid()
                ? pool_.constant(network_.instance(instance).key, network_.variable(key).type)
                : pool_.integer(Integer(0));
    return val;
  }

  LtlFormula temporal(const ExprNode& n, bool positive) {
    const bool infix = n.kind >= ExprKind::Until;
    const LtlFormula a = formula(n.a, positive);
    const LtlFormula b = infix ? formula(n.b, positive) : a;
    if (!a.valid() || !b.valid()) return {};
    for (const auto& [part, at] : {std::pair{a, n.a}, std::pair{b, infix ? n.b : n.a}}) {
      if (!is_past(n.kind) || !ltl_.mentions(part, {LtlOp::Next, LtlOp::Until, LtlOp::Release}))
        continue;
      program_.diagnostics().report(
          "ltl-003", ast_.span(ast_.expr(at).at),
          "an operator that looks back cannot ask what will be",
          "once, historically and since take formulas about present and past");
      return {};
    }
    switch (n.kind) {
      case ExprKind::Always:
        return ltl_.always(a);
      case ExprKind::Eventually:
        return ltl_.eventually(a);
      case ExprKind::NextState:
        return ltl_.next(a);
      case ExprKind::Once:
        return ltl_.once(a);
      case ExprKind::Historically:
        return ltl_.historically(a);
      case ExprKind::Until:
        return ltl_.until(a, b);
      case ExprKind::WeakUntil:
        return ltl_.weak_until(a, b);
      case ExprKind::Release:
        return ltl_.release(a, b);
      default:
        return ltl_.since(a, b);
    }
  }

  // With symbols of instances in place of references by a key that is known.
  Expr of_instances(Expr condition, ExprRef e) {
    bool missing = false;
    Rewriter rewrite(pool_, [&](Expr term, std::span<const Expr> arguments) -> Expr {
      if (pool_.op(term) != Op::Apply) return {};
      const Role role = network_.role(pool_.symbol_of(term));
      if (role.kind != RoleKind::RemoteCurrent && role.kind != RoleKind::RemoteAt &&
          role.kind != RoleKind::Known)
        return {};
      if (!arguments.empty() && !pool_.is_const(arguments[0])) return {};
      const MachineId machine =
          role.kind == RoleKind::RemoteCurrent ? network_.variable(VariableId(role.id)).machine
          : role.kind == RoleKind::RemoteAt    ? network_.location(LocationId(role.id)).machine
                                               : MachineId(role.id);
      const Value key = arguments.empty() ? Value() : pool_.value(arguments[0]);
      const InstanceId instance = network_.find_instance(universe_, machine, key);
      if (role.kind == RoleKind::Known) return pool_.boolean(instance.valid());
      if (!instance.valid()) {
        missing = true;
        return {};
      }
      return pool_.symbol(role.kind == RoleKind::RemoteCurrent
                              ? network_.of_instance(instance, VariableId(role.id))
                              : network_.at_instance(instance, LocationId(role.id)));
    });
    const Expr result = rewrite(condition);
    if (!missing) return result;
    program_.diagnostics().report("ltl-001", ast_.span(ast_.expr(e).at),
                                  "this speaks of an instance that the configuration does not have",
                                  "its description says who exists, for example: "
                                  "one Account with number == 1;");
    return {};
  }

  Program& program_;
  const ModuleAst& ast_;
  Network& network_;
  ExprPool& pool_;
  LtlPool& ltl_;
  Elaborator& elaborator_;
  const std::vector<SpecNet>& nets_;
  UniverseId universe_;
  ExprRef first_;
  std::vector<bool> formulas_;  // by node from `first_` on: temporal, or about all instances
  Scope scope_;
};

}  // namespace

void Translator::runs(const RunsAst& ast) {
  const Setup* setup = setup_named(ast.setup, ast.setup_at);
  program_.symbols().declare(SymbolKind::Property, text(ast.name),
                             program_.module(0).ast.span(ast.name_at));
  if (setup == nullptr) return;
  const UniverseId universe = setup->universe;
  Property property;
  property.universe = universe;
  property.origin = program_.module(0).ast.span(ast.at);
  if (!formula_of(ast, universe, property)) return;
  const std::string name = text(ast.name);
  property.name = unique_name(name);
  if (property.name != name) {
    diagnostics().report("rebel-021", program_.module(0).ast.span(ast.name_at),
                         "property '" + name + "' is declared twice",
                         "give one of them another name");
  }
  frontend::expect_of(property, ast.expected, diagnostics());
  network_->add_property(std::move(property));
}

bool Translator::formula_of(const RunsAst& ast, UniverseId universe, Property& property) {
  FormulaBuilder build(program_, *network_, elaborator_, nets_, universe, ast.first);
  if (ast.recoverable) {
    const Expr e = build.condition(*ast.runs.formula);
    property.kind = PropertyKind::Recoverable;
    property.goal = RecoveryGoal{e};
    return e.valid();
  }
  property.kind = PropertyKind::Ltl;
  auto goal = frontend::run_goal(ast.runs, network_->ltl(), pool_, diagnostics(),
                                 [&](ExprRef e) { return build(e); });
  if (goal) property.goal = std::move(*goal);
  return goal.has_value();
}

void Translator::fairness(const FairAst& ast) {
  const std::uint32_t s = program_.resolve_spec(0, ast.spec);
  if (s == kNone) return;
  const Spec& spec = program_.specs()[s];
  const auto use = spec.use_index.find(ast.event);
  const EventId event = use == spec.use_index.end() || nets_[s].events.empty()
                            ? EventId()
                            : nets_[s].events[use->second];
  if (!event.valid() || !nets_[s].machine.valid()) {
    diagnostics().report(
        "ltl-010", program_.module(0).ast.span(ast.event_at),
        "specification '" + text(spec.name) + "' has no event '" + text(ast.event) + "'",
        "fairness is about the events of a specification");
    return;
  }
  network_->fairness.push_back({ast.strong ? Fairness::Kind::Strong : Fairness::Kind::Weak,
                                nets_[s].machine,
                                {event},
                                text(spec.name) + "." + text(ast.event),
                                program_.module(0).ast.span(ast.at)});
}

}  // namespace whittle::rebel

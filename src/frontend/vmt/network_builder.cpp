// SPDX-License-Identifier: Apache-2.0
#include "frontend/vmt/network_builder.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "expr/traverse.h"
#include "frontend/vmt/notation.h"
#include "ir/notation.h"

namespace whittle::vmt {

namespace {

class Builder {
 public:
  Builder(Script script, const std::string& name, Diagnostics& diagnostics)
      : script_(std::move(script)),
        diagnostics_(diagnostics),
        pool_(*script_.pool),
        network_(std::make_shared<Network>(script_.pool)) {
    network_->name = name;
    network_->language = "vmt";
    network_->notation = make_notation();
    machine_ = network_->add_machine(name, {});
    location_ = network_->add_location("state", machine_, {});
    universe_ = network_->add_universe("the system");
    instance_ = network_->add_instance(universe_, machine_, Value(), name);
  }

  std::shared_ptr<Network> run() {
    for (const Constant& c : script_.constants) names_.insert(pool_.info(c.symbol).name);
    total_division();
    variables();
    std::vector<Expr> init;
    for (const Formula& f : script_.inits) init.push_back(f.term);
    network_->machine(machine_).starts.push_back(
        {"init", location_, pool_.conj(init),
         script_.inits.empty() ? Span{} : script_.inits[0].span});
    steps();
    properties();
    return network_;
  }

 private:
  std::string unique(std::string name) {
    while (!names_.insert(name).second) name += "'";
    return name;
  }

  VariableId add_variable(SymbolId current, SymbolId next, Span span) {
    Variable variable;
    variable.name = pool_.info(current).name;
    variable.type = pool_.info(current).type;
    variable.machine = machine_;
    variable.current = current;
    variable.next = next;
    variable.origin = span;
    return network_->add_variable(std::move(variable));
  }

  // ----- division
  // In SMT-LIB the quotient by zero is some number, the same one whenever the dividend is. So there
  // are arrays, one for each operator, that never change and have these numbers; only where the
  // file does not keep the divisor from being zero itself.
  void total_division() {
    Rewriter rewrite(pool_, [&](Expr e, std::span<const Expr> arguments) -> Expr {
      const Op op = pool_.op(e);
      if (op != Op::IDiv && op != Op::Mod && op != Op::Div) return {};
      const Expr term = pool_.make(op, arguments);
      if (pool_.total(term)) return term;
      const Expr zero = op == Op::Div ? pool_.real(Rational()) : pool_.integer(0);
      return pool_.ite(pool_.eq(arguments[1], zero), pool_.select(by_zero(op), arguments[0]), term);
    });
    const auto make_total = [&](std::vector<Formula>& formulas) {
      for (Formula& f : formulas) {
        if (pool_.is_true(definedness(pool_, f.term))) continue;
        f.term = rewrite(f.term);
      }
    };
    make_total(script_.inits);
    make_total(script_.transitions);
    make_total(script_.invariants);
    for (LiveProperty& property : script_.live) {
      for (Expr& term : property.terms) {
        if (!pool_.is_true(definedness(pool_, term))) term = rewrite(term);
      }
    }
  }

  Expr by_zero(Op op) {
    const auto found = by_zero_.find(op);
    if (found != by_zero_.end()) return found->second;
    const std::string name = unique(op == Op::Div   ? "quotient by 0"
                                    : op == Op::Mod ? "remainder by 0"
                                                    : "integer quotient by 0");
    const Type number = op == Op::Div ? Type::real() : Type::integer();
    const Type type = pool_.array_type(number, number);
    const SymbolId current = pool_.declare(name, type);
    const SymbolId next = pool_.declare(unique(name + ".next"), type);
    constant_.push_back({current, next, {}});
    return by_zero_.emplace(op, pool_.symbol(current)).first->second;
  }

  // ----- state
  void variables() {
    // In the order in which `:next` names them: that is the author's, while constants are often
    // declared in one that says nothing; what heuristics do depends on it (Spacer's above all).
    std::unordered_map<SymbolId, Span> declared;
    for (const Constant& c : script_.constants) declared.emplace(c.symbol, c.span);
    std::unordered_set<SymbolId> placed;
    for (const NextPair& pair : script_.nexts) {
      const auto constant = declared.find(pair.current);
      if (constant != declared.end() && placed.insert(pair.current).second)
        by_next_.emplace(pair.next, add_variable(pair.current, pair.next, constant->second));
    }
    for (const NextPair& pair : script_.nexts) placed.insert(pair.next);
    // Inputs that the first states or a property speak of are seen between steps: they are state
    // that changes as it likes.
    std::vector<Expr> seen_terms;
    for (const Formula& f : script_.inits) seen_terms.push_back(f.term);
    for (const Formula& f : script_.invariants) seen_terms.push_back(f.term);
    for (const LiveProperty& property : script_.live)
      seen_terms.insert(seen_terms.end(), property.terms.begin(), property.terms.end());
    const std::vector<SymbolId> list = symbols(pool_, seen_terms);
    const std::unordered_set<SymbolId> seen(list.begin(), list.end());
    for (const Constant& c : script_.constants) {
      if (placed.contains(c.symbol)) continue;
      if (seen.contains(c.symbol)) {
        const SymbolInfo info = pool_.info(c.symbol);
        const SymbolId next = pool_.declare(unique(info.name + ".next"), info.type);
        by_next_.emplace(next, add_variable(c.symbol, next, c.span));
      } else {
        inputs_.insert(c.symbol);
      }
    }
    for (const NextPair& pair : constant_) {
      by_next_.emplace(pair.next, add_variable(pair.current, pair.next, pair.span));
    }
  }

  // One event that is the relation as written: a condition for each conjunct. A next value that no
  // conjunct mentions is free. Taking it apart is a transformation
  // (simplify/network/relation_steps.h), so that a witness is checked on what the file says.
  void steps() {
    const Span span = script_.transitions.empty() ? Span{} : script_.transitions[0].span;
    const EventId event = network_->add_event("step", machine_, span);
    network_->event(event).arcs.push_back({location_, location_, span});
    std::vector<Expr> formulas;
    for (const Formula& f : script_.transitions) formulas.push_back(f.term);
    const std::vector<SymbolId> mentioned = symbols(pool_, formulas);
    const std::unordered_set<SymbolId> used(mentioned.begin(), mentioned.end());
    for (const Constant& c : script_.constants) {
      if (!inputs_.contains(c.symbol) || !used.contains(c.symbol)) continue;
      const SymbolInfo info = pool_.info(c.symbol);
      network_->add_parameter(event, Parameter{info.name, info.type, c.symbol, c.span});
    }
    for (const Formula& f : script_.transitions) {
      for (const Expr conjunct : conjuncts(pool_, f.term)) add_conjunct(event, conjunct, f.span);
    }
    std::unordered_set<SymbolId> kept;
    for (const NextPair& pair : constant_) {
      kept.insert(pair.next);
      add_conjunct(event, pool_.eq(pool_.symbol(pair.next), pool_.symbol(pair.current)), pair.span);
    }
    for (const VariableId id : network_->machine(machine_).variables) {
      const Variable& variable = network_->variable(id);
      if (kept.contains(variable.next) || used.contains(variable.next)) continue;
      network_->event(event).effects.push_back({EffectKind::Free, {id}, {}, variable.origin});
    }
  }

  void add_conjunct(EventId event, Expr conjunct, Span formula) {
    const Span* place = script_.places.find(conjunct);
    const Span span = place == nullptr ? formula : *place;
    std::vector<VariableId> writes;
    for (const SymbolId symbol : symbols(pool_, conjunct)) {
      const auto next = by_next_.find(symbol);
      if (next != by_next_.end()) writes.push_back(next->second);
    }
    if (writes.empty()) {
      network_->event(event).guards.push_back({conjunct, span});
    } else {
      network_->event(event).effects.push_back(
          {EffectKind::Relation, std::move(writes), conjunct, span});
    }
  }

  void properties() {
    Substitution at_instance(pool_);
    for (const VariableId id : network_->machine(machine_).variables) {
      at_instance.set(network_->variable(id).current,
                      pool_.symbol(network_->of_instance(instance_, id)));
    }
    std::size_t invariants = 0;
    std::size_t live = 0;
    for (const bool of_runs : script_.order) {
      Property property;
      property.universe = universe_;
      if (of_runs) {
        if (!about_runs(script_.live[live++], at_instance, property)) continue;
      } else {
        // One that was refused is gone; then there are errors, and nobody looks at the rest.
        if (invariants == script_.invariants.size()) continue;
        const Formula& f = script_.invariants[invariants++];
        property.name = f.name;
        property.kind = PropertyKind::Invariant;
        property.set_condition(at_instance(f.term));
        property.origin = f.span;
        property.expected = f.expected;
      }
      network_->add_property(std::move(property));
    }
  }

  // Runs are infinite in VMT-LIB: one that ends shows nothing. False: it was reported that the
  // property makes no sense.
  bool about_runs(const LiveProperty& written, Substitution& at_instance, Property& property) {
    LtlPool& ltl = network_->ltl();
    std::vector<LtlFormula> parts;
    for (const Expr term : written.terms) {
      const LtlFormula f = script_.temporal->formula(ltl, pool_, at_instance(term));
      if (!f.valid()) {
        diagnostics_.report("ltl-002", written.span,
                            "an operator of temporal logic where a value is needed",
                            "they are joined by not, and, or, =>, =, ite and by each other only");
        return false;
      }
      const bool live = written.kind == LiveProperty::Kind::Live;
      parts.push_back(live ? ltl.eventually(ltl.always(f)) : f);
    }
    RunGoal goal;
    goal.formula = ltl.disjunction(parts);
    goal.text = written.text;
    goal.assumption = ltl.always(ltl.negation(ltl.atom(pool_.symbol(network_->halt()))));
    goal.assuming = "[]!halt";
    property.name = written.name;
    property.kind = PropertyKind::Ltl;
    property.goal = std::move(goal);
    property.origin = written.span;
    property.expected = written.expected;
    return true;
  }

  Script script_;
  Diagnostics& diagnostics_;
  ExprPool& pool_;
  std::shared_ptr<Network> network_;
  MachineId machine_;
  LocationId location_;
  UniverseId universe_;
  InstanceId instance_;
  std::unordered_set<std::string> names_;
  std::unordered_map<Op, Expr> by_zero_;
  std::vector<NextPair> constant_;  // the arrays of by_zero_
  std::unordered_map<SymbolId, VariableId> by_next_;
  std::unordered_set<SymbolId> inputs_;
};

}  // namespace

std::shared_ptr<Network> build_network(Script script, const std::string& name,
                                       Diagnostics& diagnostics) {
  return Builder(std::move(script), name, diagnostics).run();
}

}  // namespace whittle::vmt

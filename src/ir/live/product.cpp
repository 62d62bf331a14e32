// SPDX-License-Identifier: Apache-2.0
#include "ir/live/product.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/checkpoint.h"
#include "base/error.h"
#include "expr/contradiction.h"
#include "expr/traverse.h"

namespace whittle {

namespace {

class ProductBack final : public FlatBackTranslation {
 public:
  ProductBack(std::shared_ptr<ExprPool> pool, std::size_t variables, std::vector<SymbolId> added,
              std::vector<std::uint32_t> transition)
      : pool_(std::move(pool)),
        variables_(variables),
        added_(added.begin(), added.end()),
        transition_(std::move(transition)) {}

  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const override {
    FlatTrace result = trace;
    result.initial.resize(variables_);
    for (FlatStep& step : result.steps) step.transition = transition_.at(step.transition);
    return result;
  }
  [[nodiscard]] Expr condition(Expr condition) const override {
    for (SymbolId symbol : symbols(*pool_, condition)) {
      if (added_.contains(symbol)) return {};
    }
    return condition;
  }
  [[nodiscard]] Expr forward(Expr condition) const override { return condition; }

 private:
  std::shared_ptr<ExprPool> pool_;
  std::size_t variables_;  // of the input
  std::unordered_set<SymbolId> added_;
  std::vector<std::uint32_t> transition_;  // of the input, by that of the product
};

class Product {
 public:
  Product(const TransitionSystem& system, const LiveFormula& formula, const AtStep& at_step)
      : system_(system), formula_(formula), at_step_(at_step), pool_(*system.pool) {}

  FlatTransformed operator()() {
    WHITTLE_REQUIRE(system_.acceptance.has_value(), "a live question");
    result_ = system_;
    result_.transitions.clear();
    result_.alike.clear();
    add_variables();
    marked_.resize(formula_.automaton.acceptance);
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) multiply(t);
    ask();
    return {std::move(result_),
            std::make_shared<ProductBack>(system_.pool, system_.variables.size(), added_,
                                          std::move(transition_))};
  }

 private:
  void add_variables() {
    state_ = static_cast<std::uint32_t>(result_.variables.size());
    for (const StateVariable& variable : formula_.variables) {
      added_.push_back(variable.current);
      added_.push_back(variable.next);
      result_.variables.push_back(variable);
    }
    std::vector<Expr> init = {system_.init, is(formula_.automaton.initial)};
    for (const HistoryVariable& h : formula_.history) {
      const Expr now = pool_.symbol(h.symbol);
      init.push_back(h.first ? now : pool_.negate(now));
    }
    result_.init = pool_.conj(init);
  }
  [[nodiscard]] Expr value(std::uint32_t q) const {
    return pool_.constant(Value(EnumValue{q}), result_.variables[state_].type);
  }
  [[nodiscard]] Expr is(std::uint32_t q) const {
    return pool_.eq(pool_.symbol(result_.variables[state_].current), value(q));
  }

  void multiply(std::uint32_t t) {
    checkpoint();
    const Automaton& automaton = formula_.automaton;
    std::vector<Expr> letter;
    for (Expr atom : automaton.atoms) letter.push_back(at_step_(atom, t));
    Transition step = system_.transitions[t];
    for (std::size_t i = 0; i < formula_.history.size(); ++i) {
      step.updates.push_back(
          {state_ + 1 + static_cast<std::uint32_t>(i), at_step_(formula_.history[i].next, t)});
    }
    const std::vector<Expr> guard = conjuncts(pool_, step.guard);
    for (std::uint32_t q = 0; q < automaton.size(); ++q) {
      for (const Automaton::Edge& edge : automaton.edges[q]) {
        std::vector<Expr> reads = {is(q)};
        for (std::uint32_t literal : edge.cube) {
          const Expr atom = letter[literal / 2];
          reads.push_back(literal % 2 == 0 ? atom : pool_.negate(atom));
        }
        reads.insert(reads.end(), guard.begin(), guard.end());
        Transition taken = step;
        taken.guard = pool_.conj(reads);
        if (pool_.is_false(taken.guard)) continue;
        if (!contradiction(pool_, conjuncts(pool_, taken.guard)).empty()) continue;
        if (edge.target != q) taken.updates.push_back({state_, value(edge.target)});
        add(t, std::move(taken), edge.marks);
      }
    }
  }
  void add(std::uint32_t t, Transition taken, const NumberSet& marks) {
    const auto index = static_cast<std::uint32_t>(result_.transitions.size());
    if (index == kMostProductTransitions) {
      throw ResourceError(
          fmt::format("the product of the model and the formula has more than {} "
                      "transitions",
                      kMostProductTransitions));
    }
    transition_.push_back(t);
    for (std::uint32_t set : marks) marked_[set].push_back(index);
    result_.transitions.push_back(std::move(taken));
  }

  // The transitions of the product that stand for these, ascending.
  [[nodiscard]] std::vector<std::uint32_t> of(const std::vector<std::uint32_t>& transitions) const {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < transition_.size(); ++i) {
      if (std::binary_search(transitions.begin(), transitions.end(), transition_[i]))
        result.push_back(i);
    }
    return result;
  }

  void ask() {
    if (formula_.sinks) {
      // Every finite run goes on as a fair one, so fairness plays no part.
      result_.acceptance.reset();
      result_.strong.clear();
      std::vector<Expr> there;
      for (std::uint32_t q : *formula_.sinks) there.push_back(is(q));
      result_.goal = {pool_.disj(there), {}};
      return;
    }
    for (AcceptanceSet& set : *result_.acceptance) set.transitions = of(set.transitions);
    for (StrongFairness& unit : result_.strong) unit.transitions = of(unit.transitions);
    for (std::size_t i = 0; i < marked_.size(); ++i) {
      result_.acceptance->push_back(
          {pool_.boolean(false), std::move(marked_[i]), fmt::format("formula {}", i + 1)});
    }
  }

  const TransitionSystem& system_;
  const LiveFormula& formula_;
  const AtStep& at_step_;
  ExprPool& pool_;
  TransitionSystem result_;
  std::uint32_t state_ = 0;  // the variable of the automaton
  std::vector<SymbolId> added_;
  std::vector<std::uint32_t> transition_;
  std::vector<std::vector<std::uint32_t>> marked_;  // by acceptance set of the automaton
};

}  // namespace

LiveFormula live_formula(ExprPool& pool, Automaton automaton, std::vector<HistoryVariable> history,
                         std::optional<std::vector<std::uint32_t>> sinks) {
  LiveFormula result{std::move(automaton), std::move(history), std::move(sinks), {}};
  std::vector<std::string> names;
  for (std::size_t q = 0; q < result.automaton.size(); ++q) names.push_back(fmt::format("q{}", q));
  const Type type = pool.enum_type("automaton@", names);
  result.variables.push_back({"automaton@", type, pool.declare("automaton@", type),
                              pool.declare("automaton@'", type), true});
  for (const HistoryVariable& h : result.history) {
    const std::string name = pool.info(h.symbol).name;
    result.variables.push_back(
        {name, Type::boolean(), h.symbol, pool.declare(name + "'", Type::boolean()), false});
  }
  return result;
}

FlatTransformed live_product(const TransitionSystem& system, const LiveFormula& formula,
                             const AtStep& at_step) {
  return Product(system, formula, at_step)();
}

}  // namespace whittle

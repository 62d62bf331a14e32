// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/strong_fairness.h"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

class NeverBack final : public FlatBackTranslation {
 public:
  NeverBack(std::shared_ptr<ExprPool> pool, std::size_t variables, std::size_t added_inputs,
            std::unordered_set<SymbolId> added)
      : pool_(std::move(pool)),
        variables_(variables),
        added_inputs_(added_inputs),
        added_(std::move(added)) {}

  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const override {
    FlatTrace result = trace;
    result.initial.resize(variables_);
    for (FlatStep& step : result.steps) step.inputs.resize(step.inputs.size() - added_inputs_);
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
  std::size_t variables_;
  std::size_t added_inputs_;  // of each transition, at the end
  std::unordered_set<SymbolId> added_;
};

}  // namespace

std::optional<FlatTransformed> strong_fairness_as_sets(const TransitionSystem& system) {
  if (system.strong.empty() || !system.acceptance) return std::nullopt;
  TransitionSystem result = system;
  ExprPool& pool = *result.pool;
  std::unordered_set<SymbolId> added;
  std::vector<Expr> init = {system.init};
  for (const StrongFairness& unit : system.strong) {
    const auto index = static_cast<std::uint32_t>(result.variables.size());
    const std::string name = fmt::format("never {}", unit.name);
    const StateVariable never = {name, Type::boolean(), pool.declare(name, Type::boolean()),
                                 pool.declare(name + "'", Type::boolean()), false};
    const SymbolId set = pool.declare("set " + name, Type::boolean());
    added.insert({never.current, never.next, set});
    const Expr now = pool.symbol(never.current);
    init.push_back(pool.negate(now));
    for (Transition& t : result.transitions) {
      t.inputs.push_back(set);
      t.guard = pool.conj(t.guard, pool.disj(pool.negate(now), pool.negate(unit.enabled)));
      t.updates.push_back({index, pool.disj(now, pool.symbol(set))});
    }
    result.acceptance->push_back({now, unit.transitions, unit.name});
    result.variables.push_back(never);
  }
  result.init = pool.conj(init);
  result.strong.clear();
  auto back = std::make_shared<NeverBack>(system.pool, system.variables.size(),
                                          system.strong.size(), std::move(added));
  return FlatTransformed{std::move(result), std::move(back)};
}

}  // namespace whittle::simplify

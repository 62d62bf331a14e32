// SPDX-License-Identifier: Apache-2.0
// A run is executed block by block: the values of inputs and choices say which way it goes. An
// invariant of cut points is completed backwards through each block:
//
//   Inv(L) = for all edges L -> M and values of inputs: conditions imply Inv(M) after the edge
#include "simplify/flat/block_inverse.h"

#include <unordered_map>
#include <utility>

#include "expr/case_lifting.h"
#include "expr/evaluate.h"
#include "expr/traverse.h"
#include "smt/elimination/for_all.h"

namespace whittle::simplify {

namespace {

constexpr std::uint64_t kMostSteps = 1'000'000;
constexpr std::chrono::milliseconds kCompletionTime{3'000};

class BlocksBack final : public FlatBackTranslation {
 public:
  BlocksBack(std::shared_ptr<const TransitionSystem> original, BlockGraph graph,
             std::vector<std::vector<SymbolId>> inputs, const smt::Limits& limits)
      : original_(std::move(original)),
        graph_(std::move(graph)),
        inputs_(std::move(inputs)),
        limits_(limits) {}

  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const override;
  [[nodiscard]] Expr condition(Expr condition) const override;
  [[nodiscard]] Expr forward(Expr condition) const override { return condition; }

 private:
  using Values = std::unordered_map<SymbolId, Value>;

  [[nodiscard]] std::optional<std::uint32_t> way_on(std::uint32_t location, const Values& now,
                                                    Evaluator& evaluate) const;
  bool walk_block(FlatTrace& result, std::vector<Value>& state, const FlatStep& block,
                  Evaluator& evaluate) const;
  void take(FlatTrace& result, std::vector<Value>& state, const BlockEdge& edge, const Values& now,
            Evaluator& evaluate) const;
  [[nodiscard]] Expr before(const BlockEdge& edge, Expr after) const;

  std::shared_ptr<const TransitionSystem> original_;
  BlockGraph graph_;
  std::vector<std::vector<SymbolId>> inputs_;  // by block
  smt::Limits limits_;
};

Value value_in(const ExprPool& pool, Evaluator& evaluate, Expr term,
               const std::unordered_map<SymbolId, Value>& now) {
  const auto found = evaluate(term, [&](SymbolId symbol, std::span<const Value>) {
    const auto known = now.find(symbol);
    // What a block does not mention makes no difference.
    return std::optional(known != now.end() ? known->second
                                            : pool.default_value(pool.info(symbol).type));
  });
  return found ? *found : pool.default_value(pool.type(term));
}

std::optional<std::uint32_t> BlocksBack::way_on(std::uint32_t location, const Values& now,
                                                Evaluator& evaluate) const {
  ExprPool& pool = *original_->pool;
  for (const std::uint32_t e : graph_.out(location)) {
    const BlockEdge& edge = graph_.edges()[e];
    bool taken = true;
    for (const auto& [choice, value] : edge.chosen)
      taken = taken && value_in(pool, evaluate, pool.symbol(choice), now).as_bool() == value;
    for (const Expr condition : edge.conditions)
      taken = taken && value_in(pool, evaluate, condition, now).as_bool();
    if (taken) return e;
  }
  return std::nullopt;
}

void BlocksBack::take(FlatTrace& result, std::vector<Value>& state, const BlockEdge& edge,
                      const Values& now, Evaluator& evaluate) const {
  const ExprPool& pool = *original_->pool;
  const Transition& transition = original_->transitions[edge.transition];
  const auto input = [&](SymbolId symbol) {
    const auto known = now.find(symbol);
    return known != now.end() ? known->second : pool.default_value(pool.info(symbol).type);
  };
  FlatStep step;
  step.transition = edge.transition;
  std::size_t next = 0;
  while (next < transition.inputs.size()) step.inputs.push_back(input(edge.inputs[next++]));
  for (const std::uint32_t v : transition.open)
    step.open.emplace_back(v, input(edge.inputs[next++]));
  std::vector<Value> after = state;
  for (const Update& update : edge.updates)
    after[update.variable] = value_in(pool, evaluate, update.value, now);
  after[graph_.variable()] = Value(EnumValue{edge.to});
  state = std::move(after);
  if (!result.steps.empty() && result.steps.back().transition == step.transition &&
      result.steps.back().inputs == step.inputs && result.steps.back().open == step.open) {
    ++result.steps.back().times;
  } else {
    result.steps.push_back(std::move(step));
  }
}

bool BlocksBack::walk_block(FlatTrace& result, std::vector<Value>& state, const FlatStep& block,
                            Evaluator& evaluate) const {
  const std::vector<SymbolId>& inputs = inputs_[block.transition];
  Values now;
  for (std::size_t i = 0; i < inputs.size(); ++i) now[inputs[i]] = block.inputs[i];
  while (true) {
    const std::uint32_t location = state[graph_.variable()].as_enum().index;
    for (std::size_t v = 0; v < state.size(); ++v) now[original_->variables[v].current] = state[v];
    const auto e = way_on(location, now, evaluate);
    if (!e) return false;
    take(result, state, graph_.edges()[*e], now, evaluate);
    if (graph_.is_cut(graph_.edges()[*e].to)) return true;
  }
}

Expected<FlatTrace, Reason> BlocksBack::trace(const FlatTrace& trace) const {
  FlatTrace result;
  result.initial = trace.initial;
  result.goal_inputs = trace.goal_inputs;
  std::vector<Value> state = trace.initial;
  Evaluator evaluate(*original_->pool);
  std::uint64_t steps = 0;
  for (const FlatStep& block : trace.steps) {
    for (std::uint64_t n = 0; n < block.times; ++n) {
      if (++steps > kMostSteps)
        return Unexpected{Reason{Reason::Kind::Incomplete, "the run has very many blocks"}};
      if (!walk_block(result, state, block, evaluate))
        return Unexpected{Reason{Reason::Kind::Incomplete, "a block has no run"}};
    }
  }
  return result;
}

// Invalid: the inputs cannot be eliminated.
Expr BlocksBack::before(const BlockEdge& edge, Expr after) const {
  ExprPool& pool = *original_->pool;
  Substitution then(pool);
  for (const Update& update : edge.updates)
    then.set(original_->variables[update.variable].current, update.value);
  CaseLifting lifted(pool);
  const Expr holds = edge.updates.empty() ? after : lifted(then(after));
  if (pool.is_true(holds)) return holds;
  const Expr condition = pool.implies(pool.conj(edge.conditions), holds);
  if (edge.inputs.empty()) return condition;
  smt::Limits limits = limits_;
  limits.deadline = limits.deadline.earlier(Deadline::after(kCompletionTime));
  return smt::holds_for_all(pool, condition, edge.inputs, limits).value_or(Expr());
}

Expr BlocksBack::condition(Expr condition) const {
  ExprPool& pool = *original_->pool;
  const StateVariable& variable = original_->variables[graph_.variable()];
  std::vector<Expr> at(graph_.size(), pool.boolean(false));
  std::vector<Expr> parts;
  // Steps to where no goal is ahead are no part of any block: anything may hold there.
  for (std::uint32_t l = 0; l < graph_.size(); ++l)
    if (!graph_.leads_on(l)) at[l] = pool.boolean(true);
  for (auto l = graph_.order().rbegin(); l != graph_.order().rend(); ++l) {
    if (!graph_.is_cut(*l) || !graph_.leads_on(*l)) continue;
    Substitution here(pool);
    here.set(variable.current, pool.constant(Value(EnumValue{*l}), variable.type));
    at[*l] = here(condition);
  }
  for (auto l = graph_.order().rbegin(); l != graph_.order().rend(); ++l) {
    // What comes after it is a cut, or was worked out before.
    if (graph_.is_cut(*l) || !graph_.leads_on(*l)) continue;
    std::vector<Expr> ways;
    for (const std::uint32_t e : graph_.out(*l)) {
      const BlockEdge& edge = graph_.edges()[e];
      ways.push_back(before(edge, at[edge.to]));
      if (!ways.back().valid()) return {};
    }
    at[*l] = pool.conj(ways);
  }
  for (std::uint32_t l = 0; l < graph_.size(); ++l)
    parts.push_back(pool.implies(graph_.at(l), at[l]));
  return pool.conj(parts);
}

}  // namespace

std::shared_ptr<const FlatBackTranslation> block_inverse(
    std::shared_ptr<const TransitionSystem> original, BlockGraph graph,
    std::vector<std::vector<SymbolId>> inputs, const smt::Limits& limits) {
  return std::make_shared<BlocksBack>(std::move(original), std::move(graph), std::move(inputs),
                                      limits);
}

}  // namespace whittle::simplify

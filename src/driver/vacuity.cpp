// SPDX-License-Identifier: Apache-2.0
#include "driver/vacuity.h"

#include <fmt/format.h>

#include <chrono>

#include "base/checkpoint.h"
#include "expr/traverse.h"
#include "ir/ltl.h"
#include "ir/notation.h"

namespace whittle {

namespace {

constexpr std::chrono::milliseconds kQuickly{1000};
constexpr std::size_t kMostQuestions = 4;

// The left sides of the implications that a demand consists of.
std::vector<Expr> left_sides(const ExprPool& pool, Expr condition) {
  std::vector<Expr> result;
  for (const Expr part : conjuncts(pool, condition)) {
    if (pool.op(part) == Op::Implies && !pool.is_const(pool.child(part, 0)))
      result.push_back(pool.child(part, 0));
  }
  return result;
}

class Further {
 public:
  Further(const PropertyResult& result, DecideContext& context)
      : result_(result), context_(context), network_(std::make_shared<Network>(*result.network)) {}

  // No run satisfies the assumption of a property of runs.
  [[nodiscard]] bool no_run_satisfies(LtlFormula assumption) {
    Property question = result_.question();
    question.name += " (assumption)";
    question.expected.reset();
    RunGoal goal;
    goal.formula = network_->ltl().negation(assumption);
    question.goal = std::move(goal);
    const PropertyResult found = asked(std::move(question));
    return found.verdict.kind() == VerdictKind::Holds && found.verdict.witness.checked;
  }

  // No run reaches such a state.
  [[nodiscard]] bool never(Expr condition, std::optional<std::uint64_t> within) {
    Property question;
    question.name = result_.question().name + " (left side)";
    question.kind = PropertyKind::Reach;
    question.demand = false;
    question.universe = result_.question().universe;
    question.incomplete = result_.question().incomplete;
    question.bound.max = within;
    question.set_condition(condition);
    const PropertyResult found = asked(std::move(question));
    return found.verdict.known() && found.verdict.no_trace() != nullptr &&
           found.verdict.witness.checked && found.verdict.bound() == within;
  }

 private:
  PropertyResult asked(Property question) {
    const PropertyId id = network_->add_property(std::move(question));
    DecideContext own{context_.options,  context_.deadline.earlier(Deadline::after(kQuickly)),
                      context_.cancel,   context_.log,
                      context_.progress, context_.jobs};
    own.engine = context_.engine;
    own.hints = context_.hints;
    return decide(result_.file, network_, id, own);
  }

  const PropertyResult& result_;
  DecideContext& context_;
  std::shared_ptr<Network> network_;
};

// Of a property of runs that holds.
std::vector<std::string> of_runs(const PropertyResult& result, DecideContext& context) {
  const auto& asked = result.question().as<RunGoal>();
  const Verdict& verdict = result.verdict;
  if (verdict.live && verdict.live->edges == 0)
    return {"it is true of every run there could be, whatever the model does [ltl-007]"};
  if (!asked.assumption.valid()) return {};
  try {
    if (!Further(result, context).no_run_satisfies(asked.assumption)) return {};
  } catch (const LimitReached&) {
    return {};  // there was no time to find out
  }
  if (traits_of(*result.network).one_relation) return {"no infinite run"};
  return {fmt::format("no run satisfies `{}`, so nothing was tested [ltl-009]", asked.assuming)};
}

}  // namespace

std::vector<std::string> vacuity(const PropertyResult& result, DecideContext& context) {
  const Property& property = result.question();
  const Verdict& verdict = result.verdict;
  if (property.kind == PropertyKind::Ltl) {
    if (!verdict.known() || verdict.no_trace() == nullptr) return {};
    return of_runs(result, context);
  }
  const bool demand =
      property.kind == PropertyKind::Invariant || property.kind == PropertyKind::Constraint;
  if (!demand || !verdict.known() || verdict.no_trace() == nullptr) return {};
  const ExprPool& pool = result.network->pool();
  const Expr condition = property.condition();
  if (pool.is_true(condition) || (verdict.invariant().valid() && pool.is_true(verdict.invariant())))
    return {"it is true in every state there could be, whatever the model does"};
  std::vector<Expr> sides = left_sides(pool, condition);
  if (property.kind == PropertyKind::Constraint || sides.size() > kMostQuestions) sides.clear();
  std::vector<std::string> notes;
  try {
    Further further(result, context);
    if (further.never(result.network->pool().boolean(true), 0))
      return {"there is no first state: nothing ever happens"};
    for (const Expr side : sides) {
      if (!further.never(side, property.bound.max)) continue;
      const std::string text = result.network->notation
                                   ? result.network->notation->condition(*result.network, side)
                                   : std::string("the left side");
      notes.push_back(
          fmt::format("`{}` never happens, so what follows from it was not tested", text));
    }
  } catch (const LimitReached&) {
    // There was no time to find out.
  }
  return notes;
}

}  // namespace whittle

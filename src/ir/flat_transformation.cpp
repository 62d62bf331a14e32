// SPDX-License-Identifier: Apache-2.0
#include "ir/flat_transformation.h"

#include <algorithm>
#include <utility>

#include "expr/traverse.h"

namespace whittle {

FlatPipeline::FlatPipeline(const TransitionSystem& system,
                           const std::vector<FlatTransformation>& stages)
    : original_(&system) {
  for (const FlatTransformation& stage : stages) apply(stage);
}

bool FlatPipeline::apply(const FlatTransformation& stage) {
  std::optional<FlatTransformed> next = stage(system());
  if (!next) return false;
  // Hints are beliefs: one that cannot be said of the result is none of its hints.
  std::vector<Expr> hints;
  for (const Expr hint : next->system.hints) {
    const Expr forward = next->back->forward(hint);
    if (forward.valid()) hints.push_back(forward);
  }
  next->system.hints = std::move(hints);
  // What lies between is needed for its inverse only.
  if (!stages_.empty()) stages_.back().system = {};
  stages_.push_back(std::move(*next));
  return true;
}

FlatPrecision FlatPipeline::precision() const {
  const bool exact = std::all_of(stages_.begin(), stages_.end(), [](const auto& stage) {
    return stage.precision == FlatPrecision::Exact;
  });
  return exact ? FlatPrecision::Exact : FlatPrecision::OverApproximates;
}

FlatSteps FlatPipeline::steps() const {
  const bool single = std::all_of(stages_.begin(), stages_.end(), [](const auto& stage) {
    return stage.steps == FlatSteps::OneToOne;
  });
  return single ? FlatSteps::OneToOne : FlatSteps::OneToMany;
}

Expected<FlatTrace, Reason> FlatPipeline::trace(const FlatTrace& trace) const {
  if (precision() != FlatPrecision::Exact) {
    return Unexpected{Reason{Reason::Kind::Incomplete, "a run of an over-approximation"}};
  }
  FlatTrace result = trace;
  for (auto stage = stages_.rbegin(); stage != stages_.rend(); ++stage) {
    auto before = stage->back->trace(result);
    if (!before) return before;
    result = std::move(*before);
  }
  if (trace.region) {
    result.region = trace.region;
    if (!lift(*result.region))
      return Unexpected{Reason{Reason::Kind::Incomplete, "a region that cannot be said"}};
  }
  return result;
}

bool FlatPipeline::lift(FlatRegion& region) const {
  region.condition = condition(region.condition);
  bool said = region.condition.valid();
  for (FlatRegion::Step& step : region.steps) {
    for (auto* values : {&step.inputs, &step.open}) {
      for (Expr& value : *values) {
        value = term(value);
        said = said && value.valid();
      }
    }
  }
  return said;
}

// Of a condition that compares the term with a symbol that nobody knows.
Expr FlatPipeline::term(Expr term) const {
  ExprPool& pool = *original_->pool;
  if (stages_.empty() || pool.is_const(term)) return term;
  if (pool.type(term) == Type::boolean()) return condition(term);
  const Expr unknown = pool.symbol(pool.declare("unknown", pool.type(term)));
  const Expr equation = pool.eq(term, unknown);
  if (pool.op(equation) != Op::Eq) return {};
  const Expr lifted = condition(equation);
  if (!lifted.valid()) return {};
  // What is added to it, as that the system is somewhere, does not mention the symbol.
  std::vector<Expr> found;
  for_each_subterm(pool, lifted, [&](Expr e) {
    if (pool.op(e) != Op::Eq) return;
    for (const std::size_t side : {0, 1})
      if (pool.child(e, side) == unknown) found.push_back(pool.child(e, 1 - side));
  });
  return found.size() == 1 ? found[0] : Expr();
}

Expr FlatPipeline::condition(Expr condition) const {
  for (auto stage = stages_.rbegin(); stage != stages_.rend() && condition.valid(); ++stage)
    condition = stage->back->condition(condition);
  return condition;
}

Expr FlatPipeline::forward(Expr condition) const {
  for (auto stage = stages_.begin(); stage != stages_.end() && condition.valid(); ++stage)
    condition = stage->back->forward(condition);
  return condition;
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "driver/vacuity.h"

#include <fmt/format.h>

#include <chrono>

#include "base/checkpoint.h"
#include "expr/traverse.h"
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
    const PropertyId id = network_->add_property(std::move(question));
    DecideContext own{context_.options,  context_.deadline.earlier(Deadline::after(kQuickly)),
                      context_.cancel,   context_.log,
                      context_.progress, context_.jobs};
    own.engine = context_.engine;
    own.hints = context_.hints;
    const PropertyResult found = decide(result_.file, network_, id, own);
    return found.verdict.known() && found.verdict.no_trace() != nullptr &&
           found.verdict.witness.checked && found.verdict.bound() == within;
  }

 private:
  const PropertyResult& result_;
  DecideContext& context_;
  std::shared_ptr<Network> network_;
};

}  // namespace

std::vector<std::string> vacuity(const PropertyResult& result, DecideContext& context) {
  const Property& property = result.question();
  const Verdict& verdict = result.verdict;
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

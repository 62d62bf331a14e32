// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/strengthened.h"

namespace whittle::simplify {

namespace {

class LemmaBack final : public FlatBackTranslation {
 public:
  LemmaBack(std::shared_ptr<ExprPool> pool, Expr lemma) : pool_(std::move(pool)), lemma_(lemma) {}

  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const override {
    return trace;
  }
  [[nodiscard]] Expr condition(Expr condition) const override {
    return pool_->conj(lemma_, condition);
  }
  [[nodiscard]] Expr forward(Expr condition) const override {
    return pool_->conj(lemma_, condition);
  }

 private:
  std::shared_ptr<ExprPool> pool_;
  Expr lemma_;
};

}  // namespace

FlatTransformed strengthened(const TransitionSystem& system, Expr lemma) {
  ExprPool& pool = *system.pool;
  TransitionSystem result = system;
  result.hints.clear();
  result.goal.condition = pool.conj(lemma, result.goal.condition);
  for (Transition& transition : result.transitions)
    transition.guard = pool.conj(lemma, transition.guard);
  return {std::move(result), std::make_shared<LemmaBack>(system.pool, lemma)};
}

}  // namespace whittle::simplify

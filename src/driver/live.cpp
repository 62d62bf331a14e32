// SPDX-License-Identifier: Apache-2.0
#include "driver/live.h"

#include "ir/live/formula.h"
#include "ir/ltl.h"
#include "ltl/components.h"
#include "ltl/past.h"
#include "ltl/translate.h"

namespace whittle {

LiveQuestion live_question(Network& network, PropertyId id, const Lowered& lowered, bool prefixes) {
  LtlPool& ltl = network.ltl();
  ExprPool& pool = network.pool();
  const Property& property = network.property(id);
  const auto& asked = property.as<RunGoal>();
  LiveQuestion result;
  result.refuting =
      with_atoms(ltl, refuting(ltl, pool, asked.formula, asked.assumption),
                 [&](Expr condition) { return lowered.back->flat_condition(condition); });
  ltl::WithoutPast now = ltl::without_past(ltl, pool, result.refuting);
  ltl::Translation translation = ltl::translated(ltl, now.formula);
  result.certificate = std::move(translation.certificate);
  result.strength = translation.strength;
  // With a bound on states a lasso is asked for, which no prefix is.
  std::optional<std::vector<std::uint32_t>> sinks;
  if (translation.strength == AutomatonStrength::Terminal && prefixes && !property.bound.max) {
    const ltl::Components parts = ltl::components(translation.automaton);
    sinks.emplace();
    for (std::uint32_t q = 0; q < translation.automaton.size(); ++q) {
      if (parts.accepting[parts.of[q]]) sinks->push_back(q);
    }
  }
  result.formula = live_formula(pool, std::move(translation.automaton), std::move(now.history),
                                std::move(sinks));
  return result;
}

AtStep at_step(const Lowered& lowered) {
  return [back = lowered.back](Expr condition, std::uint32_t transition) {
    return back->at_step(condition, transition);
  };
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "driver/live.h"

#include "ir/live/formula.h"
#include "ir/ltl.h"
#include "ltl/components.h"
#include "ltl/past.h"
#include "ltl/translate.h"

namespace whittle {

LiveQuestion live_question(Network& network, PropertyId id, const Lowered& lowered) {
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
  result.formula = {std::move(translation.automaton), std::move(now.history), std::nullopt};
  result.certificate = std::move(translation.certificate);
  result.strength = translation.strength;
  // With a bound on states a lasso is asked for, which no prefix is.
  if (result.strength == AutomatonStrength::Terminal && !property.bound.max) {
    const ltl::Components parts = ltl::components(result.formula.automaton);
    auto& sinks = result.formula.sinks.emplace();
    for (std::uint32_t q = 0; q < result.formula.automaton.size(); ++q) {
      if (parts.accepting[parts.of[q]]) sinks.push_back(q);
    }
  }
  return result;
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "engine/concrete/reduced_steps.h"

#include <algorithm>

#include "expr/traverse.h"

namespace whittle {

namespace {

std::vector<char> marked(const TransitionSystem& flat, const ThreadLocations& at) {
  const Type type = flat.variables[at.thread].type;
  std::vector<char> there(flat.pool->info(type).values.size(), 0);
  for (std::uint32_t location : at.locations) there[location] = 1;
  return there;
}

bool starts_at(const TransitionSystem& flat, const Transition& transition, std::uint32_t thread,
               std::uint32_t location) {
  ExprPool& pool = *flat.pool;
  const StateVariable& variable = flat.variables[thread];
  const Expr there = pool.eq(pool.symbol(variable.current),
                             pool.constant(Value(EnumValue{location}), variable.type));
  const std::vector<Expr> all = conjuncts(pool, transition.guard);
  return std::find(all.begin(), all.end(), there) != all.end();
}

}  // namespace

ReducedSteps::ReducedSteps(const TransitionSystem& flat, WordSystem& system,
                           const StateReduction& reduction)
    : system_(system) {
  for (const DeadValue& dead : reduction.dead) {
    dead_.push_back({system.place(dead.at.thread), marked(flat, dead.at),
                     system.place(dead.variable), system.words_of(dead.variable)});
  }
  for (const AmpleLocation& ample : reduction.ample) {
    Ample& one = ample_.emplace_back(Ample{system.place(ample.thread), ample.location, {}, {}});
    for (const ThreadLocations& at : ample.unless)
      one.unless.push_back({system.place(at.thread), marked(flat, at)});
    for (std::uint32_t t = 0; t < flat.transitions.size(); ++t) {
      if (starts_at(flat, flat.transitions[t], ample.thread, ample.location))
        one.transitions.push_back(t);
    }
  }
}

// The default of every type that has words is 0 in each.
void ReducedSteps::forget_dead_values() {
  std::int64_t* words = system_.next_words();
  for (const Dead& dead : dead_) {
    if (is_at(dead.there, words[dead.thread])) std::fill_n(words + dead.place, dead.count, 0);
  }
}

bool ReducedSteps::usable(const Ample& ample) {
  const std::int64_t* words = system_.now();
  return words[ample.thread] == ample.location &&
         std::none_of(ample.unless.begin(), ample.unless.end(), [&](const Unless& unless) {
           return is_at(unless.there, words[unless.thread]);
         });
}

}  // namespace whittle

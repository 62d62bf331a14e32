// SPDX-License-Identifier: Apache-2.0
// Before a transition t, the states from which it leads into a cube C are
//
//   guard of t  and  C with the updates of t put in,   for some values of its inputs.
//
// What is put in is remembered by fact and transition, since the same facts come again and again.
//
// Inputs are eliminated. A fact about an input that has a value by now is gone already
// (Facts::settled). Of the others only whole numbers that are added to something are understood:
// each fact is a lower or an upper bound of the input, and there is a number between them exactly
// if every lower bound is at most every upper one (Fourier and Motzkin; exact for whole numbers,
// since the input has no factor).
#include "engine/preimage/steps_back.h"

#include <algorithm>

namespace whittle {

namespace {

constexpr std::size_t kMostCubes = 5'000;            // of one transition
constexpr std::size_t kFewCubes = 8;                 // that need no second look
constexpr std::uint64_t kMostForGuards = 5'000'000;  // terms looked at: about a quarter of a second

// `sign * input + rest`, `sign` being 1 or -1
struct Shifted {
  int sign = 0;  // 0: it is something else
  Expr rest;
};

Shifted shifted(ExprPool& pool, Expr term, Expr input) {
  auto sign_of = [&](Expr part) {
    if (part == input) return 1;
    const bool product = pool.op(part) == Op::Mul && pool.children(part).size() == 2;
    return product && pool.child(part, 0) == pool.integer(-1) && pool.child(part, 1) == input ? -1
                                                                                              : 0;
  };
  Shifted result{sign_of(term), pool.integer(0)};
  if (result.sign != 0 || pool.op(term) != Op::Add) return result;
  std::vector<Expr> rest;
  for (Expr part : pool.children(term)) {
    const int sign = sign_of(part);
    if (sign != 0)
      result.sign = sign;
    else
      rest.push_back(part);
  }
  result.rest = rest.size() == 1 ? rest[0] : pool.make(Op::Add, rest);
  const std::vector<SymbolId> used = symbols(pool, result.rest);
  if (std::find(used.begin(), used.end(), pool.symbol_of(input)) != used.end()) result.sign = 0;
  return result;
}

}  // namespace

StepsBack::StepsBack(const TransitionSystem& system, const SymbolVariables& variables, Facts& facts)
    : system_(system),
      variables_(variables),
      facts_(facts),
      pool_(*system.pool),
      updates_(system.transitions.size()),
      written_(system.transitions.size()),
      writers_(system.variables.size()),
      stamps_(system.transitions.size(), 0) {
  for (const Transition& transition : system.transitions) {
    const bool related = transition.relation.valid() && !pool_.is_true(transition.relation);
    auto guard = related ? std::nullopt : facts_.ways(transition.guard);
    beyond_ = !guard || facts_.work() > kMostForGuards;
    if (beyond_) return;
    guards_.push_back(std::move(*guard));
  }
  find_writers();
}

// ----- who writes

void StepsBack::find_writers() {
  for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
    const Transition& transition = system_.transitions[t];
    for (const Update& update : transition.updates) {
      const StateVariable& variable = system_.variables[update.variable];
      written_[t].push_back(variable.current);
      if (variable.is_location && pool_.is_const(update.value)) {
        const std::int64_t to = pool_.value(update.value).as_enum().index;
        leading_to_[{update.variable, to}].push_back(t);
      } else {
        writers_[update.variable].push_back(t);
      }
    }
    for (std::uint32_t v : transition.open) {
      written_[t].push_back(system_.variables[v].current);
      writers_[v].push_back(t);
    }
    std::sort(written_[t].begin(), written_[t].end());
  }
}

void StepsBack::add_writers(const std::vector<std::uint32_t>& transitions) {
  for (std::uint32_t t : transitions) {
    if (stamps_[t] != stamp_) found_.push_back(t);
    stamps_[t] = stamp_;
  }
}

const std::vector<std::uint32_t>& StepsBack::writers(const Cube& cube) {
  ++stamp_;
  found_.clear();
  for (FactId id : cube) {
    const FactTerm& term = facts_.term(id);
    const Fact& fact = facts_.fact(id);
    for (SymbolId symbol : term.symbols) {
      const std::uint32_t v = variables_[symbol];
      add_writers(writers_[v]);
      if (!system_.variables[v].is_location) continue;
      auto at = leading_to_.lower_bound({v, term.variable ? fact.low : 0});
      const auto end = leading_to_.upper_bound({v, term.variable ? fact.high : Facts::kMost});
      for (; at != end; ++at) add_writers(at->second);
    }
  }
  return found_;
}

bool StepsBack::touches(std::uint32_t transition, const FactTerm& term) const {
  const std::vector<SymbolId>& written = written_[transition];
  return std::any_of(term.symbols.begin(), term.symbols.end(), [&](SymbolId symbol) {
    return std::binary_search(written.begin(), written.end(), symbol);
  });
}

// ----- steps

StepsBack::Ways StepsBack::goals() {
  Ways result = facts_.ways(system_.goal.condition);
  if (result) result = finished(std::move(*result));
  return result;
}

// The fact with the updates of the transition put in.
const StepsBack::Ways& StepsBack::before(FactId fact, std::uint32_t t) {
  const std::uint64_t key = (static_cast<std::uint64_t>(fact) << 32) | t;
  const auto found = before_.find(key);
  if (found != before_.end()) return found->second;
  if (!updates_[t]) {
    updates_[t] = std::make_unique<Substitution>(pool_);
    const Transition& transition = system_.transitions[t];
    for (const Update& update : transition.updates)
      updates_[t]->set(system_.variables[update.variable].current, update.value);
    for (std::uint32_t v : transition.open)
      updates_[t]->set(system_.variables[v].current, pool_.symbol(system_.variables[v].next));
  }
  return before_.emplace(key, facts_.ways((*updates_[t])(facts_.condition(fact)))).first->second;
}

StepsBack::Ways StepsBack::before(const Cube& cube, std::uint32_t t) {
  std::vector<Cube> results(1);
  auto combine = [&](const std::vector<Cube>& ways) {
    std::vector<Cube> combined;
    for (const Cube& way : ways) {
      for (const Cube& result : results) {
        Cube both = result;
        if (facts_.meet(both, way)) combined.push_back(std::move(both));
      }
    }
    results = std::move(combined);
  };
  std::vector<FactId> changed;
  for (FactId id : cube) (touches(t, facts_.term(id)) ? changed : results[0]).push_back(id);
  for (FactId id : changed) {
    const Ways& ways = before(id, t);
    if (!ways) return std::nullopt;
    combine(*ways);
    if (results.empty()) return results;
    if (results.size() <= kFewCubes) continue;
    // Which cell of an array is meant has as many cases as facts about cells, most of them the
    // same or impossible.
    Ways fewer = settled(results);
    if (!fewer || fewer->size() > kMostCubes) return std::nullopt;
    results = std::move(*fewer);
  }
  combine(guards_[t]);
  return finished(std::move(results));
}

StepsBack::Ways StepsBack::settled(const std::vector<Cube>& cubes) {
  std::vector<Cube> result;
  for (const Cube& cube : cubes) {
    const Ways parts = facts_.settled(cube);
    if (!parts) return std::nullopt;
    result.insert(result.end(), parts->begin(), parts->end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// Known values put in, inputs eliminated.
StepsBack::Ways StepsBack::finished(std::vector<Cube> work) {
  std::vector<Cube> done;
  while (!work.empty()) {
    if (work.size() + done.size() > kMostCubes) return std::nullopt;
    Cube cube = std::move(work.back());
    work.pop_back();
    if (is_simple(cube)) {
      done.push_back(std::move(cube));
      continue;
    }
    const Ways settled = facts_.settled(std::move(cube));
    if (!settled) return std::nullopt;
    for (const Cube& part : *settled) {
      const std::optional<SymbolId> input = input_in(part);
      if (!input) {
        done.push_back(part);
        continue;
      }
      const Ways rest = without(*input, part);
      if (!rest) return std::nullopt;
      work.insert(work.end(), rest->begin(), rest->end());
    }
  }
  return done;
}

// It speaks of variables of the system only, one by one.
bool StepsBack::is_simple(const Cube& cube) const {
  return std::all_of(cube.begin(), cube.end(), [&](FactId id) {
    const FactTerm& term = facts_.term(id);
    return term.variable && variables_[term.symbols[0]] != SymbolVariables::kNone;
  });
}

// ----- inputs

std::optional<SymbolId> StepsBack::input_in(const Cube& cube) const {
  for (FactId id : cube) {
    for (SymbolId symbol : facts_.term(id).symbols) {
      if (variables_[symbol] == SymbolVariables::kNone) return symbol;
    }
  }
  return std::nullopt;
}

// The cube holds for some value of the input.
StepsBack::Ways StepsBack::without(SymbolId input, const Cube& cube) {
  const Expr symbol = pool_.symbol(input);
  Cube rest;
  std::vector<Expr> lower, upper;  // bounds of the input
  std::size_t different = 0;       // conditions that exclude a single value
  for (FactId id : cube) {
    const FactTerm& term = facts_.term(id);
    const Fact& fact = facts_.fact(id);
    if (!std::binary_search(term.symbols.begin(), term.symbols.end(), input)) {
      rest.push_back(id);
      continue;
    }
    if (term.variable && pool_.type(symbol) != Type::integer()) continue;
    const Expr sum = term.unequal_sum.valid() ? term.unequal_sum : term.expr;
    const Shifted form = shifted(pool_, sum, symbol);
    if (form.sign == 0) return std::nullopt;
    if (term.unequal_sum.valid()) {
      ++different;
      continue;
    }
    // low <= sign * input + rest <= high
    auto minus_rest = [&](std::int64_t bound) {
      const Expr number = pool_.integer(Integer(static_cast<long>(bound)));
      return form.sign > 0 ? pool_.sub(number, form.rest) : pool_.sub(form.rest, number);
    };
    if (fact.low != Facts::kLeast) (form.sign > 0 ? lower : upper).push_back(minus_rest(fact.low));
    if (fact.high != Facts::kMost) (form.sign > 0 ? upper : lower).push_back(minus_rest(fact.high));
  }
  // With room on one side without end, single values can be avoided.
  if (different > 0 && !lower.empty() && !upper.empty()) return std::nullopt;
  std::vector<Expr> between;
  for (Expr low : lower) {
    for (Expr high : upper) between.push_back(pool_.le(low, high));
  }
  Ways ways = facts_.ways(pool_.conj(between));
  if (!ways) return std::nullopt;
  std::vector<Cube> result;
  for (const Cube& way : *ways) {
    Cube both = rest;
    if (facts_.meet(both, way)) result.push_back(std::move(both));
  }
  return result;
}

}  // namespace whittle

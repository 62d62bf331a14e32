// SPDX-License-Identifier: Apache-2.0
// The preimage of a cube C under a transition t, its weakest precondition, is
//
//   guard of t  and  C with the updates of t substituted,   for some values of its inputs.
//
// Substituted literals are remembered by literal and transition, since the same literals come again
// and again.
//
// Inputs are eliminated (quantifier elimination). A literal about an input that has a value by now
// is gone already (CubeBuilder::propagated). Of the others only whole numbers that are added to
// something are understood: each literal is a lower or an upper bound of the input, and there is a
// number between them exactly if every lower bound is at most every upper one (Fourier and Motzkin;
// exact for whole numbers, since the input has no factor).
#include "engine/preimage/preimage.h"

#include <algorithm>

#include "expr/fourier_motzkin.h"
#include "expr/linear.h"
#include "ir/transition_terms.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxTransitionCubes = 5'000;  // of one transition
constexpr std::size_t kMaxPairs = 1'000;            // of bounds of an input
constexpr std::size_t kFewCubes = 8;                // that need no second look
constexpr std::uint64_t kMaxGuardWork = 5'000'000;  // terms looked at: about a quarter of a second

}  // namespace

Preimage::Preimage(const TransitionSystem& system, const SymbolVariables& variables,
                   CubeBuilder& builder)
    : system_(system),
      variables_(variables),
      builder_(builder),
      pool_(*system.pool),
      updates_(system.transitions.size()),
      written_(system.transitions.size()),
      writers_(system.variables.size()),
      stamps_(system.transitions.size(), 0) {
  for (const Transition& transition : system.transitions) {
    const bool related = transition.relation.valid() && !pool_.is_true(transition.relation);
    auto guard = related ? std::nullopt : builder_.to_dnf(transition.guard);
    unsupported_ = !guard || builder_.work() > kMaxGuardWork;
    if (unsupported_) return;
    guards_.push_back(std::move(*guard));
  }
  find_writers();
}

// ----- who writes

void Preimage::find_writers() {
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

void Preimage::add_writers(const std::vector<std::uint32_t>& transitions) {
  for (std::uint32_t t : transitions) {
    if (stamps_[t] != stamp_) found_.push_back(t);
    stamps_[t] = stamp_;
  }
}

const std::vector<std::uint32_t>& Preimage::writers(const Cube& cube) {
  ++stamp_;
  found_.clear();
  for (LiteralId id : cube) {
    const LiteralTerm& term = builder_.term(id);
    const BoundLiteral& literal = builder_.literal(id);
    for (SymbolId symbol : term.symbols) {
      const std::uint32_t v = variables_[symbol];
      add_writers(writers_[v]);
      if (!system_.variables[v].is_location) continue;
      auto at = leading_to_.lower_bound({v, term.variable ? literal.low : 0});
      const auto end =
          leading_to_.upper_bound({v, term.variable ? literal.high : CubeBuilder::kMost});
      for (; at != end; ++at) add_writers(at->second);
    }
  }
  return found_;
}

bool Preimage::touches(std::uint32_t transition, const LiteralTerm& term) const {
  const std::vector<SymbolId>& written = written_[transition];
  return std::any_of(term.symbols.begin(), term.symbols.end(), [&](SymbolId symbol) {
    return std::binary_search(written.begin(), written.end(), symbol);
  });
}

// ----- steps

Preimage::Dnf Preimage::goals() {
  Dnf result = builder_.to_dnf(system_.goal.condition);
  if (result) result = finished(std::move(*result));
  return result;
}

// The literal under the updates of the transition.
const Preimage::Dnf& Preimage::of_literal(LiteralId literal, std::uint32_t t) {
  const std::uint64_t key = (static_cast<std::uint64_t>(literal) << 32) | t;
  const auto found = literal_preimages_.find(key);
  if (found != literal_preimages_.end()) return found->second;
  if (!updates_[t])
    updates_[t] = std::make_unique<Substitution>(state_after(system_, system_.transitions[t]));
  return literal_preimages_
      .emplace(key, builder_.to_dnf((*updates_[t])(builder_.condition(literal))))
      .first->second;
}

Preimage::Dnf Preimage::of(const Cube& cube, std::uint32_t t) {
  std::vector<Cube> results(1);
  auto combine = [&](const std::vector<Cube>& dnf) {
    std::vector<Cube> combined;
    for (const Cube& way : dnf) {
      for (const Cube& result : results) {
        Cube both = result;
        if (builder_.meet(both, way)) combined.push_back(std::move(both));
      }
    }
    results = std::move(combined);
  };
  std::vector<LiteralId> changed;
  for (LiteralId id : cube) (touches(t, builder_.term(id)) ? changed : results[0]).push_back(id);
  for (LiteralId id : changed) {
    const Dnf& dnf = of_literal(id, t);
    if (!dnf) return std::nullopt;
    combine(*dnf);
    if (results.empty()) return results;
    if (results.size() <= kFewCubes) continue;
    // Which cell of an array is meant has as many cases as literals about cells, most of them the
    // same or impossible.
    Dnf fewer = propagated(results);
    if (!fewer || fewer->size() > kMaxTransitionCubes) return std::nullopt;
    results = std::move(*fewer);
  }
  combine(guards_[t]);
  return finished(std::move(results));
}

Preimage::Dnf Preimage::propagated(const std::vector<Cube>& cubes) {
  std::vector<Cube> result;
  for (const Cube& cube : cubes) {
    const Dnf parts = builder_.propagated(cube);
    if (!parts) return std::nullopt;
    result.insert(result.end(), parts->begin(), parts->end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// Constants propagated, inputs eliminated.
Preimage::Dnf Preimage::finished(std::vector<Cube> work) {
  std::vector<Cube> done;
  while (!work.empty()) {
    if (work.size() + done.size() > kMaxTransitionCubes) return std::nullopt;
    Cube cube = std::move(work.back());
    work.pop_back();
    if (is_simple(cube)) {
      done.push_back(std::move(cube));
      continue;
    }
    const Dnf propagated = builder_.propagated(std::move(cube));
    if (!propagated) return std::nullopt;
    for (const Cube& part : *propagated) {
      const std::optional<SymbolId> input = input_in(part);
      if (!input) {
        done.push_back(part);
        continue;
      }
      const Dnf rest = eliminated(*input, part);
      if (!rest) return std::nullopt;
      work.insert(work.end(), rest->begin(), rest->end());
    }
  }
  return done;
}

// Each literal is about a single variable of the system.
bool Preimage::is_simple(const Cube& cube) const {
  return std::all_of(cube.begin(), cube.end(), [&](LiteralId id) {
    const LiteralTerm& term = builder_.term(id);
    return term.variable && variables_[term.symbols[0]] != SymbolVariables::kNone;
  });
}

// ----- inputs

std::optional<SymbolId> Preimage::input_in(const Cube& cube) const {
  for (LiteralId id : cube) {
    for (SymbolId symbol : builder_.term(id).symbols) {
      if (variables_[symbol] == SymbolVariables::kNone) return symbol;
    }
  }
  return std::nullopt;
}

// The cube holds for some value of the input.
Preimage::Dnf Preimage::eliminated(SymbolId input, const Cube& cube) {
  const Type type = pool_.info(input).type;
  const Expr one = pool_.integer(1);
  LinearIn linear(pool_, input);
  LinearBounds bounds;
  Cube rest;
  for (LiteralId id : cube) {
    const LiteralTerm& term = builder_.term(id);
    const BoundLiteral& literal = builder_.literal(id);
    if (!std::binary_search(term.symbols.begin(), term.symbols.end(), input)) {
      rest.push_back(id);
      continue;
    }
    const Expr sum = term.unequal_sum.valid() ? term.unequal_sum : term.expr;
    if (type != Type::integer()) {
      // A range of values is not empty, and does not end with one that is excluded.
      if (sum != pool_.symbol(input)) return std::nullopt;
      continue;
    }
    if (pool_.type(sum) != Type::integer()) return std::nullopt;
    const auto form = linear.form(sum);
    const bool plus = form && form->factor == one;
    if (!plus && (!form || form->factor != pool_.integer(-1))) return std::nullopt;
    if (term.unequal_sum.valid()) {
      bounds.excludes_values = true;
      continue;
    }
    // low <= +-input + rest <= high
    const auto add = [&](std::int64_t bound, std::vector<LinearBound>& to) {
      if (bound == CubeBuilder::kLeast || bound == CubeBuilder::kMost) return;
      const Expr number = pool_.integer(Integer(static_cast<long>(bound)));
      to.push_back({one, plus ? pool_.sub(number, form->rest) : pool_.sub(form->rest, number)});
    };
    add(literal.low, plus ? bounds.lower : bounds.upper);
    add(literal.high, plus ? bounds.upper : bounds.lower);
  }
  const std::optional<Expr> within = within_bounds(pool_, bounds, type, kMaxPairs);
  Dnf dnf = within ? builder_.to_dnf(*within) : std::nullopt;
  if (!dnf) return std::nullopt;
  std::vector<Cube> result;
  for (const Cube& way : *dnf) {
    Cube both = rest;
    if (builder_.meet(both, way)) result.push_back(std::move(both));
  }
  return result;
}

}  // namespace whittle

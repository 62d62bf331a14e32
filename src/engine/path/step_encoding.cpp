// SPDX-License-Identifier: Apache-2.0
#include "engine/path/step_encoding.h"

#include <algorithm>

#include "base/error.h"
#include "expr/traverse.h"

namespace whittle {

Expr shift_of(ExprPool& pool, Expr value, SymbolId variable) {
  const Expr self = pool.symbol(variable);
  if (pool.op(value) != Op::Add && pool.op(value) != Op::Sub) return {};
  const auto children = pool.children(value);
  std::vector<Expr> rest;
  bool found = false;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children[i] == self && !found && (pool.op(value) == Op::Add || i == 0)) {
      found = true;
    } else {
      rest.push_back(children[i]);
    }
  }
  if (!found) return {};
  for (SymbolId symbol : symbols(pool, rest)) {
    if (symbol == variable) return {};
  }
  if (pool.op(value) == Op::Sub) return pool.minus(rest[0]);
  return rest.size() == 1 ? rest[0] : pool.make(Op::Add, rest);
}

StepEncoder::StepEncoder(const TransitionSystem& system, Unroller& unroller, StepEncoding encoding,
                         DepthBounds* bounds)
    : system_(system),
      pool_(*system.pool),
      unroller_(unroller),
      encoding_(encoding),
      bounds_(bounds) {
  wait_.name = "wait";
  wait_.guard = pool_.boolean(true);
  if (encoding_ != StepEncoding::Deltas) return;
  for (const Transition& transition : system.transitions) {
    std::vector<Expr>& shifts = shifts_.emplace_back();
    for (const Update& update : transition.updates) {
      shifts.push_back(shift_of(pool_, update.value, system.variables[update.variable].current));
    }
  }
}

const Transition& StepEncoder::transition_of(const Selected& selected) const {
  return selected.transition == kWait ? wait_ : system_.transitions[selected.transition];
}

void StepEncoder::encode(std::uint64_t k, std::vector<Expr>& out, bool may_wait) {
  WHITTLE_REQUIRE(k == steps_.size(), "steps are encoded in their order");
  steps_.emplace_back();
  select(k, out, may_wait);
  for (const Selected& selected : steps_[k]) encode_conditions(k, selected, out);
  if (encoding_ == StepEncoding::Disjuncts) {
    if (bounds_ != nullptr) bounds_->advance();
    for (const Selected& selected : steps_[k]) encode_disjunct(k, selected, out);
  } else {
    exclude_each_other(k, out);
    encode_variables(k, out);
  }
}

void StepEncoder::encode(std::uint64_t k, smt::Solver& solver, bool may_wait) {
  std::vector<Expr> conditions;
  encode(k, conditions, may_wait);
  for (Expr condition : conditions) solver.require(condition);
}

// Gives each transition that may be taken a selector, one of which holds.
void StepEncoder::select(std::uint64_t k, std::vector<Expr>& out, bool may_wait) {
  std::vector<Selected>& step = steps_[k];
  std::vector<Expr> selectors;
  auto add = [&](std::uint32_t t) {
    const Transition& transition = system_.transitions[t];
    if (pool_.is_false(unroller_.at_time(transition.guard, k))) return;
    step.push_back({t, unroller_.fresh(transition.name, Type::boolean(), k)});
    selectors.push_back(step.back().selector);
  };
  if (bounds_ != nullptr) {
    for (std::uint32_t t : bounds_->possible()) add(t);
  } else {
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) add(t);
  }
  if (may_wait) {
    const Expr selector = unroller_.fresh("wait", Type::boolean(), k);
    if (k > 0 && !steps_[k - 1].empty() && steps_[k - 1].back().transition == kWait) {
      out.push_back(pool_.implies(steps_[k - 1].back().selector, selector));
    }
    step.push_back({kWait, selector});
    selectors.push_back(selector);
  }
  if (step.size() == 1) step[0].selector = selectors[0] = pool_.boolean(true);
  out.push_back(pool_.disj(selectors));
}

// selector -> guard(s@k, i@k) and relation(s@k, i@k, s@k+1)
void StepEncoder::encode_conditions(std::uint64_t k, const Selected& selected,
                                    std::vector<Expr>& out) {
  const Transition& transition = transition_of(selected);
  out.push_back(pool_.implies(selected.selector, unroller_.at_time(transition.guard, k)));
  if (transition.relation.valid()) {
    out.push_back(pool_.implies(selected.selector, unroller_.at_time(transition.relation, k)));
  }
}

// selector -> v@k+1 = value(s@k, i@k) for each update, and v@k+1 = v@k for what is not written
void StepEncoder::encode_disjunct(std::uint64_t k, const Selected& selected,
                                  std::vector<Expr>& out) {
  const Transition& transition = transition_of(selected);
  std::vector<Expr> values(system_.variables.size());
  for (std::uint32_t v = 0; v < values.size(); ++v) values[v] = unroller_.variable(v, k);
  for (std::uint32_t v : transition.open) values[v] = Expr();
  for (const Update& update : transition.updates) {
    values[update.variable] = unroller_.at_time(update.value, k);
  }
  for (std::uint32_t v = 0; v < values.size(); ++v) {
    if (!values[v].valid()) continue;
    const Expr same = pool_.eq(unroller_.variable(v, k + 1), values[v]);
    out.push_back(pool_.implies(selected.selector, same));
  }
}

void StepEncoder::encode_variables(std::uint64_t k, std::vector<Expr>& out) {
  std::vector<std::vector<Write>> writes(system_.variables.size());
  for (const Selected& selected : steps_[k]) {
    const Transition& transition = transition_of(selected);
    const std::uint32_t t = selected.transition;
    for (std::size_t u = 0; u < transition.updates.size(); ++u) {
      const Update& update = transition.updates[u];
      const Expr shift = shifts_.empty() ? Expr() : shifts_[t][u];
      writes[update.variable].push_back({t, selected.selector, update.value, shift});
    }
    for (std::uint32_t v : transition.open) writes[v].push_back({t, selected.selector, {}, {}});
  }
  // Ranges of shifts are about the state before the step, ranges of variables about the one after.
  std::vector<std::optional<ValueRange>> shift_ranges(writes.size());
  for (std::uint32_t v = 0; v < writes.size(); ++v) shift_ranges[v] = shift_range(k, writes[v]);
  if (bounds_ != nullptr) bounds_->advance();
  for (std::uint32_t v = 0; v < writes.size(); ++v) {
    encode_variable(k, v, writes[v], shift_ranges[v], out);
  }
}

// All changes that additive writes can make, no change included; empty: unknown or none.
std::optional<ValueRange> StepEncoder::shift_range(std::uint64_t k, std::span<const Write> writes) {
  std::optional<ValueRange> result;
  for (const Write& write : writes) {
    if (!write.shift.valid()) continue;
    ValueRange range;
    if (pool_.is_const(write.shift)) {
      range = ValueRange::only(pool_, pool_.value(write.shift), pool_.type(write.shift));
    } else if (bounds_ != nullptr) {
      range = bounds_->range_when_taken(write.transition, write.shift);
    }
    result = result ? join(*result, range) : range;
  }
  if (result && result->kind == ValueRange::Kind::Numeric) {
    const bool always = writes.size() == steps_[k].size() &&
                        std::all_of(writes.begin(), writes.end(),
                                    [](const Write& write) { return write.shift.valid(); });
    if (!always) {
      const Rational zero(Integer(0));
      if (result->low && *result->low > zero) result->low = zero;
      if (result->high && *result->high < zero) result->high = zero;
    }
  }
  return result;
}

void StepEncoder::encode_variable(std::uint64_t k, std::uint32_t v, std::span<const Write> writes,
                                  const std::optional<ValueRange>& shift_range,
                                  std::vector<Expr>& out) {
  const StateVariable& info = system_.variables[v];
  if (writes.empty()) {
    unroller_.define(v, k + 1, unroller_.variable(v, k));
    return;
  }
  // The ranges hold on every run, so a variable with one value needs no symbol and no clauses;
  // relations may have asked for the symbol already.
  const bool open = std::any_of(writes.begin(), writes.end(),
                                [](const Write& write) { return !write.value.valid(); });
  if (bounds_ != nullptr && !open) {
    if (auto value = bounds_->range(v).single(pool_, info.type)) {
      unroller_.define(v, k + 1, pool_.constant(*value, info.type));
      return;
    }
  }
  if (shift_range) {
    encode_shifts(k, v, writes, shift_range, out);
  } else {
    const Expr next = unroller_.variable(v, k + 1);
    std::vector<Expr> cases;
    for (const Write& write : writes) {
      cases.push_back(write.selector);
      if (!write.value.valid()) continue;
      const Expr same = pool_.eq(next, unroller_.at_time(write.value, k));
      out.push_back(pool_.implies(write.selector, same));
    }
    // v@k+1 = v@k  or one of the transitions that write v
    if (writes.size() < steps_[k].size()) {
      cases.push_back(pool_.eq(next, unroller_.variable(v, k)));
      out.push_back(pool_.disj(cases));
    }
  }
  if (bounds_ != nullptr) {
    const Expr next = unroller_.variable(v, k + 1);
    for (Expr condition : in_range(next, bounds_->range(v))) out.push_back(condition);
  }
}

// v@k+1 = v@k + d@k  or a write that is no shift;  selector -> d@k = shift;  d@k in its range.
// The range holds whatever is selected, so that linear arithmetic alone sees how far v can get.
void StepEncoder::encode_shifts(std::uint64_t k, std::uint32_t v, std::span<const Write> writes,
                                const std::optional<ValueRange>& shift_range,
                                std::vector<Expr>& out) {
  const StateVariable& info = system_.variables[v];
  const Expr delta = unroller_.fresh("d:" + info.name, info.type, k);
  const Expr zero =
      pool_.kind(info.type) == TypeKind::Real ? pool_.real(Rational()) : pool_.integer(0);
  const Expr next = unroller_.variable(v, k + 1);
  std::vector<Expr> shifting;
  std::vector<Expr> cases;
  for (const Write& write : writes) {
    if (write.shift.valid()) {
      shifting.push_back(write.selector);
      const Expr shift = unroller_.at_time(write.shift, k);
      out.push_back(pool_.implies(write.selector, pool_.eq(delta, shift)));
      continue;
    }
    cases.push_back(write.selector);
    if (!write.value.valid()) continue;
    const Expr same = pool_.eq(next, unroller_.at_time(write.value, k));
    out.push_back(pool_.implies(write.selector, same));
  }
  if (shifting.size() < steps_[k].size()) {
    shifting.push_back(pool_.eq(delta, zero));
    out.push_back(pool_.disj(shifting));
  }
  cases.push_back(pool_.eq(next, pool_.add(unroller_.variable(v, k), delta)));
  out.push_back(pool_.disj(cases));
  for (Expr condition : in_range(delta, *shift_range)) out.push_back(condition);
}

std::vector<Expr> StepEncoder::in_range(Expr term, const ValueRange& range) {
  std::vector<Expr> result;
  const Type type = pool_.type(term);
  if (pool_.kind(type) == TypeKind::Array) return result;
  if (range.kind == ValueRange::Kind::Finite) {
    if (auto value = range.single(pool_, type)) {
      result.push_back(pool_.eq(term, pool_.constant(*value, type)));
    }
  }
  if (range.kind != ValueRange::Kind::Numeric || pool_.is_const(term)) return result;
  auto number = [&](const Rational& value) {
    return pool_.kind(type) == TypeKind::Real ? pool_.real(value) : pool_.integer(value.floor());
  };
  if (range.low) result.push_back(pool_.le(number(*range.low), term));
  if (range.high) result.push_back(pool_.le(term, number(*range.high)));
  return result;
}

Expr StepEncoder::selector(std::uint64_t k, std::uint32_t transition) const {
  const std::vector<Selected>& step = steps_[k];
  const auto found = std::lower_bound(
      step.begin(), step.end(), transition,
      [](const Selected& selected, std::uint32_t t) { return selected.transition < t; });
  return found != step.end() && found->transition == transition ? found->selector : Expr();
}

// At most one selector of the step, with a ladder: after(i) means that one of the first i is
// selected. Linear, where pairs would be quadratic.
void StepEncoder::exclude_each_other(std::uint64_t k, std::vector<Expr>& out) {
  constexpr std::size_t kPairs = 5;  // up to here pairs are fewer clauses
  const std::vector<Selected>& step = steps_[k];
  if (step.size() <= kPairs) {
    for (std::size_t i = 0; i < step.size(); ++i) {
      for (std::size_t j = i + 1; j < step.size(); ++j) {
        out.push_back(pool_.disj(pool_.negate(step[i].selector), pool_.negate(step[j].selector)));
      }
    }
    return;
  }
  Expr before;  // one of those before i is selected
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (i > 0) out.push_back(pool_.implies(before, pool_.negate(step[i].selector)));
    if (i + 1 == step.size()) break;
    const Expr after = unroller_.fresh("after", Type::boolean(), k);
    out.push_back(pool_.implies(step[i].selector, after));
    if (i > 0) out.push_back(pool_.implies(before, after));
    before = after;
  }
}

std::optional<std::uint32_t> StepEncoder::taken(std::uint64_t k, const ValueOf& value_of) const {
  for (const Selected& selected : steps_[k]) {
    const bool on = pool_.is_true(selected.selector) || value_of(selected.selector).as_bool();
    if (!on) continue;
    if (selected.transition == kWait) return std::nullopt;
    return selected.transition;
  }
  throw InternalError("a model of a step selects no transition");
}

}  // namespace whittle

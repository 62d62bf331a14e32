// SPDX-License-Identifier: Apache-2.0
// An input i becomes a number k of a value:  i = (v1 if k = 0, v2 if k = 1, ...). First values that
// the system leaves open are those nearest to zero.
#include "simplify/flat/sampled_values.h"

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "expr/traverse.h"
#include "ir/run/finite_choices.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kFew = 64;           // values that are all tried
constexpr std::size_t kMostSamples = 40;   // otherwise
constexpr long kSmall = 7;                 // numbers up to this one are worth trying
constexpr long kGreatest = 2'000'000'000;  // beyond it searches have no words for a number

struct Sampled {
  std::size_t position = 0;  // among the inputs
  std::vector<Value> values;
};

class SampledBack final : public FlatBackTranslation {
 public:
  explicit SampledBack(std::vector<std::vector<Sampled>> inputs) : inputs_(std::move(inputs)) {}

  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const override {
    FlatTrace result = trace;
    for (FlatStep& step : result.steps) {
      for (const Sampled& sampled : inputs_[step.transition]) {
        Value& value = step.inputs[sampled.position];
        const auto number = value.as_integer().to_int64();
        if (!number || *number < 0 || static_cast<std::size_t>(*number) >= sampled.values.size())
          return Unexpected{Reason{Reason::Kind::Incomplete, "a value that was not sampled"}};
        value = sampled.values[static_cast<std::size_t>(*number)];
      }
    }
    return result;
  }
  [[nodiscard]] Expr condition(Expr) const override { return {}; }
  [[nodiscard]] Expr forward(Expr condition) const override { return condition; }

 private:
  std::vector<std::vector<Sampled>> inputs_;  // by transition
};

class Sampler {
 public:
  explicit Sampler(const TransitionSystem& system) : system_(system), pool_(*system.pool) {}

  std::optional<FlatTransformed> run() {
    find_constants();
    FlatTransformed result{system_, nullptr};
    bool changed = restrict_first(result.system);
    std::vector<std::vector<Sampled>> inputs;
    for (Transition& transition : result.system.transitions) {
      inputs.push_back(sample(transition));
      changed = changed || !inputs.back().empty();
    }
    if (!changed) return std::nullopt;
    result.system.alike.clear();
    result.back = std::make_shared<SampledBack>(std::move(inputs));
    return result;
  }

 private:
  void find_constants() {
    std::vector<Expr> terms{system_.goal.condition, system_.init};
    for (const Transition& transition : system_.transitions) {
      terms.push_back(transition.guard);
      for (const Update& update : transition.updates) terms.push_back(update.value);
    }
    std::set<Integer> found;
    for_each_subterm(pool_, terms, [&](Expr e) {
      if (pool_.is_const(e) && pool_.type(e) == Type::integer())
        found.insert(pool_.value(e).as_integer());
    });
    for (long small = -1; small <= kSmall; ++small) found.insert(Integer(small));
    constants_.assign(found.begin(), found.end());
    std::stable_sort(constants_.begin(), constants_.end(), [](const Integer& a, const Integer& b) {
      return (a.sign() < 0 ? -a : a) < (b.sign() < 0 ? -b : b);
    });
  }

  // Of numbers between the bounds.
  [[nodiscard]] std::vector<Value> samples(const Interval& range) const {
    std::set<Integer> chosen;
    const auto add = [&](const Integer& value) {
      if (chosen.size() >= kMostSamples || (range.low && Rational(value) < *range.low) ||
          (range.high && *range.high < Rational(value)) || Integer(kGreatest) < value ||
          value < Integer(-kGreatest))
        return;
      chosen.insert(value);
    };
    for (const Integer& value : constants_) add(value);
    for (const Integer& value : constants_)
      for (const int near : {1, -1}) add(value + Integer(near));
    for (const auto& border : {range.low, range.high})
      if (border) add(border->numerator());
    std::vector<Value> result;
    result.reserve(chosen.size());
    for (const Integer& value : chosen) result.emplace_back(value);
    return result;
  }

  // What a conjunction says about one number; empty: it has few values, or is no number.
  [[nodiscard]] std::optional<Interval> wide(Expr condition, SymbolId symbol) const {
    if (pool_.info(symbol).type != Type::integer()) return std::nullopt;
    if (FiniteChoices(pool_, condition).of(symbol, kFew)) return std::nullopt;
    Interval range;
    range.integral = true;
    for (const Expr part : conjuncts(pool_, condition)) {
      if (pool_.op(part) != Op::Le) continue;
      const Expr left = pool_.child(part, 0);
      const Expr right = pool_.child(part, 1);
      if (left == pool_.symbol(symbol) && pool_.is_const(right))
        range.restrict_high(Rational(pool_.value(right).as_integer()));
      if (right == pool_.symbol(symbol) && pool_.is_const(left))
        range.restrict_low(Rational(pool_.value(left).as_integer()));
    }
    return range;
  }

  std::vector<Sampled> sample(Transition& transition) {
    std::vector<Sampled> result;
    Substitution chosen(pool_);
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < transition.inputs.size(); ++i) {
      const SymbolId input = transition.inputs[i];
      const auto range = wide(transition.guard, input);
      if (!range) continue;
      std::vector<Value> values = samples(*range);
      if (values.empty()) continue;
      const SymbolId number = pool_.declare("sample", Type::integer());
      const Expr k = pool_.symbol(number);
      Expr value = pool_.constant(values.back(), Type::integer());
      for (std::size_t v = values.size() - 1; v-- > 0;)
        value = pool_.ite(pool_.eq(k, pool_.integer(static_cast<unsigned long>(v))),
                          pool_.constant(values[v], Type::integer()), value);
      chosen.set(input, value);
      parts.push_back(pool_.le(pool_.integer(0), k));
      parts.push_back(pool_.lt(k, pool_.integer(static_cast<unsigned long>(values.size()))));
      transition.inputs[i] = number;
      result.push_back({i, std::move(values)});
    }
    if (result.empty()) return result;
    parts.push_back(chosen(transition.guard));
    transition.guard = pool_.conj(parts);
    for (Update& update : transition.updates) update.value = chosen(update.value);
    transition.relation = chosen(transition.relation);
    return result;
  }

  bool restrict_first(TransitionSystem& result) {
    std::vector<Expr> parts{system_.init};
    for (const StateVariable& variable : system_.variables) {
      const Expr term = pool_.symbol(variable.current);
      const TypeInfo info = pool_.info(variable.type);
      if (info.kind == TypeKind::Array && info.element == Type::integer()) {
        if (FiniteChoices(pool_, system_.init).of(variable.current, 1)) continue;
        parts.push_back(pool_.eq(term, pool_.const_array(variable.type, pool_.integer(0))));
      } else if (const auto range = wide(system_.init, variable.current)) {
        Integer value(0);
        if (range->low && Rational(value) < *range->low) value = range->low->numerator();
        if (range->high && *range->high < Rational(value)) value = range->high->numerator();
        parts.push_back(pool_.eq(term, pool_.integer(value)));
      }
    }
    if (parts.size() == 1) return false;
    result.init = pool_.conj(parts);
    return true;
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  std::vector<Integer> constants_;  // the smallest first
};

}  // namespace

std::optional<FlatTransformed> with_sampled_values(const TransitionSystem& system) {
  return Sampler(system).run();
}

}  // namespace whittle::simplify

// SPDX-License-Identifier: Apache-2.0
#include "expr/contradiction.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "expr/linear.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxTerms = 1000;      // subterms of a sum
constexpr std::size_t kMaxAlternatives = 8;  // of a disjunction that is looked into
constexpr std::size_t kMaxFacts = 200;       // beside which disjunctions are looked into
constexpr std::size_t kMaxExcluded = 1000;   // values next to a bound that are stepped over

using Sources = std::vector<std::size_t>;  // ascending

Sources both(const Sources& a, const Sources& b) {
  Sources result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

struct Bound {
  Rational value;
  bool strict = false;
  Sources sources;
};

// What is known of a linear term without constant part.
struct Range {
  bool integer = false;
  std::optional<Bound> low, high;
  std::map<Rational, Sources> excluded;
};

// Factors are integers without a common divisor, the first one positive; the constant is zero.
// Terms that are not linear are keys of their own.
using Form = std::map<Expr, Rational>;

// What is known of a term of another type that is compared with constants.
struct Choice {
  std::optional<std::pair<Expr, Sources>> is;
  std::map<Expr, Sources> is_not;
};

using Literals = std::vector<std::pair<Expr, bool>>;  // false: negated

class LiteralSet {
 public:
  explicit LiteralSet(const ExprPool& pool) : pool_(pool) {}

  // The condition holds or, where not `positive`, its negation does.
  void add(Expr condition, bool positive, const Sources& sources) {
    Literals open{{condition, positive}};
    while (!open.empty()) {
      const auto [e, holds] = open.back();
      open.pop_back();
      const auto children = pool_.children(e);
      if (pool_.op(e) == Op::Not) {
        open.emplace_back(children[0], !holds);
      } else if (pool_.op(e) == (holds ? Op::And : Op::Or)) {
        for (const Expr child : children) open.emplace_back(child, holds);
      } else if (!holds && pool_.op(e) == Op::Implies) {
        open.emplace_back(children[0], true);
        open.emplace_back(children[1], false);
      } else {
        literal(e, holds, sources);
      }
    }
  }

  // Sources of a contradiction among the facts.
  [[nodiscard]] Sources conflict() const {
    if (!found_.empty()) return found_;
    for (const auto& [form, range] : ranges_) {
      Sources result = conflict(range);
      if (result.empty() && form.size() > 1) result = conflict(form, range);
      if (!result.empty()) return result;
    }
    for (const auto& [term, choice] : choices_) {
      Sources result = conflict(term, choice);
      if (!result.empty()) return result;
    }
    return {};
  }

  // The same, with each alternative of each disjunction added in turn.
  [[nodiscard]] Sources conflict_by_cases() const {
    if (facts_ > kMaxFacts) return {};
    for (const auto& [alternatives, sources] : disjunctions_) {
      Sources all = sources;
      for (const auto& [e, positive] : alternatives) {
        LiteralSet with = *this;
        with.add(e, positive, sources);
        const Sources one = with.conflict();
        if (one.empty()) {
          all.clear();
          break;
        }
        all = both(all, one);
      }
      if (!all.empty()) return all;
    }
    return {};
  }

 private:
  void literal(Expr e, bool positive, const Sources& sources) {
    ++facts_;
    const bool constant = positive ? pool_.is_false(e) : pool_.is_true(e);
    if (constant) return fail(sources);
    auto& same = positive ? true_ : false_;
    const auto& opposite = positive ? false_ : true_;
    same.emplace(e, sources);
    const auto other = opposite.find(e);
    if (other != opposite.end()) return fail(both(sources, other->second));
    switch (pool_.op(e)) {
      case Op::Lt:
      case Op::Le:
        return less(e, positive, sources);
      case Op::Eq:
        return equal(e, positive, sources);
      case Op::And:
      case Op::Or:
      case Op::Implies:
        return disjunction(e, positive, sources);
      default:
        return;
    }
  }

  void fail(Sources sources) {
    if (found_.empty()) found_ = std::move(sources);
  }

  void disjunction(Expr e, bool positive, const Sources& sources) {
    Literals alternatives;
    const auto children = pool_.children(e);
    if (children.size() > kMaxAlternatives) return;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const bool premise = pool_.op(e) == Op::Implies && i == 0;
      alternatives.emplace_back(children[i], positive != premise);
    }
    disjunctions_.emplace_back(std::move(alternatives), sources);
  }

  // left - right
  [[nodiscard]] LinearForm<Expr> difference(Expr left, Expr right) const {
    const Rational one(Integer(1));
    const Summand parts[] = {{one, left}, {-one, right}};
    auto form = linear_form(pool_, parts, kMaxTerms);
    return form ? std::move(*form) : LinearForm<Expr>{{{left, one}, {right, -one}}, {}};
  }

  void less(Expr e, bool positive, const Sources& sources) {
    const Expr left = pool_.child(e, positive ? 0 : 1);
    const Expr right = pool_.child(e, positive ? 1 : 0);
    LinearForm<Expr> d = difference(left, right);
    const bool strict = (pool_.op(e) == Op::Lt) == positive;
    // form + constant < 0
    if (d.factors.empty()) {
      if (d.constant.sign() > 0 || (strict && d.constant.sign() == 0)) fail(sources);
      return;
    }
    const Rational by = d.make_primitive();
    const Rational limit = -d.constant / by;
    Range& range = range_of(d.factors);
    if (by.sign() > 0) {
      below(range, {limit, strict, sources});
    } else {
      above(range, {limit, strict, sources});
    }
  }

  void equal(Expr e, bool positive, const Sources& sources) {
    const Expr left = pool_.child(e, 0);
    const Expr right = pool_.child(e, 1);
    if (!is_number(pool_, left)) return choose(left, right, positive, sources);
    LinearForm<Expr> d = difference(left, right);
    if (d.factors.empty()) {
      if ((d.constant.sign() == 0) != positive) fail(sources);
      return;
    }
    const Rational by = d.make_primitive();
    const Rational value = -d.constant / by;
    Range& range = range_of(d.factors);
    if (!positive) {
      range.excluded.emplace(value, sources);
    } else if (range.integer && !value.is_integer()) {
      fail(sources);
    } else {
      below(range, {value, false, sources});
      above(range, {value, false, sources});
    }
  }

  void choose(Expr left, Expr right, bool positive, const Sources& sources) {
    if (pool_.is_const(left)) std::swap(left, right);
    if (!pool_.is_const(right) || pool_.is_const(left)) return;
    Choice& choice = choices_[left];
    if (!positive) {
      choice.is_not.emplace(right, sources);
    } else if (!choice.is) {
      choice.is.emplace(right, sources);
    } else if (choice.is->first != right) {
      fail(both(choice.is->second, sources));
    }
  }

  Range& range_of(const Form& form) {
    const auto [it, fresh] = ranges_.try_emplace(form);
    if (fresh) {
      it->second.integer = std::all_of(form.begin(), form.end(), [&](const auto& entry) {
        return pool_.type(entry.first) == Type::integer();
      });
    }
    return it->second;
  }

  static void below(Range& range, Bound bound) {
    if (range.integer) {
      const bool exact = bound.value.is_integer();
      bound.value = Rational(bound.value.floor());
      if (exact && bound.strict) bound.value = bound.value - Rational(Integer(1));
      bound.strict = false;
    }
    const auto tighter = [](const Bound& a, const Bound& b) {
      return a.value < b.value || (a.value == b.value && a.strict && !b.strict);
    };
    if (!range.high || tighter(bound, *range.high)) range.high = std::move(bound);
  }

  static void above(Range& range, Bound bound) {
    if (range.integer) {
      const bool exact = bound.value.is_integer();
      bound.value = -Rational((-bound.value).floor());
      if (exact && bound.strict) bound.value = bound.value + Rational(Integer(1));
      bound.strict = false;
    }
    const auto tighter = [](const Bound& a, const Bound& b) {
      return a.value > b.value || (a.value == b.value && a.strict && !b.strict);
    };
    if (!range.low || tighter(bound, *range.low)) range.low = std::move(bound);
  }

  static Sources conflict(const Range& range) {
    if (!range.low || !range.high) return {};
    const Bound& low = *range.low;
    const Bound& high = *range.high;
    const Sources bounds = both(low.sources, high.sources);
    if (low.value > high.value) return bounds;
    if (low.value == high.value && (low.strict || high.strict)) return bounds;
    if (!range.integer && low.value != high.value) return {};
    // Are all values in between excluded?
    Sources all = bounds;
    Rational value = low.value;
    for (std::size_t i = 0; i < kMaxExcluded && value <= high.value; ++i) {
      const auto it = range.excluded.find(value);
      if (it == range.excluded.end()) return {};
      all = both(all, it->second);
      value = value + Rational(Integer(1));
    }
    return value > high.value ? all : Sources();
  }

  // The bounds of the summands against those of the sum.
  [[nodiscard]] Sources conflict(const Form& form, const Range& range) const {
    std::optional<Bound> low = Bound{};
    std::optional<Bound> high = Bound{};
    for (const auto& [term, factor] : form) {
      const auto it = ranges_.find(Form{{term, Rational(Integer(1))}});
      const bool up = factor.sign() > 0;
      const auto bound = [&](bool lower) -> const std::optional<Bound>* {
        if (it == ranges_.end()) return nullptr;
        return lower == up ? &it->second.low : &it->second.high;
      };
      extend(low, bound(true), factor);
      extend(high, bound(false), factor);
    }
    const auto crossed = [](const std::optional<Bound>& a, const std::optional<Bound>& b) {
      return a && b && (a->value > b->value || (a->value == b->value && (a->strict || b->strict)));
    };
    if (crossed(low, range.high)) return both(low->sources, range.high->sources);
    if (crossed(range.low, high)) return both(high->sources, range.low->sources);
    if (low && high && low->value == high->value) {
      const auto it = range.excluded.find(low->value);
      if (it != range.excluded.end()) return both(both(low->sources, high->sources), it->second);
    }
    return {};
  }

  static void extend(std::optional<Bound>& sum, const std::optional<Bound>* bound,
                     const Rational& factor) {
    if (!sum) return;
    if (bound == nullptr || !*bound) {
      sum.reset();
      return;
    }
    sum->value = sum->value + factor * (*bound)->value;
    sum->strict = sum->strict || (*bound)->strict;
    sum->sources = both(sum->sources, (*bound)->sources);
  }

  [[nodiscard]] Sources conflict(Expr term, const Choice& choice) const {
    if (choice.is) {
      const auto it = choice.is_not.find(choice.is->first);
      return it == choice.is_not.end() ? Sources() : both(choice.is->second, it->second);
    }
    const TypeInfo& info = pool_.info(pool_.type(term));
    if (info.kind != TypeKind::Enum || choice.is_not.size() < info.values.size()) return {};
    Sources all;
    for (const auto& entry : choice.is_not) all = both(all, entry.second);
    return all;
  }

  const ExprPool& pool_;
  std::size_t facts_ = 0;
  std::unordered_map<Expr, Sources> true_, false_;
  std::map<Form, Range> ranges_;
  std::map<Expr, Choice> choices_;
  std::vector<std::pair<Literals, Sources>> disjunctions_;
  Sources found_;
};

}  // namespace

std::vector<std::size_t> contradiction(const ExprPool& pool, std::span<const Expr> conditions) {
  LiteralSet facts(pool);
  for (std::size_t i = 0; i < conditions.size(); ++i) facts.add(conditions[i], true, {i});
  Sources result = facts.conflict();
  return result.empty() ? facts.conflict_by_cases() : result;
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Conditions are taken apart into disjunctions of cubes. Connectives are lazy from left to right
// (expr.h), so `not (a and b)` is `not a`, or `a and not b` where b needs a to be defined. What
// chooses inside a term, `ite(c, x, y)` or the cell of an array that was just written, becomes a
// choice between cubes. Comparisons of whole numbers become bounds of a sum without a common factor
// whose first factor is positive, so that the same condition written differently is the same fact.
#include "engine/preimage/facts.h"

#include <algorithm>

#include "expr/hash.h"
#include "expr/linear.h"
#include "expr/traverse.h"

namespace whittle {

namespace {

constexpr std::size_t kMostWays = 200;
constexpr std::size_t kMostSummands = 5'000;
constexpr unsigned kMaxNesting = 40;        // of connectives and choices
constexpr std::size_t kMostWork = 200'000;  // subterms that are looked at for one condition
constexpr std::size_t kWorkOfWay = 20;      // as many as one look at a connective or a cube counts

// A bound of a fact; empty: too large, or what stands for none.
std::optional<std::int64_t> as_bound(const Integer& value) {
  const auto result = value.to_int64();
  return result == Facts::kLeast || result == Facts::kMost ? std::nullopt : result;
}

}  // namespace

std::size_t Facts::Hash::operator()(const Fact& fact) const {
  return hash_mix(hash_mix(fact.term, static_cast<std::size_t>(fact.low)),
                  static_cast<std::size_t>(fact.high));
}

std::size_t Facts::Hash::operator()(const std::vector<FactId>& ids) const {
  std::size_t result = 0;
  for (FactId id : ids) result = hash_mix(result, id);
  return result;
}

// ----- taking conditions apart

Facts::Ways Facts::ways(Expr condition) {
  work_ = 0;
  Ways result = ways(condition, true, 0);
  all_work_ += work_;
  return result;
}

Facts::Ways Facts::ways(Expr condition, bool truth, unsigned nesting) {
  work_ += kWorkOfWay;
  if (nesting > kMaxNesting || work_ > kMostWork) return std::nullopt;
  const auto children = pool_.children(condition);
  switch (pool_.op(condition)) {
    case Op::Const:
      if (pool_.is_true(condition) == truth) return std::vector<Cube>{Cube()};
      return std::vector<Cube>();
    case Op::Not:
      return ways(children[0], !truth, nesting + 1);
    case Op::And:
      return truth ? all_of(children, true, nesting) : some_of(children, false, nesting);
    case Op::Or:
      return truth ? some_of(children, true, nesting) : all_of(children, false, nesting);
    case Op::Implies: {
      const Expr parts[] = {pool_.negate(children[0]), children[1]};
      return truth ? some_of(parts, true, nesting) : all_of(parts, false, nesting);
    }
    case Op::Ite: {
      const Ways then =
          both(ways(children[0], true, nesting + 1), ways(children[1], truth, nesting + 1));
      return either(
          then, both(ways(children[0], false, nesting + 1), ways(children[2], truth, nesting + 1)));
    }
    case Op::Eq:
      if (pool_.kind(pool_.type(children[0])) == TypeKind::Bool) {
        const Ways yes =
            both(ways(children[0], true, nesting + 1), ways(children[1], truth, nesting + 1));
        return either(yes, both(ways(children[0], false, nesting + 1),
                                ways(children[1], !truth, nesting + 1)));
      }
      break;
    default:
      break;
  }
  return atom(condition, truth, nesting);
}

Facts::Ways Facts::all_of(std::span<const Expr> conditions, bool truth, unsigned nesting) {
  Ways result = std::vector<Cube>{Cube()};
  for (Expr condition : conditions) {
    if (!result || result->empty()) break;
    result = both(result, ways(condition, truth, nesting + 1));
  }
  return result;
}

// One of them, and where later ones need it for their definedness: none of those before.
Facts::Ways Facts::some_of(std::span<const Expr> conditions, bool truth, unsigned nesting) {
  Ways result = std::vector<Cube>();
  Ways before = std::vector<Cube>{Cube()};
  const bool total = std::all_of(conditions.begin(), conditions.end(),
                                 [&](Expr condition) { return pool_.total(condition); });
  for (Expr condition : conditions) {
    result = either(std::move(result), both(before, ways(condition, truth, nesting + 1)));
    if (!total) before = both(before, ways(condition, !truth, nesting + 1));
    if (!result) break;
  }
  return result;
}

Facts::Ways Facts::both(const Ways& a, const Ways& b) {
  if (!a || !b) return std::nullopt;
  work_ += a->size() * b->size() * kWorkOfWay;
  if (work_ > kMostWork) return std::nullopt;
  std::vector<Cube> result;
  for (const Cube& first : *a) {
    for (const Cube& second : *b) {
      Cube cube = first;
      if (meet(cube, second)) result.push_back(std::move(cube));
      if (result.size() > kMostWays) return std::nullopt;
    }
  }
  return result;
}

Facts::Ways Facts::either(Ways a, const Ways& b) {
  if (!a || !b || a->size() + b->size() > kMostWays) return std::nullopt;
  for (const Cube& cube : *b) {
    if (std::find(a->begin(), a->end(), cube) == a->end()) a->push_back(cube);
  }
  return a;
}

// A subterm that chooses between two: `ite`, or a cell of an array that was written or chosen. Not
// one inside another, which may decide whether it is defined: that comes later among the subterms.
// Invalid: there is none, or it may speak of what a quantifier binds.
Expr Facts::choice_in(Expr condition) {
  Expr found;
  bool quantified = false;
  for_each_subterm(pool_, condition, [&](Expr e) {
    ++work_;
    const Op op = pool_.op(e);
    quantified = quantified || op == Op::Forall || op == Op::Exists || op == Op::Filter;
    if (op == Op::Ite && pool_.kind(pool_.type(e)) != TypeKind::Array) found = e;
    if (op != Op::Select) return;
    const Op inner = pool_.op(pool_.child(e, 0));
    if (inner == Op::Store || inner == Op::Ite) found = e;
  });
  return quantified ? Expr() : found;
}

Facts::Ways Facts::atom(Expr condition, bool truth, unsigned nesting) {
  if (pool_.is_variable(condition)) return known(condition, truth ? 1 : 0, truth ? 1 : 0);
  const Expr choice = choice_in(condition);
  if (!choice.valid()) return comparison(condition, truth);
  const auto children = pool_.children(choice);
  Expr test, then, otherwise;
  if (pool_.op(choice) == Op::Ite) {
    test = children[0];
    then = children[1];
    otherwise = children[2];
  } else if (pool_.op(children[0]) == Op::Ite) {
    test = pool_.child(children[0], 0);
    then = pool_.select(pool_.child(children[0], 1), children[1]);
    otherwise = pool_.select(pool_.child(children[0], 2), children[1]);
  } else {
    test = pool_.eq(pool_.child(children[0], 1), children[1]);
    then = pool_.child(children[0], 2);
    otherwise = pool_.select(pool_.child(children[0], 0), children[1]);
  }
  auto with = [&](Expr chosen) {
    Rewriter replace(pool_,
                     [&](Expr e, std::span<const Expr>) { return e == choice ? chosen : Expr(); });
    return replace(condition);
  };
  const Ways first = both(ways(test, true, nesting + 1), ways(with(then), truth, nesting + 1));
  return either(first,
                both(ways(test, false, nesting + 1), ways(with(otherwise), truth, nesting + 1)));
}

// A condition without connectives and choices.
Facts::Ways Facts::comparison(Expr condition, bool truth) {
  const Op op = pool_.op(condition);
  const auto children = pool_.children(condition);
  const std::int64_t value = truth ? 1 : 0;
  if (op == Op::Eq && pool_.kind(pool_.type(children[0])) == TypeKind::Enum) {
    for (const std::size_t i : {0U, 1U}) {
      if (!pool_.is_const(children[i])) continue;
      const auto number = static_cast<std::int64_t>(pool_.value(children[i]).as_enum().index);
      return truth ? known(children[1 - i], number, number) : different(children[1 - i], number);
    }
  }
  const bool compares = op == Op::Eq || op == Op::Lt || op == Op::Le;
  if (!compares || pool_.kind(pool_.type(children[0])) != TypeKind::Int)
    return known(condition, value, value);
  // a - b = 0, a - b <= 0, or for a < b: a - b + 1 <= 0. Not a <= b is b < a.
  const bool flip = op != Op::Eq && !truth;
  const Rational one(Integer(1));
  const Summand sides[] = {{flip ? -one : one, children[0]}, {flip ? one : -one, children[1]}};
  auto sum = linear_form(pool_, sides, kMostSummands);
  if (!sum) return std::nullopt;
  if ((op == Op::Lt) != flip && op != Op::Eq) sum->constant = sum->constant + one;
  if (sum->factors.empty()) {
    const int sign = sum->constant.sign();
    const bool holds = op == Op::Eq ? (sign == 0) == truth : sign <= 0;
    return holds ? std::vector<Cube>{Cube()} : std::vector<Cube>();
  }
  // plain * by + constant
  const Rational by = sum->make_primitive();
  const Rational limit = -sum->constant / by;
  const Expr plain = homogeneous_part(pool_, *sum);
  if (op == Op::Eq) {
    if (!limit.is_integer()) return truth ? std::vector<Cube>() : std::vector<Cube>{Cube()};
    const auto number = as_bound(limit.numerator());
    if (!number) return std::nullopt;
    return truth ? known(plain, *number, *number) : different(plain, *number);
  }
  const bool lower = by.sign() < 0;
  const auto bound = as_bound(lower ? -(-limit).floor() : limit.floor());
  if (!bound) return std::nullopt;
  return lower ? known(plain, *bound, kMost) : known(plain, kLeast, *bound);
}

Facts::Ways Facts::known(Expr term, std::int64_t low, std::int64_t high) {
  if (low > high) return std::vector<Cube>();
  if (pool_.is_const(term)) {  // of an enumeration
    const auto number = static_cast<std::int64_t>(pool_.value(term).as_enum().index);
    return low <= number && number <= high ? std::vector<Cube>{Cube()} : std::vector<Cube>();
  }
  return std::vector<Cube>{{id_of({number_of(term), low, high})}};
}

Facts::Ways Facts::different(Expr sum, std::int64_t number) {
  const TypeInfo& type = pool_.info(pool_.type(sum));
  if (type.kind == TypeKind::Enum) {
    const auto last = static_cast<std::int64_t>(type.values.size()) - 1;
    if (number == 0) return known(sum, 1, last);
    if (number == last) return known(sum, 0, last - 1);
  }
  const Expr value = value_at(pool_.type(sum), number);
  const Expr equal = pool_.eq(sum, value);
  if (pool_.is_const(equal)) return ways(equal, false, 0);
  const std::uint32_t term = number_of(equal);
  terms_[term].unequal_sum = sum;
  terms_[term].unequal_number = number;
  return std::vector<Cube>{{id_of({term, 0, 0})}};
}

// ----- cubes

bool Facts::meet(Cube& cube, std::span<const FactId> more) {
  if (more.empty()) return true;
  Cube result;
  result.reserve(cube.size() + more.size());
  auto a = cube.begin();
  auto b = more.begin();
  while (a != cube.end() && b != more.end()) {
    const std::uint32_t term_a = facts_[*a].term;
    const std::uint32_t term_b = facts_[*b].term;
    if (term_a < term_b) {
      result.push_back(*a++);
    } else if (term_b < term_a) {
      result.push_back(*b++);
    } else {
      const Fact fact{term_a, std::max(facts_[*a].low, facts_[*b].low),
                      std::min(facts_[*a].high, facts_[*b].high)};
      if (fact.low > fact.high) return false;
      result.push_back(id_of(fact));
      ++a;
      ++b;
    }
  }
  result.insert(result.end(), a, cube.end());
  result.insert(result.end(), b, more.end());
  cube = std::move(result);
  return true;
}

bool Facts::implies(const Cube& cube, const Cube& other) const {
  auto mine = cube.begin();
  return std::all_of(other.begin(), other.end(), [&](FactId id) {
    const Fact& wanted = facts_[id];
    while (mine != cube.end() && facts_[*mine].term < wanted.term) ++mine;
    if (mine == cube.end()) return false;
    const Fact& given = facts_[*mine];
    return given.term == wanted.term && wanted.low <= given.low && given.high <= wanted.high;
  });
}

// x in 3..7 and x != 3:  x in 4..7
bool Facts::narrow_by_differences(Cube& cube) {
  for (std::size_t i = 0; i < cube.size();) {
    const FactTerm& info = term(cube[i]);
    if (!info.unequal_sum.valid() || fact(cube[i]).high != 0) {
      ++i;
      continue;
    }
    const std::uint32_t sum = number_of(info.unequal_sum);
    const std::int64_t number = term(cube[i]).unequal_number;
    const auto other =
        std::find_if(cube.begin(), cube.end(), [&](FactId id) { return facts_[id].term == sum; });
    if (other == cube.end()) {
      ++i;
      continue;
    }
    Fact range = facts_[*other];
    const bool inside = range.low < number && number < range.high;
    if (inside) {
      ++i;
      continue;
    }
    if (range.low == number) ++range.low;
    if (range.high == number) --range.high;
    if (range.low > range.high) return false;
    *other = id_of(range);
    cube.erase(cube.begin() + static_cast<std::ptrdiff_t>(i));
    i = 0;  // the narrower range may touch another difference
  }
  return true;
}

Facts::Ways Facts::settled(Cube start) {
  std::vector<Cube> done;
  std::vector<Cube> work = {std::move(start)};
  while (!work.empty()) {
    if (work.size() + done.size() > kMostWays) return std::nullopt;
    Cube cube = std::move(work.back());
    work.pop_back();
    if (!narrow_by_differences(cube)) continue;
    std::vector<FactId> values;  // what they say about the term of `open`
    const auto open = std::find_if(cube.begin(), cube.end(), [&](FactId id) {
      if (!term(id).variable) values = values_for(id, cube);
      return !values.empty();
    });
    if (open == cube.end()) {
      done.push_back(std::move(cube));
      continue;
    }
    const Ways& parts = with_values(*open, values);
    if (!parts) return std::nullopt;
    cube.erase(open);
    for (const Cube& part : *parts) {
      Cube next = cube;
      if (meet(next, part)) work.push_back(std::move(next));
    }
  }
  return done;
}

// Facts of the cube that give a variable in the term of this one a value.
std::vector<FactId> Facts::values_for(FactId id, const Cube& cube) const {
  const std::vector<SymbolId>& used = term(id).symbols;
  std::vector<FactId> result;
  for (FactId other : cube) {
    const Fact& range = fact(other);
    if (range.low != range.high || !term(other).variable) continue;
    if (std::binary_search(used.begin(), used.end(), term(other).symbols[0]))
      result.push_back(other);
  }
  return result;
}

// The fact, where these others hold, which say what variables are.
const Facts::Ways& Facts::with_values(FactId id, const std::vector<FactId>& values) {
  std::vector<FactId> key = values;
  key.push_back(id);
  const auto [found, fresh] = with_values_.try_emplace(std::move(key));
  if (!fresh) return found->second;
  Substitution known_values(pool_);
  for (FactId value : values) {
    const FactTerm& variable = term(value);
    known_values.set(variable.symbols[0], value_at(pool_.type(variable.expr), fact(value).low));
  }
  Ways result = ways(known_values(condition(id)));
  return found->second = std::move(result);
}

// ----- numbers of terms and facts

std::uint32_t Facts::number_of(Expr term) {
  if (const std::uint32_t* number = numbers_.find(term)) return *number;
  const auto number = static_cast<std::uint32_t>(terms_.size());
  numbers_.insert(term, number);
  FactTerm info;
  info.expr = term;
  info.symbols = symbols(pool_, term);
  std::sort(info.symbols.begin(), info.symbols.end());
  info.variable = pool_.is_variable(term);
  terms_.push_back(std::move(info));
  return number;
}

FactId Facts::id_of(const Fact& fact) {
  const auto [known, fresh] = ids_.try_emplace(fact, static_cast<FactId>(facts_.size()));
  if (fresh) facts_.push_back(fact);
  return known->second;
}

Expr Facts::value_at(Type type, std::int64_t number) {
  switch (pool_.kind(type)) {
    case TypeKind::Bool:
      return pool_.boolean(number != 0);
    case TypeKind::Enum:
      return pool_.constant(Value(EnumValue{static_cast<std::uint32_t>(number)}), type);
    default:
      return pool_.integer(Integer(static_cast<long long>(number)));
  }
}

Expr Facts::condition(FactId id) {
  const Fact range = facts_[id];
  const Expr expr = terms_[range.term].expr;
  const Type type = pool_.type(expr);
  if (pool_.kind(type) == TypeKind::Bool) return range.low == 1 ? expr : pool_.negate(expr);
  if (range.low == range.high) return pool_.eq(expr, value_at(type, range.low));
  std::vector<Expr> parts;
  if (pool_.kind(type) == TypeKind::Enum) {
    for (std::int64_t i = range.low; i <= range.high; ++i)
      parts.push_back(pool_.eq(expr, value_at(type, i)));
    return pool_.disj(parts);
  }
  if (range.low != kLeast) parts.push_back(pool_.le(value_at(type, range.low), expr));
  if (range.high != kMost) parts.push_back(pool_.le(expr, value_at(type, range.high)));
  return pool_.conj(parts);
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Conditions in disjunctive normal form. Connectives are lazy from left to right
// (expr.h), so `not (a and b)` is `not a`, or `a and not b` where b needs a to be defined. What
// chooses inside a term, `ite(c, x, y)` or the cell of an array that was just written, becomes a
// choice between cubes. Comparisons of whole numbers become bounds of a sum without a common factor
// whose first factor is positive, so that the same condition written differently is the same
// literal.
#include "engine/preimage/cube_builder.h"

#include <algorithm>

#include "expr/hash.h"
#include "expr/linear.h"
#include "expr/traverse.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxConditionCubes = 200;
constexpr std::size_t kMaxSummands = 5'000;
constexpr unsigned kMaxNesting = 40;       // of connectives and choices
constexpr std::size_t kMaxWork = 200'000;  // subterms that are looked at for one condition
constexpr std::size_t kWorkPerCube = 20;   // as many as one look at a connective or a cube counts

// A bound of a literal; empty: too large, or what stands for none.
std::optional<std::int64_t> as_bound(const Integer& value) {
  const auto result = value.to_int64();
  return result == CubeBuilder::kLeast || result == CubeBuilder::kMost ? std::nullopt : result;
}

}  // namespace

std::size_t CubeBuilder::Hash::operator()(const BoundLiteral& literal) const {
  return hash_mix(hash_mix(literal.term, static_cast<std::size_t>(literal.low)),
                  static_cast<std::size_t>(literal.high));
}

std::size_t CubeBuilder::Hash::operator()(const std::vector<LiteralId>& ids) const {
  std::size_t result = 0;
  for (LiteralId id : ids) result = hash_mix(result, id);
  return result;
}

// ----- disjunctive normal form

CubeBuilder::Dnf CubeBuilder::to_dnf(Expr condition) {
  work_ = 0;
  Dnf result = to_dnf(condition, true, 0);
  all_work_ += work_;
  return result;
}

CubeBuilder::Dnf CubeBuilder::to_dnf(Expr condition, bool truth, unsigned nesting) {
  work_ += kWorkPerCube;
  if (nesting > kMaxNesting || work_ > kMaxWork) return std::nullopt;
  const auto children = pool_.children(condition);
  switch (pool_.op(condition)) {
    case Op::Const:
      if (pool_.is_true(condition) == truth) return std::vector<Cube>{Cube()};
      return std::vector<Cube>();
    case Op::Not:
      return to_dnf(children[0], !truth, nesting + 1);
    case Op::And:
      return truth ? all_of(children, true, nesting) : some_of(children, false, nesting);
    case Op::Or:
      return truth ? some_of(children, true, nesting) : all_of(children, false, nesting);
    case Op::Implies: {
      const Expr parts[] = {pool_.negate(children[0]), children[1]};
      return truth ? some_of(parts, true, nesting) : all_of(parts, false, nesting);
    }
    case Op::Ite: {
      const Dnf then = conjunction(to_dnf(children[0], true, nesting + 1),
                                   to_dnf(children[1], truth, nesting + 1));
      return disjunction(then, conjunction(to_dnf(children[0], false, nesting + 1),
                                           to_dnf(children[2], truth, nesting + 1)));
    }
    case Op::Eq:
      if (pool_.kind(pool_.type(children[0])) == TypeKind::Bool) {
        const Dnf yes = conjunction(to_dnf(children[0], true, nesting + 1),
                                    to_dnf(children[1], truth, nesting + 1));
        return disjunction(yes, conjunction(to_dnf(children[0], false, nesting + 1),
                                            to_dnf(children[1], !truth, nesting + 1)));
      }
      break;
    default:
      break;
  }
  return atom(condition, truth, nesting);
}

CubeBuilder::Dnf CubeBuilder::all_of(std::span<const Expr> conditions, bool truth,
                                     unsigned nesting) {
  Dnf result = std::vector<Cube>{Cube()};
  for (Expr condition : conditions) {
    if (!result || result->empty()) break;
    result = conjunction(result, to_dnf(condition, truth, nesting + 1));
  }
  return result;
}

// One of them, and where later ones need it for their definedness: none of those before.
CubeBuilder::Dnf CubeBuilder::some_of(std::span<const Expr> conditions, bool truth,
                                      unsigned nesting) {
  Dnf result = std::vector<Cube>();
  Dnf before = std::vector<Cube>{Cube()};
  const bool total = std::all_of(conditions.begin(), conditions.end(),
                                 [&](Expr condition) { return pool_.total(condition); });
  for (Expr condition : conditions) {
    result =
        disjunction(std::move(result), conjunction(before, to_dnf(condition, truth, nesting + 1)));
    if (!total) before = conjunction(before, to_dnf(condition, !truth, nesting + 1));
    if (!result) break;
  }
  return result;
}

CubeBuilder::Dnf CubeBuilder::conjunction(const Dnf& a, const Dnf& b) {
  if (!a || !b) return std::nullopt;
  work_ += a->size() * b->size() * kWorkPerCube;
  if (work_ > kMaxWork) return std::nullopt;
  std::vector<Cube> result;
  for (const Cube& first : *a) {
    for (const Cube& second : *b) {
      Cube cube = first;
      if (meet(cube, second)) result.push_back(std::move(cube));
      if (result.size() > kMaxConditionCubes) return std::nullopt;
    }
  }
  return result;
}

CubeBuilder::Dnf CubeBuilder::disjunction(Dnf a, const Dnf& b) {
  if (!a || !b || a->size() + b->size() > kMaxConditionCubes) return std::nullopt;
  for (const Cube& cube : *b) {
    if (std::find(a->begin(), a->end(), cube) == a->end()) a->push_back(cube);
  }
  return a;
}

// A subterm that chooses between two: `ite`, or a cell of an array that was written or chosen. Not
// one inside another, which may decide whether it is defined: that comes later among the subterms.
// Invalid: there is none, or it may contain a bound symbol of a quantifier.
Expr CubeBuilder::choice_in(Expr condition) {
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

CubeBuilder::Dnf CubeBuilder::atom(Expr condition, bool truth, unsigned nesting) {
  if (pool_.is_variable(condition)) return in_range(condition, truth ? 1 : 0, truth ? 1 : 0);
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
  const Dnf first =
      conjunction(to_dnf(test, true, nesting + 1), to_dnf(with(then), truth, nesting + 1));
  return disjunction(first, conjunction(to_dnf(test, false, nesting + 1),
                                        to_dnf(with(otherwise), truth, nesting + 1)));
}

// A condition without connectives and choices.
CubeBuilder::Dnf CubeBuilder::comparison(Expr condition, bool truth) {
  const Op op = pool_.op(condition);
  const auto children = pool_.children(condition);
  const std::int64_t value = truth ? 1 : 0;
  if (op == Op::Eq && pool_.kind(pool_.type(children[0])) == TypeKind::Enum) {
    for (const std::size_t i : {0U, 1U}) {
      if (!pool_.is_const(children[i])) continue;
      const auto number = static_cast<std::int64_t>(pool_.value(children[i]).as_enum().index);
      return truth ? in_range(children[1 - i], number, number)
                   : disequality(children[1 - i], number);
    }
  }
  const bool compares = op == Op::Eq || op == Op::Lt || op == Op::Le;
  if (!compares || pool_.kind(pool_.type(children[0])) != TypeKind::Int)
    return in_range(condition, value, value);
  // a - b = 0, a - b <= 0, or for a < b: a - b + 1 <= 0. Not a <= b is b < a.
  const bool flip = op != Op::Eq && !truth;
  const Rational one(Integer(1));
  const Summand sides[] = {{flip ? -one : one, children[0]}, {flip ? one : -one, children[1]}};
  auto sum = linear_form(pool_, sides, kMaxSummands);
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
    return truth ? in_range(plain, *number, *number) : disequality(plain, *number);
  }
  const bool lower = by.sign() < 0;
  const auto bound = as_bound(lower ? -(-limit).floor() : limit.floor());
  if (!bound) return std::nullopt;
  return lower ? in_range(plain, *bound, kMost) : in_range(plain, kLeast, *bound);
}

CubeBuilder::Dnf CubeBuilder::in_range(Expr term, std::int64_t low, std::int64_t high) {
  if (low > high) return std::vector<Cube>();
  if (pool_.is_const(term)) {  // of an enumeration
    const auto number = static_cast<std::int64_t>(pool_.value(term).as_enum().index);
    return low <= number && number <= high ? std::vector<Cube>{Cube()} : std::vector<Cube>();
  }
  return std::vector<Cube>{{id_of({number_of(term), low, high})}};
}

CubeBuilder::Dnf CubeBuilder::disequality(Expr sum, std::int64_t number) {
  const TypeInfo& type = pool_.info(pool_.type(sum));
  if (type.kind == TypeKind::Enum) {
    const auto last = static_cast<std::int64_t>(type.values.size()) - 1;
    if (number == 0) return in_range(sum, 1, last);
    if (number == last) return in_range(sum, 0, last - 1);
  }
  const Expr value = value_at(pool_.type(sum), number);
  const Expr equal = pool_.eq(sum, value);
  if (pool_.is_const(equal)) return to_dnf(equal, false, 0);
  const std::uint32_t term = number_of(equal);
  terms_[term].unequal_sum = sum;
  terms_[term].unequal_number = number;
  return std::vector<Cube>{{id_of({term, 0, 0})}};
}

// ----- cubes

bool CubeBuilder::meet(Cube& cube, std::span<const LiteralId> more) {
  if (more.empty()) return true;
  Cube result;
  result.reserve(cube.size() + more.size());
  auto a = cube.begin();
  auto b = more.begin();
  while (a != cube.end() && b != more.end()) {
    const std::uint32_t term_a = literals_[*a].term;
    const std::uint32_t term_b = literals_[*b].term;
    if (term_a < term_b) {
      result.push_back(*a++);
    } else if (term_b < term_a) {
      result.push_back(*b++);
    } else {
      const BoundLiteral literal{term_a, std::max(literals_[*a].low, literals_[*b].low),
                                 std::min(literals_[*a].high, literals_[*b].high)};
      if (literal.low > literal.high) return false;
      result.push_back(id_of(literal));
      ++a;
      ++b;
    }
  }
  result.insert(result.end(), a, cube.end());
  result.insert(result.end(), b, more.end());
  cube = std::move(result);
  return true;
}

bool CubeBuilder::implies(const Cube& cube, const Cube& other) const {
  auto mine = cube.begin();
  return std::all_of(other.begin(), other.end(), [&](LiteralId id) {
    const BoundLiteral& wanted = literals_[id];
    while (mine != cube.end() && literals_[*mine].term < wanted.term) ++mine;
    if (mine == cube.end()) return false;
    const BoundLiteral& given = literals_[*mine];
    return given.term == wanted.term && wanted.low <= given.low && given.high <= wanted.high;
  });
}

// x in 3..7 and x != 3:  x in 4..7
bool CubeBuilder::narrow_by_disequalities(Cube& cube) {
  for (std::size_t i = 0; i < cube.size();) {
    const LiteralTerm& info = term(cube[i]);
    if (!info.unequal_sum.valid() || literal(cube[i]).high != 0) {
      ++i;
      continue;
    }
    const std::uint32_t sum = number_of(info.unequal_sum);
    const std::int64_t number = term(cube[i]).unequal_number;
    const auto other = std::find_if(cube.begin(), cube.end(),
                                    [&](LiteralId id) { return literals_[id].term == sum; });
    if (other == cube.end()) {
      ++i;
      continue;
    }
    BoundLiteral range = literals_[*other];
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

CubeBuilder::Dnf CubeBuilder::propagated(Cube start) {
  std::vector<Cube> done;
  std::vector<Cube> work = {std::move(start)};
  while (!work.empty()) {
    if (work.size() + done.size() > kMaxConditionCubes) return std::nullopt;
    Cube cube = std::move(work.back());
    work.pop_back();
    if (!narrow_by_disequalities(cube)) continue;
    std::vector<LiteralId> values;  // what they say about the term of `open`
    const auto open = std::find_if(cube.begin(), cube.end(), [&](LiteralId id) {
      if (!term(id).variable) values = values_for(id, cube);
      return !values.empty();
    });
    if (open == cube.end()) {
      done.push_back(std::move(cube));
      continue;
    }
    const Dnf& parts = instantiated(*open, values);
    if (!parts) return std::nullopt;
    cube.erase(open);
    for (const Cube& part : *parts) {
      Cube next = cube;
      if (meet(next, part)) work.push_back(std::move(next));
    }
  }
  return done;
}

// CubeBuilder of the cube that give a variable in the term of this one a value.
std::vector<LiteralId> CubeBuilder::values_for(LiteralId id, const Cube& cube) const {
  const std::vector<SymbolId>& used = term(id).symbols;
  std::vector<LiteralId> result;
  for (LiteralId other : cube) {
    const BoundLiteral& range = literal(other);
    if (range.low != range.high || !term(other).variable) continue;
    if (std::binary_search(used.begin(), used.end(), term(other).symbols[0]))
      result.push_back(other);
  }
  return result;
}

// The literal, where these others hold, which say what variables are.
const CubeBuilder::Dnf& CubeBuilder::instantiated(LiteralId id,
                                                  const std::vector<LiteralId>& values) {
  std::vector<LiteralId> key = values;
  key.push_back(id);
  const auto [found, fresh] = instantiated_.try_emplace(std::move(key));
  if (!fresh) return found->second;
  Substitution known_values(pool_);
  for (LiteralId value : values) {
    const LiteralTerm& variable = term(value);
    known_values.set(variable.symbols[0], value_at(pool_.type(variable.expr), literal(value).low));
  }
  Dnf result = to_dnf(known_values(condition(id)));
  return found->second = std::move(result);
}

// ----- numbers of terms and literals

std::uint32_t CubeBuilder::number_of(Expr term) {
  if (const std::uint32_t* number = numbers_.find(term)) return *number;
  const auto number = static_cast<std::uint32_t>(terms_.size());
  numbers_.insert(term, number);
  LiteralTerm info;
  info.expr = term;
  info.symbols = symbols(pool_, term);
  std::sort(info.symbols.begin(), info.symbols.end());
  info.variable = pool_.is_variable(term);
  terms_.push_back(std::move(info));
  return number;
}

LiteralId CubeBuilder::id_of(const BoundLiteral& literal) {
  const auto [known, fresh] = ids_.try_emplace(literal, static_cast<LiteralId>(literals_.size()));
  if (fresh) literals_.push_back(literal);
  return known->second;
}

Expr CubeBuilder::value_at(Type type, std::int64_t number) {
  switch (pool_.kind(type)) {
    case TypeKind::Bool:
      return pool_.boolean(number != 0);
    case TypeKind::Enum:
      return pool_.constant(Value(EnumValue{static_cast<std::uint32_t>(number)}), type);
    default:
      return pool_.integer(Integer(static_cast<long long>(number)));
  }
}

Expr CubeBuilder::condition(LiteralId id) {
  const BoundLiteral range = literals_[id];
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

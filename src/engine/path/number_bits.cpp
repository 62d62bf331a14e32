// SPDX-License-Identifier: Apache-2.0
#include "engine/path/number_bits.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "expr/traverse.h"

namespace whittle {

namespace {

// Beyond this adders and comparisons cost more than linear arithmetic does.
constexpr std::uint32_t kMostBits = 16;
// Ranges grow with depth; so the solver is not begun anew for every bit.
constexpr std::uint32_t kSpareBits = 2;

std::uint32_t signed_width(std::int64_t value) {
  const auto magnitude = static_cast<std::uint64_t>(value < 0 ? ~value : value);
  return static_cast<std::uint32_t>(std::bit_width(magnitude)) + 1;
}

}  // namespace

void NumberBits::learn(std::span<const Expr> conditions) {
  for (Expr condition : conditions) {
    for (Expr fact : conjuncts(pool_, condition)) learn_range(fact);
  }
  for (Expr condition : conditions) {
    if (!bounded_) return;
    for_each_new_subterm(
        pool_, condition, [&](Expr e) { return !bounded_ || ranges_.contains(e); },
        [&](Expr e) { find_range(e); });
  }
}

// `x <= 3`, `3 <= x`, `x == 3`, and the like
void NumberBits::learn_range(Expr fact) {
  const Op op = pool_.op(fact);
  if (op != Op::Le && op != Op::Lt && op != Op::Eq) return;
  for (const bool symbol_first : {true, false}) {
    const Expr symbol = pool_.child(fact, symbol_first ? 0 : 1);
    const Expr constant = pool_.child(fact, symbol_first ? 1 : 0);
    if (!pool_.is_variable(symbol) || !pool_.is_const(constant)) continue;
    if (pool_.kind(pool_.type(symbol)) != TypeKind::Int) continue;
    ValueRange range = ValueRange::only(pool_, pool_.value(constant), Type::integer());
    const Rational one(Integer(1));
    if (op == Op::Lt && range.low) {
      range.low = symbol_first ? *range.low - one : *range.low + one;
      range.high = range.low;
    }
    if (op != Op::Eq) (symbol_first ? range.low : range.high).reset();
    if (!stated_.insert(symbol, range)) {
      ValueRange& known = *stated_.find(symbol);
      known = meet(known, range);
    }
  }
}

void NumberBits::find_range(Expr term) {
  const Type type = pool_.type(term);
  const TypeKind kind = pool_.kind(type);
  const Op op = pool_.op(term);
  if (kind == TypeKind::Bool || kind == TypeKind::Enum || kind == TypeKind::BitVector) {
    const bool known = op == Op::Const || pool_.is_variable(term) || op == Op::Not ||
                       op == Op::And || op == Op::Or || op == Op::Implies || op == Op::Ite ||
                       op == Op::Eq || op == Op::Lt || op == Op::Le ||
                       (op >= Op::BvNot && op <= Op::BvSignExtend);
    if (!known) bounded_ = false;
    ranges_.insert(term, ValueRange::all(pool_, type));
    return;
  }
  if (kind != TypeKind::Int) {
    bounded_ = false;
    return;
  }
  ValueRange range;
  if (op == Op::Const) {
    range = ValueRange::only(pool_, pool_.value(term), type);
  } else if (pool_.is_variable(term)) {
    if (const ValueRange* stated = stated_.find(term)) range = *stated;
  } else {
    const bool known = op == Op::Neg || op == Op::Add || op == Op::Sub || op == Op::Mul ||
                       op == Op::Ite || divides_well(term);
    std::vector<ValueRange> arguments;
    for (Expr child : pool_.children(term)) arguments.push_back(*ranges_.find(child));
    if (known) range = applied(pool_, op, type, arguments);
  }
  // An empty range belongs to a question without models, which any width keeps so.
  if (range.kind != ValueRange::Kind::Numeric || !range.low || !range.high) {
    bounded_ = false;
    return;
  }
  for (const Rational& bound : {*range.low, *range.high}) {
    const std::optional<std::int64_t> value = bound.floor().to_int64();
    const std::uint32_t width = value ? signed_width(*value) : kMostBits + 1;
    needed_ = std::max(needed_, width);
  }
  if (needed_ > kMostBits) bounded_ = false;
  ranges_.insert(term, range);
}

// Division of something that is not negative by a positive constant: there bits and numbers agree.
bool NumberBits::divides_well(Expr term) const {
  if (pool_.op(term) != Op::IDiv && pool_.op(term) != Op::Mod) return false;
  const ValueRange* dividend = ranges_.find(pool_.child(term, 0));
  const ValueRange* divisor = ranges_.find(pool_.child(term, 1));
  return pool_.is_const(pool_.child(term, 1)) && divisor->low && divisor->low->sign() > 0 &&
         dividend->low && dividend->low->sign() >= 0;
}

bool NumberBits::outgrown() {
  if (width_ != 0 && needed_ <= width_) return false;
  const bool first = width_ == 0;
  width_ = needed_ + kSpareBits;
  translations_.clear();
  facts_.clear();
  return !first;
}

std::uint32_t NumberBits::width_of(Type type) const {
  const TypeInfo& info = pool_.info(type);
  if (info.kind == TypeKind::Int) return width_;
  return std::max<std::uint32_t>(
      1,
      static_cast<std::uint32_t>(std::bit_width(std::max<std::size_t>(1, info.values.size()) - 1)));
}

Expr NumberBits::bits(std::int64_t value, std::uint32_t width) {
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  const auto pattern = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) & mask);
  return pool_.constant(Value(BitVectorValue{Integer(pattern), width}),
                        pool_.bit_vector_type(width));
}

Expr NumberBits::operator()(Expr condition) {
  for_each_new_subterm(
      pool_, condition, [&](Expr e) { return translations_.contains(e); },
      [&](Expr e) { translations_.insert(e, translated(e)); });
  return *translations_.find(condition);
}

Expr NumberBits::translated(Expr term) {
  const TypeKind kind = pool_.kind(pool_.type(term));
  const bool other = kind == TypeKind::Bool || kind == TypeKind::BitVector;
  if (pool_.is_variable(term)) return other ? term : translated_symbol(term);
  if (pool_.is_const(term)) return other ? term : translated_constant(term);
  arguments_.clear();
  for (Expr child : pool_.children(term)) arguments_.push_back(*translations_.find(child));
  auto folded = [&](Op op) {
    Expr result = arguments_[0];
    for (std::size_t i = 1; i < arguments_.size(); ++i)
      result = pool_.make(op, {result, arguments_[i]});
    return result;
  };
  switch (pool_.op(term)) {
    case Op::Lt:
      return folded(Op::BvSLt);
    case Op::Le:
      return folded(Op::BvSLe);
    case Op::Neg:
      return pool_.make(Op::BvNeg, arguments_);
    case Op::Add:
      return folded(Op::BvAdd);
    case Op::Sub:
      return folded(Op::BvSub);
    case Op::Mul:
      return folded(Op::BvMul);
    case Op::IDiv:
      return folded(Op::BvUDiv);
    case Op::Mod:
      return folded(Op::BvURem);
    case Op::Eq:
    case Op::Ite:
      return pool_.make(pool_.op(term), arguments_);
    default:
      return pool_.with_arguments(term, arguments_);
  }
}

Expr NumberBits::translated_symbol(Expr term) {
  const Type type = pool_.type(term);
  const std::uint32_t width = width_of(type);
  const Expr symbol = pool_.symbol(
      pool_.declare(pool_.info(pool_.symbol_of(term)).name, pool_.bit_vector_type(width)));
  const std::size_t values = pool_.info(type).values.size();
  if (pool_.kind(type) == TypeKind::Enum && values < std::size_t{1} << width) {
    const Expr last = bits(static_cast<std::int64_t>(values) - 1, width);
    facts_.push_back(pool_.make(Op::BvULe, {symbol, last}));
  }
  return symbol;
}

Expr NumberBits::translated_constant(Expr term) {
  const Value& value = pool_.value(term);
  const std::uint32_t width = width_of(pool_.type(term));
  if (value.is_enum()) return bits(value.as_enum().index, width);
  return bits(*value.as_integer().to_int64(), width);
}

std::vector<Expr> NumberBits::take_facts() { return std::exchange(facts_, {}); }

Value NumberBits::value(Expr term, smt::Solver& solver) {
  if (pool_.is_const(term)) return pool_.value(term);
  WHITTLE_REQUIRE(pool_.is_variable(term), "values of symbols only");
  const Type type = pool_.type(term);
  const TypeKind kind = pool_.kind(type);
  const Expr* symbol = translations_.find(term);
  if (symbol == nullptr) return pool_.default_value(type);  // no condition speaks of it
  if (kind != TypeKind::Int && kind != TypeKind::Enum) return solver.value(term);
  const Integer pattern = solver.value(*symbol).as_bit_vector().bits;
  const std::int64_t number = *pattern.to_int64();
  if (kind == TypeKind::Enum) return EnumValue{static_cast<std::uint32_t>(number)};
  const std::int64_t half = std::int64_t{1} << (width_ - 1);
  return Integer(number < half ? number : number - 2 * half);
}

}  // namespace whittle

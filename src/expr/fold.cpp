// SPDX-License-Identifier: Apache-2.0
// Folding: what `make` simplifies. Every rule is local, looks at a bounded number of terms (or is
// linear in the arguments) and keeps the meaning including undefinedness: a subterm may only
// vanish if it is total, or if another occurrence of it is surely evaluated.
#include <algorithm>

#include "base/error.h"
#include "expr/evaluate.h"
#include "expr/expr.h"
#include "expr/expr_map.h"

namespace whittle {

namespace {

// A nested And inside And (Or in Or, ...) is flattened when it is small, or not much bigger than
// the rest; flattening always would make `acc = and(acc, x)` in a loop quadratic.
constexpr std::size_t kFlattenSmall = 16;
// Constants beyond these sizes are left unfolded, so that chains of folds stay linear.
constexpr std::size_t kFoldedEntries = 64;
constexpr std::size_t kFoldedText = 4096;
constexpr std::size_t kFoldedBits = 1U << 14;
// So far we look through stores for a constant index.
constexpr int kStoreSteps = 64;

std::size_t bits(const Integer& x) { return x.to_int64() ? 64 : x.bit_length(); }

std::size_t bits(const Value& v) {
  if (v.is_integer()) return bits(v.as_integer());
  if (v.is_real()) return std::max(bits(v.as_real().numerator()), bits(v.as_real().denominator()));
  return 0;
}

}  // namespace

std::vector<Expr>& ExprPool::flattened(Op op, std::span<const Expr> arguments) {
  std::vector<Expr>& result = scratch_;
  result.clear();
  std::size_t limit = std::max(kFlattenSmall, arguments.size() * 4);
  for (Expr a : arguments) {
    auto inner = children(a);
    if (this->op(a) == op && inner.size() <= limit) {
      result.insert(result.end(), inner.begin(), inner.end());
    } else {
      result.push_back(a);
    }
  }
  return result;
}

Expr ExprPool::fold(const Parts& parts) {
  if (Expr e = fold_constants(parts); e.valid()) return e;
  auto a = parts.arguments;
  switch (parts.op) {
    case Op::Not:
      return fold_not(a[0]);
    case Op::And:
    case Op::Or:
      return fold_junction(parts.op, a);
    case Op::Implies:
      return fold_implies(a[0], a[1]);
    case Op::Ite:
      return fold_ite(parts);
    case Op::Eq:
      return fold_eq(parts);
    case Op::Lt:
      if (a[0] == a[1] && total(a[0])) return false_;
      break;
    case Op::Le:
      if (a[0] == a[1] && total(a[0])) return true_;
      break;
    case Op::Add:
      return fold_sum(parts);
    case Op::Mul:
      return fold_product(parts);
    case Op::Concat:
      return fold_concat(parts);
    case Op::Neg:
    case Op::Sub:
    case Op::Div:
    case Op::IDiv:
    case Op::Mod:
    case Op::Pow:
    case Op::ToInt:
      return fold_arithmetic(parts);
    case Op::Select:
    case Op::Store:
      return fold_array(parts);
    case Op::Member:
    case Op::Union:
    case Op::Intersection:
    case Op::Difference:
    case Op::Subset:
    case Op::Forall:
    case Op::Exists:
    case Op::Filter:
      return fold_set(parts);
    case Op::BvNot:
    case Op::BvNeg:
      if (op(a[0]) == parts.op) return child(a[0], 0);
      break;
    case Op::BvExtract:
    case Op::BvZeroExtend:
    case Op::BvSignExtend:
      if (type(a[0]) == parts.type) return a[0];
      break;
    default:
      break;
  }
  return intern(parts);
}

Expr ExprPool::fold_constants(const Parts& parts) {
  switch (parts.op) {
    case Op::And:
    case Op::Or:
    case Op::Forall:
    case Op::Exists:
    case Op::Filter:
      return {};
    default:
      break;
  }
  const Value* few[4];
  std::vector<const Value*> many;
  if (parts.arguments.size() > 4) many.reserve(parts.arguments.size());
  std::size_t n = 0;
  std::size_t weight = 0;
  for (Expr a : parts.arguments) {
    if (!is_const(a)) return {};
    const Value& v = value(a);
    if (parts.op == Op::Concat) weight += v.as_string().size();
    if (v.is_array() && v.as_array().entries.size() > kFoldedEntries) return {};
    if (parts.op == Op::Mul) weight += bits(v);
    if (parts.arguments.size() > 4) {
      many.push_back(&v);
    } else {
      few[n++] = &v;
    }
  }
  if (parts.op == Op::Concat && weight > kFoldedText) return {};
  if (parts.op == Op::Mul && weight > kFoldedBits) return {};
  if (parts.op == Op::Pow && !parts.arguments.empty()) {
    auto exponent = value(parts.arguments[1]).as_integer().to_int64();
    if (!exponent ||
        bits(value(parts.arguments[0])) * static_cast<std::size_t>(*exponent) > kFoldedBits * 64) {
      return {};
    }
  }
  Operation operation;
  operation.op = parts.op;
  operation.type = parts.type;
  if (!parts.arguments.empty()) operation.operand = type(parts.arguments[0]);
  operation.low = parts.payload;
  std::span<const Value* const> values =
      many.empty() ? std::span<const Value* const>(few, n) : std::span<const Value* const>(many);
  auto result = apply_operator(*this, operation, values);
  return result ? constant(*result, parts.type) : Expr();
}

// --------------------------------------------------------------------------------------- Bool

namespace {

// The arguments kept so far: a few in an array, many in a hash table.
class Earlier {
 public:
  explicit Earlier(std::size_t expected) : many_(expected > kFew) {}

  [[nodiscard]] bool holds(Expr e) const {
    if (many_) return table_.contains(e);
    return std::find(few_, few_ + size_, e) != few_ + size_;
  }
  [[nodiscard]] bool holds_negation(Expr e) const {
    if (many_) return negated_table_.contains(e);
    return std::find(negated_, negated_ + size_, e) != negated_ + size_;
  }
  // `negated`: what `e` negates, or invalid.
  void add(Expr e, Expr negated) {
    if (many_) {
      table_.insert(e, true);
      if (negated.valid()) negated_table_.insert(negated, true);
    } else {
      few_[size_] = e;
      negated_[size_] = negated;
      ++size_;
    }
  }

 private:
  static constexpr std::size_t kFew = 32;
  bool many_;
  std::size_t size_ = 0;
  Expr few_[kFew];
  Expr negated_[kFew];
  ExprMap<bool> table_;
  ExprMap<bool> negated_table_;
};

}  // namespace

// In And, an argument is reached only when all before it are true (in Or: false). So a repetition
// decides nothing, the negation of an earlier one decides (it is `stop`), and nothing after `stop`
// is reached.
Expr ExprPool::fold_junction(Op op, std::span<const Expr> parts) {
  Expr skip = op == Op::And ? true_ : false_;
  Expr stop = op == Op::And ? false_ : true_;
  if (parts.size() == 2) {
    if (parts[0] == skip) return parts[1];
    if (parts[1] == skip || parts[0] == parts[1]) return parts[0];
    if (parts[0] == stop) return stop;
  }
  std::vector<Expr>& kept = flattened(op, parts);
  Earlier earlier(kept.size());
  bool stopped = false;
  std::size_t n = 0;
  for (Expr e : kept) {
    if (e == skip || earlier.holds(e)) continue;
    bool is_not = this->op(e) == Op::Not;
    stopped = e == stop || (is_not && earlier.holds(child(e, 0))) || earlier.holds_negation(e);
    if (stopped) break;
    kept[n++] = e;
    earlier.add(e, is_not ? child(e, 0) : Expr());
  }
  kept.resize(n);
  if (stopped) {
    while (!kept.empty() && total(kept.back())) kept.pop_back();
    kept.push_back(stop);
  }
  if (kept.empty()) return skip;
  if (kept.size() == 1) return kept[0];
  return intern({op, Type::boolean(), 0, kept});
}

Expr ExprPool::fold_not(Expr a) {
  switch (op(a)) {
    case Op::Const:
      return boolean(!value(a).as_bool());
    case Op::Not:
      return child(a, 0);
    case Op::Lt:
      return le(child(a, 1), child(a, 0));
    case Op::Le:
      return lt(child(a, 1), child(a, 0));
    default:
      return intern({Op::Not, Type::boolean(), 0, {&a, 1}});
  }
}

Expr ExprPool::fold_implies(Expr a, Expr b) {
  if (is_true(a)) return b;
  if (is_false(a)) return true_;
  if (is_false(b)) return fold_not(a);
  if ((is_true(b) || a == b) && total(a)) return true_;
  Expr both[] = {a, b};
  return intern({Op::Implies, Type::boolean(), 0, both});
}

Expr ExprPool::fold_ite(const Parts& parts) {
  Expr c = parts.arguments[0];
  Expr a = parts.arguments[1];
  Expr b = parts.arguments[2];
  if (is_true(c)) return a;
  if (is_false(c)) return b;
  if (a == b && total(c)) return a;
  if (op(c) == Op::Not) {
    Expr swapped[] = {child(c, 0), b, a};
    return fold_ite({Op::Ite, parts.type, 0, swapped});
  }
  if (is_true(a)) return is_false(b) ? c : disj(c, b);
  if (is_false(a)) return is_true(b) ? fold_not(c) : conj(fold_not(c), b);
  if (is_true(b)) return fold_implies(c, a);
  if (is_false(b)) return conj(c, a);
  return intern(parts);
}

Expr ExprPool::fold_eq(const Parts& parts) {
  Expr a = parts.arguments[0];
  Expr b = parts.arguments[1];
  if (a == b && total(a)) return true_;
  if (is_const(a)) std::swap(a, b);
  if (is_true(b)) return a;
  if (is_false(b)) return fold_not(a);
  Expr both[] = {a, b};
  return intern({Op::Eq, Type::boolean(), 0, both});
}

// --------------------------------------------------------------------------------- arithmetic

Expr ExprPool::number(Rational value, Type type) {
  return type == Type::real() ? real(std::move(value)) : integer(value.numerator());
}

namespace {

Rational number_of(const Value& v) {
  return v.is_integer() ? Rational(v.as_integer()) : v.as_real();
}

}  // namespace

// Constants are added up and stand last: x + 3.
Expr ExprPool::fold_sum(const Parts& parts) {
  std::vector<Expr>& kept = flattened(Op::Add, parts.arguments);
  Rational sum;
  std::size_t n = 0;
  for (Expr e : kept) {
    if (is_const(e)) {
      sum = sum + number_of(value(e));
    } else {
      kept[n++] = e;
    }
  }
  kept.resize(n);
  if (sum.sign() != 0 || kept.empty()) kept.push_back(number(sum, parts.type));
  if (kept.size() == 1) return kept[0];
  return intern({Op::Add, parts.type, 0, kept});
}

// Constants are multiplied and stand first: 3 * x. Zero swallows only what is total.
Expr ExprPool::fold_product(const Parts& parts) {
  const std::vector<Expr>& kept = flattened(Op::Mul, parts.arguments);
  std::size_t size = 0;
  for (Expr e : kept) size += is_const(e) ? bits(value(e)) : 0;
  if (size > kFoldedBits) return intern(parts);
  Rational product(Integer(1));
  std::vector<Expr> factors;
  factors.reserve(kept.size() + 1);
  factors.emplace_back();  // for the constant
  for (Expr e : kept) {
    if (is_const(e)) {
      product = product * number_of(value(e));
    } else {
      factors.push_back(e);
    }
  }
  if (product.sign() == 0) {
    std::erase_if(factors, [&](Expr e) { return e.valid() && total(e); });
  }
  factors[0] = number(product, parts.type);
  if (factors.size() == 1) return factors[0];
  if (product == Rational(Integer(1))) {
    factors.erase(factors.begin());
    if (factors.size() == 1) return factors[0];
  } else if (factors.size() == 2 && product == Rational(Integer(-1))) {
    return minus(factors[1]);
  }
  return intern({Op::Mul, parts.type, 0, factors});
}

Expr ExprPool::fold_arithmetic(const Parts& parts) {
  Expr a = parts.arguments[0];
  if (parts.op == Op::Neg) return op(a) == Op::Neg ? child(a, 0) : intern(parts);
  if (parts.op == Op::ToInt) return op(a) == Op::ToReal ? child(a, 0) : intern(parts);

  Expr b = parts.arguments[1];
  if (parts.op == Op::Sub && a == b && total(a)) return number(Rational(), parts.type);
  if (parts.op == Op::Sub && is_const(a) && number_of(value(a)).sign() == 0) return minus(b);
  if (!is_const(b)) return intern(parts);
  Rational k = number_of(value(b));
  bool one = k == Rational(Integer(1));
  switch (parts.op) {
    case Op::Sub:
      return add(a, number(-k, parts.type));
    case Op::Div:
    case Op::IDiv:
      if (one) return a;
      if (k == Rational(Integer(-1))) return minus(a);
      break;
    case Op::Mod:
      if (one && total(a)) return integer(0);
      break;
    case Op::Pow:
      if (one) return a;
      if (k.sign() == 0 && total(a)) return number(Rational(Integer(1)), parts.type);
      break;
    default:
      break;
  }
  return intern(parts);
}

// ---------------------------------------------------------------- strings, arrays and sets

Expr ExprPool::fold_concat(const Parts& parts) {
  std::vector<Expr> kept;
  for (Expr e : flattened(Op::Concat, parts.arguments)) {
    if (is_const(e)) {
      const std::string& text = value(e).as_string();
      if (text.empty()) continue;
      if (!kept.empty() && is_const(kept.back())) {
        const std::string& before = value(kept.back()).as_string();
        if (before.size() + text.size() <= kFoldedText) {
          kept.back() = string(before + text);
          continue;
        }
      }
    }
    kept.push_back(e);
  }
  if (kept.empty()) return string("");
  if (kept.size() == 1) return kept[0];
  return intern({Op::Concat, parts.type, 0, kept});
}

Expr ExprPool::fold_array(const Parts& parts) {
  Expr array = parts.arguments[0];
  Expr index = parts.arguments[1];
  Type array_type = type(array);
  if (parts.op == Op::Store) {
    // a[i := v][i := w] is a[i := w]; both are undefined for the same i.
    if (op(array) == Op::Store && child(array, 1) == index && total(child(array, 2))) {
      Expr outer[] = {child(array, 0), index, parts.arguments[2]};
      return fold_array({Op::Store, parts.type, 0, outer});
    }
    // a[i := a[i]] is a.
    Expr element = parts.arguments[2];
    if (op(element) == Op::Select && child(element, 0) == array && child(element, 1) == index &&
        total(element)) {
      return array;
    }
    return intern(parts);
  }
  for (int step = 0; step < kStoreSteps && op(array) == Op::Store && total(array); ++step) {
    Expr stored = child(array, 1);
    if (stored == index) return child(array, 2);
    if (!is_const(stored) || !is_const(index)) break;
    array = child(array, 0);
  }
  bool safe = total(array) && total(index) && index_in_range(array_type, index);
  if (op(array) == Op::ConstArray && safe) return child(array, 0);
  if (is_const(array) && is_const(index) && safe) {
    return constant(value(array).as_array().at(value(index)), parts.type);
  }
  Expr both[] = {array, index};
  return intern({Op::Select, parts.type, 0, both});
}

Expr ExprPool::fold_set(const Parts& parts) {
  auto a = parts.arguments;
  auto empty = [&](Expr e) { return is_const(e) && value(e).as_set().elements.empty(); };
  auto nothing = [&] { return constant(Value::set({}), parts.type); };
  switch (parts.op) {
    case Op::Member:
      if (empty(a[1]) && total(a[0])) return false_;
      break;
    case Op::Union:
      if (a[0] == a[1] || empty(a[1])) return a[0];
      if (empty(a[0])) return a[1];
      break;
    case Op::Intersection:
      if (a[0] == a[1]) return a[0];
      if ((empty(a[0]) && total(a[1])) || (empty(a[1]) && total(a[0]))) return nothing();
      break;
    case Op::Difference:
      if (empty(a[1])) return a[0];
      if ((a[0] == a[1] && total(a[0])) || (empty(a[0]) && total(a[1]))) return nothing();
      break;
    case Op::Subset:
      if ((a[0] == a[1] && total(a[0])) || (empty(a[0]) && total(a[1]))) return true_;
      break;
    case Op::Forall:
      if (empty(a[1]) || (is_true(a[2]) && total(a[1]))) return true_;
      break;
    case Op::Exists:
      if (empty(a[1]) || (is_false(a[2]) && total(a[1]))) return false_;
      break;
    case Op::Filter:
      if (empty(a[1]) || is_true(a[2])) return a[1];
      if (is_false(a[2]) && total(a[1])) return nothing();
      break;
    default:
      break;
  }
  return intern(parts);
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "driver/recovery_measures.h"

namespace whittle {

namespace {

constexpr std::size_t kMostNumbers = 12;  // variables that make measures of their own

// 0 where the condition holds; in parts that are conjunctions the sum, in alternatives the least.
class Distance {
 public:
  explicit Distance(ExprPool& pool) : pool_(pool) {}

  // `wanted`: true, or false.
  Expr operator()(Expr condition, bool wanted) {
    if (pool_.is_const(condition) || pool_.is_variable(condition))
      return one_unless(condition, wanted);
    switch (pool_.op(condition)) {
      case Op::Not:
        return (*this)(pool_.child(condition, 0), !wanted);
      case Op::And:
      case Op::Or:
        return joined(condition, wanted, (pool_.op(condition) == Op::And) == wanted);
      case Op::Implies: {
        const Expr left = (*this)(pool_.child(condition, 0), !wanted);
        const Expr right = (*this)(pool_.child(condition, 1), wanted);
        return wanted ? least(left, right) : sum(left, right);
      }
      case Op::Le:
      case Op::Lt:
        return compared(condition, wanted);
      case Op::Eq:
        return is_number(pool_.child(condition, 0)) && wanted ? apart(condition)
                                                              : one_unless(condition, wanted);
      default:
        return one_unless(condition, wanted);
    }
  }

 private:
  [[nodiscard]] bool is_number(Expr term) const {
    const Type type = pool_.type(term);
    return type == Type::integer() || type == Type::real();
  }
  [[nodiscard]] Expr number(long n, Type type) {
    return type == Type::real() ? pool_.real(Rational(Integer(n))) : pool_.integer(Integer(n));
  }
  // Parts may be of both types.
  Expr sum(Expr a, Expr b) { return pool_.type(a) == pool_.type(b) ? pool_.add(a, b) : a; }
  Expr least(Expr a, Expr b) {
    return pool_.type(a) == pool_.type(b) ? pool_.ite(pool_.le(a, b), a, b) : a;
  }

  Expr one_unless(Expr condition, bool wanted) {
    const Expr zero = number(0, Type::integer());
    const Expr one = number(1, Type::integer());
    return wanted ? pool_.ite(condition, zero, one) : pool_.ite(condition, one, zero);
  }
  Expr joined(Expr condition, bool wanted, bool all) {
    Expr result;
    for (const Expr child : pool_.children(condition)) {
      const Expr part = (*this)(child, wanted);
      if (result.valid())
        result = all ? sum(result, part) : least(result, part);
      else
        result = part;
    }
    return result.valid() ? result : number(0, Type::integer());
  }
  Expr not_negative(Expr term) {
    const Expr zero = number(0, pool_.type(term));
    return pool_.ite(pool_.le(zero, term), term, zero);
  }
  Expr compared(Expr condition, bool wanted) {
    const bool strict = (pool_.op(condition) == Op::Lt) == wanted;
    const Expr smaller = pool_.child(condition, wanted ? 0 : 1);
    const Expr larger = pool_.child(condition, wanted ? 1 : 0);
    Expr missing = pool_.sub(smaller, larger);
    if (strict) missing = pool_.add(missing, number(1, pool_.type(missing)));
    return not_negative(missing);
  }
  Expr apart(Expr equation) {
    const Expr a = pool_.child(equation, 0);
    const Expr b = pool_.child(equation, 1);
    return pool_.ite(pool_.le(a, b), pool_.sub(b, a), pool_.sub(a, b));
  }

  ExprPool& pool_;
};

}  // namespace

std::vector<Measure> measures_towards(const TransitionSystem& system, Expr condition) {
  ExprPool& pool = *system.pool;
  const Expr distance = Distance(pool)(condition, true);
  std::vector<Measure> result = {{distance}};
  std::vector<Expr> numbers;
  for (const StateVariable& variable : system.variables) {
    if (variable.type != Type::integer() && variable.type != Type::real()) continue;
    if (numbers.size() == 2 * kMostNumbers) break;
    const Expr value = pool.symbol(variable.current);
    numbers.push_back(value);
    numbers.push_back(pool.minus(value));
  }
  for (const Expr number : numbers) result.push_back({number, distance});
  for (const Expr number : numbers) result.push_back({distance, number});
  return result;
}

}  // namespace whittle

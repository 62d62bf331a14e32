// SPDX-License-Identifier: Apache-2.0
#include "simplify/network/sums.h"

#include <algorithm>
#include <unordered_map>

namespace whittle::simplify {

namespace {

constexpr std::size_t kMaxSummands = 64;

}  // namespace

std::vector<Summand> summands(const ExprPool& pool, Expr left, Expr right) {
  std::vector<Summand> result;
  std::vector<Summand> open = {{Rational(Integer(-1)), right}, {Rational(Integer(1)), left}};
  while (!open.empty()) {
    const Summand s = open.back();
    open.pop_back();
    const auto children = pool.children(s.term);
    const Rational negative = -s.factor;
    switch (pool.op(s.term)) {
      case Op::Add:
        for (std::size_t i = children.size(); i-- > 0;) open.push_back({s.factor, children[i]});
        break;
      case Op::Sub:
        for (std::size_t i = children.size(); i-- > 0;)
          open.push_back({i == 0 ? s.factor : negative, children[i]});
        break;
      case Op::Neg:
        open.push_back({negative, children[0]});
        break;
      case Op::Mul:
        if (children.size() == 2 && pool.is_const(children[0])) {
          const Value& number = pool.value(children[0]);
          const Rational by =
              number.is_integer() ? Rational(number.as_integer()) : number.as_real();
          open.push_back({s.factor * by, children[1]});
          break;
        }
        [[fallthrough]];
      default:
        result.push_back(s);
        break;
    }
    if (open.size() + result.size() > kMaxSummands) return {};
  }
  return result;
}

bool is_number(const ExprPool& pool, Expr e) {
  return pool.type(e) == Type::integer() || pool.type(e) == Type::real();
}

std::optional<std::size_t> solvable_place(const std::vector<Summand>& sum, bool integer,
                                          const std::function<bool(Expr)>& wanted) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (!wanted(sum[i].term)) continue;
    const bool unit =
        sum[i].factor == Rational(Integer(1)) || sum[i].factor == Rational(Integer(-1));
    if (integer ? !unit : sum[i].factor.sign() == 0) continue;
    bool once = true;
    for (std::size_t j = 0; j < sum.size(); ++j) once &= j == i || sum[j].term != sum[i].term;
    if (once) return i;
  }
  return std::nullopt;
}

bool sum_determines(ExprPool& pool, Expr equation, const std::unordered_set<SymbolId>& symbols) {
  const Expr left = pool.child(equation, 0);
  if (!is_number(pool, left)) return false;
  const auto sum = summands(pool, left, pool.child(equation, 1));
  return solvable_place(
             sum, pool.type(left) == Type::integer(),
             [&](Expr e) { return pool.is_variable(e) && symbols.contains(pool.symbol_of(e)); })
      .has_value();
}

bool same_sum(ExprPool& pool, Expr left, Expr right) {
  if (!is_number(pool, left)) return false;
  const auto sum = summands(pool, left, right);
  if (sum.empty()) return false;
  std::unordered_map<Expr, Rational> factors;  // of the constant: by no term
  for (const Summand& s : sum) {
    const bool number = pool.is_const(s.term);
    Rational value = s.factor;
    if (number) {
      const Value& v = pool.value(s.term);
      value = value * (v.is_integer() ? Rational(v.as_integer()) : v.as_real());
    }
    Rational& all = factors[number ? Expr() : s.term];
    all = all + value;
  }
  return std::all_of(factors.begin(), factors.end(),
                     [](const auto& entry) { return entry.second.sign() == 0; });
}

}  // namespace whittle::simplify

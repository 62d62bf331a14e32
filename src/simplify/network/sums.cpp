// SPDX-License-Identifier: Apache-2.0
#include "simplify/network/sums.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kMaxTerms = 128;  // of an equation

}  // namespace

std::vector<Summand> summands(const ExprPool& pool, Expr left, Expr right) {
  const Summand sides[] = {{Rational(Integer(1)), left}, {Rational(Integer(-1)), right}};
  return summands(pool, sides, kMaxTerms, Casts::Keep).value_or(std::vector<Summand>());
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
  const Summand sides[] = {{Rational(Integer(1)), left}, {Rational(Integer(-1)), right}};
  const auto difference = linear_form(pool, sides, kMaxTerms);
  return difference && difference->factors.empty() && difference->constant.sign() == 0;
}

}  // namespace whittle::simplify

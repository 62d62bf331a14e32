// SPDX-License-Identifier: Apache-2.0
#include "absint/linear_form.h"

namespace whittle::absint {

namespace {

constexpr unsigned kMaxDepth = 100;   // deeper terms are dimensions of their own
constexpr unsigned kMaxExponent = 4;  // higher powers, too

}  // namespace

std::size_t Dimensions::of(SymbolId symbol) {
  auto [known, added] = of_symbol_.try_emplace(symbol, size());
  if (added) integer_.push_back(pool_.info(symbol).type == Type::integer() ? 1 : 0);
  return known->second;
}

std::size_t Dimensions::fresh(bool integer) {
  integer_.push_back(integer ? 1 : 0);
  return size() - 1;
}

bool Dimensions::integer(const LinearForm& form) const {
  if (!form.constant.is_integer()) return false;
  for (const auto& [dimension, factor] : form.factors) {
    if (!factor.is_integer() || !integer(dimension)) return false;
  }
  return true;
}

LinearForm Dimensions::alone(std::size_t dimension) {
  LinearForm result;
  result.factors[dimension] = Rational(Integer(1));
  return result;
}

LinearForm Dimensions::opaque(Expr term) {
  auto [known, added] = of_term_.try_emplace(term, 0);
  if (added) known->second = fresh(pool_.type(term) == Type::integer());
  return alone(known->second);
}

LinearForm Dimensions::product(LinearForm a, LinearForm b, bool integer) {
  if (a.factors.empty()) std::swap(a, b);
  if (b.factors.empty()) {
    a.scale(b.constant);
    return a;
  }
  const std::size_t dimension = fresh(integer);
  products_.push_back({dimension, std::move(a), std::move(b)});
  return alone(dimension);
}

const LinearForm& Dimensions::form(Expr term) {
  const auto known = forms_.find(term);
  return known != forms_.end() ? known->second : forms_.emplace(term, form(term, 0)).first->second;
}

LinearForm Dimensions::form(Expr term, unsigned depth) {
  if (depth > kMaxDepth) return opaque(term);
  const Rational one(Integer(1));
  const bool integer = pool_.type(term) == Type::integer();
  // Each subterm once: a term that shares them can be exponentially larger as a tree.
  auto child = [&](std::size_t i) -> const LinearForm& {
    const Expr e = pool_.child(term, i);
    const auto known = forms_.find(e);
    return known != forms_.end() ? known->second
                                 : forms_.emplace(e, form(e, depth + 1)).first->second;
  };
  LinearForm result;
  switch (pool_.op(term)) {
    case Op::Const: {
      result.constant = rational(pool_.value(term));
      return result;
    }
    case Op::Apply:
      return pool_.is_variable(term) ? alone(of(pool_.symbol_of(term))) : opaque(term);
    case Op::Neg:
      result.add(child(0), -one);
      return result;
    case Op::Add:
      for (std::size_t i = 0; i < pool_.children(term).size(); ++i) result.add(child(i), one);
      return result;
    case Op::Sub:
      result = child(0);
      for (std::size_t i = 1; i < pool_.children(term).size(); ++i) result.add(child(i), -one);
      return result;
    case Op::ToReal:
      return child(0);
    case Op::Mul: {
      result = child(0);
      for (std::size_t i = 1; i < pool_.children(term).size(); ++i) {
        result = product(std::move(result), child(i), integer);
      }
      return result;
    }
    case Op::Pow: {
      const Value& exponent = pool_.value(pool_.child(term, 1));
      const auto times = exponent.is_integer() ? exponent.as_integer().to_int64() : std::nullopt;
      if (!times || *times < 1 || *times > kMaxExponent) return opaque(term);
      result = child(0);
      for (std::int64_t i = 1; i < *times; ++i) {
        result = product(std::move(result), child(0), integer);
      }
      return result;
    }
    case Op::Div: {
      result = child(0);
      const LinearForm divisor = child(1);
      if (!divisor.factors.empty() || divisor.constant.sign() == 0) return opaque(term);
      result.scale(one / divisor.constant);
      return result;
    }
    case Op::IDiv:
    case Op::Mod: {
      LinearForm dividend = child(0);
      const LinearForm divisor = child(1);
      if (!divisor.factors.empty() || divisor.constant.sign() <= 0) return opaque(term);
      const std::size_t quotient = fresh(true);
      quotients_.push_back({quotient, dividend, divisor.constant});
      if (pool_.op(term) == Op::IDiv) return alone(quotient);
      dividend.add(alone(quotient), -divisor.constant);
      return dividend;
    }
    default:
      return opaque(term);
  }
}

}  // namespace whittle::absint

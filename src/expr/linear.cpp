// SPDX-License-Identifier: Apache-2.0
#include "expr/linear.h"

#include "expr/traverse.h"

namespace whittle {

namespace {

constexpr unsigned kMaxDepth = 100;  // of terms that are linear in one symbol

// A product of constants and one other term, which is invalid if there are none or several.
Summand constant_multiple(const ExprPool& pool, Expr product) {
  Summand result{Rational(Integer(1)), Expr()};
  for (const Expr child : pool.children(product)) {
    if (pool.is_const(child)) {
      result.factor = result.factor * rational(pool.value(child));
    } else if (result.term.valid()) {
      return {};
    } else {
      result.term = child;
    }
  }
  return result;
}

}  // namespace

bool is_number(const ExprPool& pool, Expr e) {
  return pool.type(e) == Type::integer() || pool.type(e) == Type::real();
}

Rational rational(const Value& value) {
  return value.is_integer() ? Rational(value.as_integer()) : value.as_real();
}

std::optional<std::vector<Summand>> summands(const ExprPool& pool, std::span<const Summand> sum,
                                             std::size_t most, Casts casts) {
  std::vector<Summand> result;
  std::vector<Summand> open(sum.rbegin(), sum.rend());
  for (std::size_t visited = 0; !open.empty(); ++visited) {
    if (visited == most) return std::nullopt;
    const Summand s = std::move(open.back());
    open.pop_back();
    const auto children = pool.children(s.term);
    switch (pool.op(s.term)) {
      case Op::Add:
        for (std::size_t i = children.size(); i-- > 0;) open.push_back({s.factor, children[i]});
        continue;
      case Op::Sub:
        for (std::size_t i = children.size(); i-- > 0;)
          open.push_back({i == 0 ? s.factor : -s.factor, children[i]});
        continue;
      case Op::Neg:
        open.push_back({-s.factor, children[0]});
        continue;
      case Op::ToReal:
        if (casts == Casts::Keep) break;
        open.push_back({s.factor, children[0]});
        continue;
      case Op::Mul: {
        Summand inner = constant_multiple(pool, s.term);
        if (!inner.term.valid()) break;
        inner.factor = s.factor * inner.factor;
        open.push_back(std::move(inner));
        continue;
      }
      default:
        break;
    }
    result.push_back(s);
  }
  return result;
}

std::optional<LinearForm<Expr>> linear_form(const ExprPool& pool, std::span<const Summand> sum,
                                            std::size_t most) {
  const auto parts = summands(pool, sum, most, Casts::Through);
  if (!parts) return std::nullopt;
  LinearForm<Expr> result;
  for (const Summand& part : *parts) {
    if (pool.is_const(part.term)) {
      result.constant = result.constant + part.factor * rational(pool.value(part.term));
    } else if (part.factor.sign() != 0) {
      result.add(part.term, part.factor);
    }
  }
  return result;
}

std::optional<LinearForm<SymbolId>> variables_form(const ExprPool& pool, Expr term,
                                                   std::size_t most) {
  const Summand whole{Rational(Integer(1)), term};
  const auto form = linear_form(pool, {&whole, 1}, most);
  if (!form) return std::nullopt;
  LinearForm<SymbolId> result;
  result.constant = form->constant;
  for (const auto& [key, factor] : form->factors) {
    if (!pool.is_variable(key)) return std::nullopt;
    result.factors.emplace(pool.symbol_of(key), factor);
  }
  return result;
}

Expr homogeneous_part(ExprPool& pool, const LinearForm<Expr>& form) {
  const Rational one(Integer(1));
  std::vector<Expr> terms;
  for (const auto& [term, factor] : form.factors) {
    const bool integer = pool.type(term) == Type::integer();
    const Expr number = integer ? pool.integer(factor.numerator()) : pool.real(factor);
    terms.push_back(factor == one ? term : pool.mul(number, term));
  }
  return terms.size() == 1 ? terms[0] : pool.make(Op::Add, terms);
}

// ----- in one symbol

Expr LinearIn::number(int value) {
  return pool_.type(x_) == Type::real() ? pool_.real(Rational(Integer(value)))
                                        : pool_.integer(value);
}

bool LinearIn::mentions(Expr root) {
  for_each_new_subterm(
      pool_, root, [&](Expr e) { return mentions_.find(e) != nullptr; },
      [&](Expr e) {
        bool found = e == x_;
        for (const Expr child : pool_.children(e)) found = found || *mentions_.find(child);
        mentions_.insert(e, found);
      });
  return *mentions_.find(root);
}

std::optional<LinearIn::Form> LinearIn::form(Expr term) { return form(term, 0); }

std::optional<LinearIn::Form> LinearIn::form(Expr term, unsigned depth) {
  if (!mentions(term)) return Form{number(0), term};
  if (term == x_) return Form{number(1), number(0)};
  if (depth > kMaxDepth) return std::nullopt;
  switch (pool_.op(term)) {
    case Op::Neg: {
      const auto inner = form(pool_.child(term, 0), depth + 1);
      if (!inner) return std::nullopt;
      return Form{pool_.minus(inner->factor), pool_.minus(inner->rest)};
    }
    case Op::Add:
    case Op::Sub:
      return sum(term, depth);
    case Op::Mul:
      return product(term, depth);
    default:
      return std::nullopt;
  }
}

std::optional<LinearIn::Form> LinearIn::sum(Expr term, unsigned depth) {
  std::optional<Form> result;
  for (std::size_t i = 0; i < pool_.children(term).size(); ++i) {
    const auto inner = form(pool_.child(term, i), depth + 1);
    if (!inner) return std::nullopt;
    if (!result) {
      result = inner;
    } else if (pool_.op(term) == Op::Add) {
      result = Form{pool_.add(result->factor, inner->factor), pool_.add(result->rest, inner->rest)};
    } else {
      result = Form{pool_.sub(result->factor, inner->factor), pool_.sub(result->rest, inner->rest)};
    }
  }
  return result;
}

std::optional<LinearIn::Form> LinearIn::product(Expr term, unsigned depth) {
  Form result{number(0), number(1)};
  bool seen = false;
  for (std::size_t i = 0; i < pool_.children(term).size(); ++i) {
    const Expr child = pool_.child(term, i);
    if (!mentions(child)) {
      result = {pool_.mul(result.factor, child), pool_.mul(result.rest, child)};
      continue;
    }
    if (seen) return std::nullopt;  // a square
    seen = true;
    const auto inner = form(child, depth + 1);
    if (!inner) return std::nullopt;
    // result.factor is zero so far
    result = {pool_.mul(result.rest, inner->factor), pool_.mul(result.rest, inner->rest)};
  }
  return result;
}

}  // namespace whittle

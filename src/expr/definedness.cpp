// SPDX-License-Identifier: Apache-2.0
// Where a term is defined. With D for the result:
//
//   D(a && b)     = D(a) && (a -> D(b))          D(a / b)          = D(a) && D(b) && b != 0
//   D(a || b)     = D(a) && (a || D(b))          D(a[i])           = D(a) && D(i) && 0 <= i <
//   length D(a -> b)     = D(a) && (a -> D(b))          D(forall x in s: b) = D(s) && forall x in
//   s: D(b) D(c ? a : b)  = D(c) && (c ? D(a) : D(b))    D(f(a, ..))       = D(a) && ..
//
// Values stand only behind their own definedness, so the result is never undefined.
#include "expr/traverse.h"

namespace whittle {

namespace {

class Definedness {
 public:
  explicit Definedness(ExprPool& pool) : pool_(pool) {}

  Expr operator()(Expr root) {
    stack_.emplace_back(root, 0);
    while (!stack_.empty()) {
      Expr e = stack_.back().first;
      auto children = pool_.children(e);
      std::uint32_t next = stack_.back().second;
      while (next < children.size() && known(children[next])) ++next;
      if (next < children.size()) {
        stack_.back().second = next + 1;
        stack_.emplace_back(children[next], 0);
      } else {
        stack_.pop_back();
        if (!known(e)) done_.insert(e, compute(e));
      }
    }
    return of(root);
  }

 private:
  [[nodiscard]] bool known(Expr e) const { return pool_.total(e) || done_.contains(e); }
  [[nodiscard]] Expr of(Expr e) { return pool_.total(e) ? pool_.boolean(true) : *done_.find(e); }

  Expr compute(Expr e);
  Expr junction(Expr e);
  Expr all(std::span<const Expr> parts, Expr last);
  Expr in_range(Expr array, Expr index);
  Expr quantified(Expr e);

  ExprPool& pool_;
  ExprMap<Expr> done_;
  std::vector<std::pair<Expr, std::uint32_t>> stack_;
};

// All parts are defined and `last` holds.
Expr Definedness::all(std::span<const Expr> parts, Expr last) {
  std::vector<Expr> conditions;
  for (Expr part : parts) {
    if (!pool_.total(part)) conditions.push_back(of(part));
  }
  conditions.push_back(last);
  return pool_.conj(conditions);
}

Expr Definedness::junction(Expr e) {
  bool is_or = pool_.op(e) == Op::Or;
  auto children = pool_.children(e);
  Expr rest = of(children.back());
  for (std::size_t i = children.size() - 1; i-- > 0;) {
    Expr a = children[i];
    if (!pool_.is_true(rest)) rest = is_or ? pool_.disj(a, rest) : pool_.implies(a, rest);
    rest = pool_.conj(of(a), rest);
  }
  return rest;
}

Expr Definedness::in_range(Expr array, Expr index) {
  const auto& length = pool_.info(pool_.type(array)).length;
  if (!length) return pool_.boolean(true);
  Expr zero = pool_.integer(0);
  Expr end = pool_.integer(Integer(static_cast<unsigned long>(*length)));
  return pool_.conj(pool_.le(zero, index), pool_.lt(index, end));
}

Expr Definedness::quantified(Expr e) {
  auto children = pool_.children(e);
  Expr body = of(children[2]);
  if (pool_.is_true(body)) return of(children[1]);
  Expr every = pool_.make(Op::Forall, {children[0], children[1], body});
  return pool_.conj(of(children[1]), every);
}

Expr Definedness::compute(Expr e) {
  auto children = pool_.children(e);
  switch (pool_.op(e)) {
    case Op::And:
    case Op::Or:
    case Op::Implies:
      return junction(e);
    case Op::Ite: {
      Expr a = of(children[1]);
      Expr b = of(children[2]);
      if (pool_.is_true(a) && pool_.is_true(b)) return of(children[0]);
      return pool_.conj(of(children[0]), pool_.ite(children[0], a, b));
    }
    case Op::Div:
    case Op::IDiv:
    case Op::Mod: {
      Expr zero = pool_.op(e) == Op::Div ? pool_.real(Rational()) : pool_.integer(0);
      return all(children, pool_.ne(children[1], zero));
    }
    case Op::Select:
    case Op::Store:
      return all(children, in_range(children[0], children[1]));
    case Op::Forall:
    case Op::Exists:
    case Op::Filter:
      return quantified(e);
    default:
      return all(children, pool_.boolean(true));
  }
}

}  // namespace

Expr definedness(ExprPool& pool, Expr e) { return Definedness(pool)(e); }

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Terms without the operators that solvers lack: powers, quantifiers over sets, comprehensions,
// sizes, and membership in a set whose elements are written down. What is left is "plain":
// booleans, arithmetic, strings, arrays, and sets only as symbols under Union, Intersection,
// Difference, SetOf, Eq and Member.
#pragma once

#include <vector>

#include "expr/expr.h"
#include "expr/traverse.h"
#include "smt/term_map.h"

namespace whittle::smt {

class Expander {
 public:
  explicit Expander(ExprPool& pool);

  // Equal to `e` on all total terms. Throws Unsupported where a set's elements are not known and
  // its element type is not small.
  Expr operator()(Expr e);

 private:
  enum class State : std::uint8_t { Unseen, Plain, Expandable };

  State state(Expr e);
  Expr step(Expr original, std::span<const Expr> arguments);
  Expr power(Expr base, Expr exponent);
  Expr member(Expr element, Expr set);
  Expr quantified(Op op, Expr bound, Expr set, Expr body);
  Expr filtered(Type type, Expr bound, Expr set, Expr body);
  Expr cardinality(Expr set);
  Expr subset(Expr a, Expr b);
  Expr set_equality(Expr a, Expr b);

  // Terms among which all elements of the set are; none when they are not known.
  std::optional<std::vector<Expr>> candidates(Expr set);
  std::vector<Expr> known_candidates(Expr set, const char* what);
  std::optional<std::vector<Expr>> values_of(Type type);
  // True where a candidate is an element anyway.
  bool all_candidates_belong(Expr set) const;

  ExprPool& pool_;
  TermMap<State> states_;
  Rewriter rewriter_;
};

}  // namespace whittle::smt

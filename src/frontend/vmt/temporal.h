// SPDX-License-Identifier: Apache-2.0
// The temporal operators of VMT-LIB (ltl.G, ltl.F, ltl.X, ltl.U, ltl.R). While a file is read they
// are functions over Bool terms that mean nothing, so that definitions, `let` and the connectives
// work as for all terms: what connectives simplify is right at every position of a run.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "expr/expr.h"
#include "ir/ltl.h"

namespace whittle::vmt {

class TemporalOperators {
 public:
  explicit TemporalOperators(ExprPool& pool);

  // How many arguments the operator has; 0: there is none of this name.
  [[nodiscard]] static std::size_t arity(std::string_view name);
  // requires: `name` is one, as many arguments, all Bool
  [[nodiscard]] Expr apply(ExprPool& pool, std::string_view name,
                           std::span<const Expr> arguments) const;
  // Does one occur?
  [[nodiscard]] bool mentioned(const ExprPool& pool, Expr e) const;
  // What a term says of runs; invalid: an operator stands where a value is needed.
  [[nodiscard]] LtlFormula formula(LtlPool& ltl, ExprPool& pool, Expr e) const;
  // The other way round. requires: no operator about the past
  [[nodiscard]] Expr term(const LtlPool& ltl, ExprPool& pool, LtlFormula f) const;

 private:
  enum Position : std::size_t { G, F, X, U, R };
  [[nodiscard]] std::optional<Position> position(const ExprPool& pool, Expr e) const;

  std::array<SymbolId, 5> symbols_;
};

}  // namespace whittle::vmt

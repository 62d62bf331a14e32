// SPDX-License-Identifier: Apache-2.0
// Our plain terms as cvc5's, and cvc5's values as ours.
#pragma once

#include <cvc5/cvc5.h>

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "expr/expr.h"
#include "smt/logic.h"
#include "smt/translate.h"

namespace whittle::smt {

class Cvc5Terms {
 public:
  using Term = cvc5::Term;
  // Gets what must hold for the terms to mean what ours do (ranges of enumerations).
  using OnFact = std::function<void(const cvc5::Term&)>;

  // `datatypes`: the enumerations that become datatypes; the others are integers.
  Cvc5Terms(const ExprPool& pool, cvc5::Solver& solver, std::set<Type> datatypes, OnFact on_fact);

  cvc5::Term operator()(Expr e) { return translator_(e); }
  const cvc5::Term& symbol(SymbolId symbol);
  [[nodiscard]] bool knows(SymbolId symbol) const { return symbols_.contains(symbol); }
  cvc5::Term constant(const Value& value, Type type);
  // Throws NoValue.
  Value value(const cvc5::Term& term, Type type);

 private:
  friend class Translator<Cvc5Terms>;
  cvc5::Term build(Expr e, std::span<const cvc5::Term> children);
  cvc5::Term name(Expr e, const cvc5::Term& term);
  cvc5::Op indexed(Expr e);
  cvc5::Term set_of(Type type, std::span<const cvc5::Term> elements);
  const cvc5::Sort& sort(Type type);
  cvc5::Sort make_sort(Type type);
  Value array_value(cvc5::Term term, const TypeInfo& info);

  const ExprPool& pool_;
  cvc5::Solver& cvc5_;
  std::set<Type> datatypes_;
  OnFact on_fact_;
  std::unordered_map<std::uint32_t, cvc5::Sort> sorts_;                // by type
  std::unordered_map<std::uint32_t, std::vector<cvc5::Term>> values_;  // of datatypes, by type
  std::unordered_map<SymbolId, cvc5::Term> symbols_;
  std::vector<cvc5::Term> arguments_;  // kept to save allocations
  unsigned names_ = 0;                 // of deep subterms so far
  Translator<Cvc5Terms> translator_;
};

}  // namespace whittle::smt

// SPDX-License-Identifier: Apache-2.0
// Which theories a set of terms needs. A solver that is told is up to ten times faster than one
// that must be ready for everything.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "expr/expr.h"
#include "smt/term_map.h"

namespace whittle::smt {

struct Logic {
  bool arrays = false;
  bool sets = false;
  bool functions = false;  // symbols with parameters
  bool bit_vectors = false;
  bool strings = false;
  bool integers = false;  // Int, and enumerations that are coded as Int
  bool reals = false;
  bool nonlinear = false;  // products, quotients or remainders of terms that are not constant
  bool division = false;   // integer quotients or remainders by constants
  // No theory, but what to expect: a solver may take the time to simplify everything that is
  // required and assumed for each check, and forget what it has learned.
  bool few_hard_checks = false;

  // Enumerations are integers with a range, which is two to fifty times faster than a datatype
  // (bounded model checking of 3 machines with 8 locations, depth 12: Z3 0.5 s against 1.4 s, cvc5
  // 0.4 s against 24 s). Only inside arrays, sets and signatures of functions a range cannot be
  // stated without quantifiers; the enumerations found there are datatypes everywhere.
  std::set<Type> datatypes;

  bool operator==(const Logic&) const = default;
  [[nodiscard]] bool includes(const Logic& other) const;
  [[nodiscard]] Logic join(const Logic& other) const;
  // "QF_LIA", "QF_AUFLIRA", ...; "ALL" where SMT-LIB has no name for the combination.
  [[nodiscard]] std::string name() const;
  // For a text that any solver reads: Z3's reader knows constant arrays only in "ALL".
  [[nodiscard]] std::string name_in_text() const { return arrays ? "ALL" : name(); }
};

// Adds what more and more terms need; looks at each distinct subterm once.
class LogicScanner {
 public:
  explicit LogicScanner(const ExprPool& pool) : pool_(pool) {}
  // Returns whether the logic grew.
  bool add(Expr term);
  [[nodiscard]] const Logic& logic() const { return logic_; }
  void expect(const Logic& logic) { logic_ = logic_.join(logic); }

 private:
  void look(Expr e);
  void look(Type type, bool inside);

  const ExprPool& pool_;
  Logic logic_;
  TermMap<bool> seen_;
  std::vector<std::uint8_t> types_;  // per type: 1 seen on its own, 2 seen inside another
};

[[nodiscard]] Logic logic_of(const ExprPool& pool, std::span<const Expr> terms);

}  // namespace whittle::smt

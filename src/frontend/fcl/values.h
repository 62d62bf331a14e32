// SPDX-License-Identifier: Apache-2.0
// Expressions of FCL as terms. Everything is total: the first element of an empty list is 0, and so
// is what is divided by zero.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/fcl/ast.h"
#include "frontend/fcl/types.h"
#include "ir/network.h"

namespace whittle::fcl {

// The variables of the network that make up one of the program. A list has a length, unless it is a
// stream, and its first element, or all of them from an index on.
struct Parts {
  VariableId number;  // of a number or a value of an enumeration
  VariableId length;
  VariableId head;
  VariableId items;
  VariableId from;
  std::optional<Range> range;  // of the number or the elements
};

// A value, by the same parts.
struct Term {
  Expr value;  // a number, a value of an enumeration, or a condition; of a list its first element
  Expr length, items, from;
};

// Where expressions stand: what variables and places mean there.
struct Surroundings {
  std::function<Expr(VariableId)> read;
  std::function<Expr(const Expression&)> place;  // `[l.i]`; invalid: reported
  std::function<Expr(Type)> input;               // for `?`
};

class Values {
 public:
  Values(const File& file, const Types& types, const std::vector<Type>& enums,
         const std::map<std::string, Parts>& variables, ExprPool& pool)
      : file_(file), types_(types), enums_(enums), variables_(variables), pool_(pool) {}

  [[nodiscard]] Term term(ExprId root, const Surroundings& at) const;
  // As a number (or a value of an enumeration), and as a condition.
  [[nodiscard]] Expr number(ExprId root, const Surroundings& at) const;
  [[nodiscard]] Expr condition(ExprId root, const Surroundings& at) const;

 private:
  [[nodiscard]] Term one(ExprId id, const std::vector<Term>& operands,
                         const Surroundings& at) const;
  [[nodiscard]] Term named(const std::string& name, const Surroundings& at) const;
  [[nodiscard]] Expr first_element(const Term& list, const Surroundings& at) const;
  [[nodiscard]] Term anything(ExprId id, const Surroundings& at) const;
  [[nodiscard]] Expr choice(const std::vector<Term>& operands, const Surroundings& at) const;
  [[nodiscard]] Expr junction(Operator op, const std::vector<Term>& operands) const;
  [[nodiscard]] Expr arithmetic(Operator op, const std::vector<Expr>& numbers) const;
  [[nodiscard]] Expr divided(Operator op, Expr a, Expr b) const;
  [[nodiscard]] Expr as_number(Expr e) const;
  [[nodiscard]] Expr as_condition(Expr e) const;

  const File& file_;
  const Types& types_;
  const std::vector<Type>& enums_;
  const std::map<std::string, Parts>& variables_;
  ExprPool& pool_;
};

}  // namespace whittle::fcl

// SPDX-License-Identifier: Apache-2.0
// What the variables of a program are: numbers, lists or values of an enumeration, found by
// unification; nothing has to be declared.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "frontend/fcl/ast.h"

namespace whittle::fcl {

enum class Sort : std::uint8_t { Unknown, Number, List, Enum };

struct VariableType {
  Sort sort = Sort::Number;
  std::uint32_t enumeration = 0;  // Enum: index in File::enums
  // A list that is copied or built with `cons`, so that its elements have to be kept. One that is
  // only consumed is known by its length and its first element.
  bool stored = false;
  Span first;  // where it is mentioned first
};

class Types {
 public:
  // Reports what does not fit.
  Types(const File& file, Diagnostics& diagnostics);

  // Every variable of the program, by name.
  [[nodiscard]] const std::map<std::string, VariableType>& variables() const { return variables_; }
  // Of an expression; Number where nothing else is known.
  [[nodiscard]] Sort sort(ExprId e) const;
  [[nodiscard]] std::uint32_t enumeration(ExprId e) const { return classes_[find(of_[e])].which; }
  // The value of an enumeration with this name; false: there is none.
  [[nodiscard]] bool find_value(const std::string& name, std::uint32_t& enumeration,
                                std::uint32_t& value) const;

 private:
  struct Class {
    std::uint32_t parent = 0;
    Sort sort = Sort::Unknown;
    std::uint32_t which = 0;
    Span because;
  };
  using Node = std::uint32_t;

  Node fresh(Sort sort, Span because, std::uint32_t which = 0);
  [[nodiscard]] Node find(Node n) const;
  void unify(Node a, Node b, Span at);
  void require(ExprId e, Sort sort);
  Node variable(const std::string& name, Span at);
  void mismatch(const Class& a, const Class& b, Span at);
  void declarations();
  void program();
  void expression(ExprId e);
  void find_stored();
  void finish();

  const File& file_;
  Diagnostics& diagnostics_;
  std::vector<Class> classes_;
  std::vector<Node> of_;  // by expression
  std::map<std::string, Node> nodes_;
  std::map<std::string, VariableType> variables_;
  std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> values_;
};

}  // namespace whittle::fcl

// SPDX-License-Identifier: Apache-2.0
// Which variables are bit vectors. Engines are at home in arithmetic, so integers are numbers; only
// where bit operations meet a variable, and whatever is assigned to it or compared with it, its
// class becomes bits.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "frontend/c/constants.h"
#include "frontend/c/options.h"
#include "frontend/c/tree.h"

namespace whittle::c {

class Representation {
 public:
  // Of what `main` reaches.
  Representation(const Unit& unit, FunctionId main, Numbers numbers);

  [[nodiscard]] bool bits(ObjectId object) const { return marked_[root(object)]; }
  [[nodiscard]] bool result_bits(FunctionId function) const {
    return marked_[root(objects_ + function)];
  }

 private:
  using Class = std::uint32_t;  // kNone: of no variable

  [[nodiscard]] Class root(Class c) const;
  Class join(Class a, Class b);
  void mark(Class c) {
    if (c != kNone) marked_[root(c)] = true;
  }
  Class of_object(ObjectId id) const;
  void function(FunctionId id);
  void statement(StatementId id, FunctionId function);
  void initializer(std::uint32_t id, Class target);
  Class expression(ExpressionId id);
  Class operation(Operator op, ExpressionId left, Class a, ExpressionId right, Class b);
  Class call(const Expression& e);
  [[nodiscard]] bool boolean(ExpressionId id) const;

  const Unit& unit_;
  Constants constants_;
  std::uint32_t objects_;
  bool all_;
  mutable std::vector<Class> parents_;
  std::vector<bool> marked_;
  std::vector<bool> seen_;
  std::vector<FunctionId> open_;
};

}  // namespace whittle::c

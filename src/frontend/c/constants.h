// SPDX-License-Identifier: Apache-2.0
// Constant expressions: lengths of arrays, labels of cases, values of enumerations, initial values.
#pragma once

#include <optional>

#include "frontend/c/arithmetic.h"
#include "frontend/c/tree.h"

namespace whittle::c {

class Constants {
 public:
  explicit Constants(const Unit& unit)
      : unit_(unit), arithmetic_(pool_, unit.types, false, false) {}

  // None: it is not an integer that is known here.
  [[nodiscard]] std::optional<Integer> value(ExpressionId id) const;

 private:
  [[nodiscard]] std::optional<Number> number(ExpressionId id) const;
  [[nodiscard]] std::optional<Number> choice(const Expression& e) const;

  const Unit& unit_;
  mutable ExprPool pool_;
  Arithmetic arithmetic_;
};

// The value of a Constant.
[[nodiscard]] Integer value_of(const Types& types, const Expression& constant);

}  // namespace whittle::c

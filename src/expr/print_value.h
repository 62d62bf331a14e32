// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "expr/print_style.h"

namespace whittle {

// How values are written: the style's way, or ours.
class ValueWriter {
 public:
  ValueWriter(const ExprPool& pool, const PrintStyle& style) : pool_(pool), style_(style) {}

  std::string operator()(const Value& value, Type type) const {
    return style_.value ? style_.value(value, type) : standard(value, type);
  }
  [[nodiscard]] std::string standard(const Value& value, Type type) const;

 private:
  [[nodiscard]] std::string array(const ArrayValue& value, const TypeInfo& type) const;
  [[nodiscard]] std::string set(const SetValue& value, const TypeInfo& type) const;

  const ExprPool& pool_;
  const PrintStyle& style_;
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Functions that a program calls and does not define: where its inputs come from.
#pragma once

#include <string>
#include <vector>

#include "ir/network.h"

namespace whittle {

// Notations of languages that have them implement this as well.
class CallsOutside {
 public:
  virtual ~CallsOutside() = default;

  struct Function {
    std::string name;
    std::string type;  // of what it returns, in the language's words
  };
  // Those that the program may call, by name.
  [[nodiscard]] virtual std::vector<Function> outside() const = 0;
  // Is the value of this parameter of an event what such a call returned? Those of a step are in
  // the order of the calls.
  [[nodiscard]] virtual bool from_outside(const Parameter& parameter) const = 0;
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// How a language shows states and arguments to its users. A front end may split what users see as
// one thing into several variables (Rebel's Money into currency and amount); the notation puts
// them together again.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ir/property.h"

namespace whittle {

class Network;

struct Shown {
  std::string name;   // `balance`
  std::string value;  // `EUR 50.00`
};

class Notation {
 public:
  virtual ~Notation() = default;

  // The variables of a machine (invalid: the shared ones), as users know them. `value_of` gives the
  // value of a variable; `only`: list just the things of which one of these variables is a part
  // (empty: all).
  [[nodiscard]] virtual std::vector<Shown> state(const Network& network, MachineId machine,
                                                 const std::function<Value(VariableId)>& value_of,
                                                 const std::vector<VariableId>& only) const = 0;
  // The arguments of an event in the order of its parameters as users know them.
  [[nodiscard]] virtual std::vector<Shown> arguments(const Network& network, EventId event,
                                                     const std::vector<Value>& values) const = 0;
  // A condition over the network's symbols, in the language's own syntax (invariants,
  // explanations).
  [[nodiscard]] virtual std::string condition(const Network& network, Expr condition) const = 0;
  // The same, each conjunct for itself; some may be one thing for users.
  [[nodiscard]] virtual std::vector<std::string> conditions(const Network& network,
                                                            Expr condition) const;
};

}  // namespace whittle

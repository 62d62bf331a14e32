// SPDX-License-Identifier: Apache-2.0
// The notation of languages whose users see the variables and parameters that the network has.
#pragma once

#include <string>
#include <vector>

#include "ir/network.h"
#include "ir/notation.h"

namespace whittle::frontend {

class PlainNotation : public Notation {
 public:
  [[nodiscard]] std::vector<Shown> state(const Network& network, MachineId machine,
                                         const std::function<Value(VariableId)>& value_of,
                                         const std::vector<VariableId>& only) const override;
  [[nodiscard]] std::vector<Shown> arguments(const Network& network, EventId event,
                                             const std::vector<Value>& values) const override;

 private:
  // A value as the language writes it.
  [[nodiscard]] virtual std::string text_of(const ExprPool& pool, const Value& value,
                                            Type type) const = 0;
};

}  // namespace whittle::frontend

// SPDX-License-Identifier: Apache-2.0
// The other direction of a notation: arguments that people type in the language's own words.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/network.h"

namespace whittle {

// Notations that can read implement this as well.
class ReadsArguments {
 public:
  virtual ~ReadsArguments() = default;

  // The parameters that the argument `name` stands for (by position), with the values that the
  // text gives them. Empty: the event has no such argument, or the text is no value for it; then
  // `expected` is an example of one that is ("" for an unknown name).
  using Positions = std::vector<std::pair<std::size_t, Value>>;
  [[nodiscard]] virtual std::optional<Positions> read(const Network& network, EventId event,
                                                      const std::string& name,
                                                      const std::string& text,
                                                      std::string& expected) const = 0;
};

}  // namespace whittle

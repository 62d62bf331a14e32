// SPDX-License-Identifier: Apache-2.0
// `--criterion '([loop.2],{n}) ([end.1],{})'`: what a slice has to show, instead of a property: the
// places that it has to pass, and the values of variables there (Dwyer, Hatcliff 1999, definition
// 3).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/options.h"
#include "driver/stage.h"

namespace whittle {

struct NamedPair {
  std::string place;  // without brackets
  std::vector<std::string> variables;
};

class CriterionOption final : public Option<std::string> {
 public:
  using Option<std::string>::Option;
  [[nodiscard]] std::vector<NamedPair> pairs() const;
  [[nodiscard]] std::string allowed() const override { return "pairs ([place],{variables})"; }

 protected:
  std::optional<OptionError> assign(std::string_view text) override;
};

// The slice for the pairs. Reports names that the model does not have, and models that cannot be
// sliced like this.
[[nodiscard]] std::optional<Preparation> sliced_for(const std::shared_ptr<Network>& network,
                                                    const std::vector<NamedPair>& pairs,
                                                    Diagnostics& diagnostics);

}  // namespace whittle

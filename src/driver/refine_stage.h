// SPDX-License-Identifier: Apache-2.0
// Semantic refinements as a stage of the pipeline after slicing, and their option.
#pragma once

#include "base/options.h"
#include "driver/stage.h"
#include "simplify/network/refine.h"

namespace whittle {

// `all`, `off`, or some of the refinements with commas in between.
class RefineOption final : public Option<std::string> {
 public:
  using Option<std::string>::Option;
  [[nodiscard]] simplify::Refinements refinements() const;
  [[nodiscard]] std::string allowed() const override;

 protected:
  std::optional<OptionError> assign(std::string_view text) override;
};

struct RefineOptions : OptionGroup {
  RefineOptions() : OptionGroup("Refining") {}
  RefineOption refine{
      *this, "refine", "all", "all|off|LIST",
      "what to simplify by meaning after slicing: constants, guards, inputs, merge, instances"};
};

[[nodiscard]] Stage refine_stage();

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Semantic refinements of a network: what slicing cannot see because it never asks what a condition
// means. Each is a transformation of its own that can be switched off; verdicts, least depths and
// the lengths of traces stay as they are, and traces lift.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/transformation.h"
#include "simplify/network/queries.h"
#include "simplify/network/refine_counts.h"

namespace whittle::simplify {

struct Refinements {
  bool constants = true;  // constant_variables.h
  bool guards = true;     // implied_guards.h
  bool inputs = true;     // free_inputs.h
  bool merge = true;      // equal_locations.h
  bool instances = true;  // separate_instances.h

  [[nodiscard]] bool any() const { return constants || guards || inputs || merge || instances; }
};

// Empty: nothing to refine, or a question about the structure of the model rather than about
// states. Ids stay as they are; what nothing refers to any more is the slicer's.
[[nodiscard]] std::optional<Transformed> refined(const std::shared_ptr<Network>& network,
                                                 PropertyId property, const Refinements& which,
                                                 Queries& queries, RefineCounts& counts);

// Several transformations one after the other, as one way back.
class Chain final : public BackTranslation {
 public:
  void add(std::shared_ptr<const BackTranslation> next) { parts_.push_back(std::move(next)); }
  Expected<Trace, std::string> trace(const Trace& trace) const override;
  Expr invariant(Expr invariant) const override;

 private:
  std::vector<std::shared_ptr<const BackTranslation>> parts_;  // in the order of transforming
};

}  // namespace whittle::simplify

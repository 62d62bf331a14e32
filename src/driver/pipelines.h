// SPDX-License-Identifier: Apache-2.0
// What happens to a network between loading and lowering, as a list of stages. A new
// transformation is one line in pipelines.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/expected.h"
#include "driver/stage.h"
#include "ir/transformation.h"

namespace whittle {

[[nodiscard]] std::span<const Stage> check_pipeline();

// A network after all stages, with the way back through all of them.
class TransformedQuestion {
 public:
  TransformedQuestion(std::shared_ptr<Network> network, PropertyId property, StageContext& context);

  [[nodiscard]] Network& network() const { return *network_; }
  [[nodiscard]] const std::shared_ptr<Network>& shared_network() const { return network_; }
  [[nodiscard]] PropertyId property() const { return property_; }
  // In terms of the network as parsed; an error only after weak transformations.
  [[nodiscard]] Expected<Trace, std::string> trace(Trace trace) const;
  [[nodiscard]] Expr invariant(Expr invariant) const;
  // Of questions about infinite runs: why no run is lost, stage by stage. A stage without keeps
  // states and steps as they are.
  [[nodiscard]] std::vector<const StepMap*> step_maps() const;
  [[nodiscard]] std::size_t stages() const { return back_.size(); }  // that changed something

 private:
  std::shared_ptr<Network> network_;
  PropertyId property_;
  std::vector<std::shared_ptr<const BackTranslation>> back_;
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// The questions of a test suite, one at a time: is there a run to this goal?
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driver/decide.h"
#include "driver/tests/goals.h"

namespace whittle::tests {

struct Answer {
  std::optional<Trace> trace;  // of the network that was asked
  bool dead = false;           // there is none
  std::string why = {};        // dead: the invariant, or how it was shown; else why not known
};

class Asking {
 public:
  // `network` is asked, and gets the questions as properties.
  Asking(std::string file, std::shared_ptr<Network> network, UniverseId universe,
         DecideContext& context);

  [[nodiscard]] Answer about(const CoverageGoal& goal);
  // A property of the network, of another network, or a new one.
  [[nodiscard]] Answer about(const std::shared_ptr<Network>& network, PropertyId property);
  [[nodiscard]] Network& network() { return *network_; }
  [[nodiscard]] const std::shared_ptr<Network>& shared() const { return network_; }
  [[nodiscard]] Property question(std::string name, PropertyKind kind, PropertyGoal goal) const;

 private:
  [[nodiscard]] Answer taken(const Way& way, const std::string& name);
  [[nodiscard]] static std::string proof_text(const PropertyResult& result);

  std::string file_;
  std::shared_ptr<Network> network_;
  UniverseId universe_;
  DecideContext& context_;
};

}  // namespace whittle::tests

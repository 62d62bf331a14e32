// SPDX-License-Identifier: Apache-2.0
// A transformation returns the new network and its inverse for both kinds of witnesses. A pipeline
// is a list of them; their inverses are applied in reverse.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/expected.h"
#include "ir/network.h"
#include "ir/step_map.h"
#include "ir/trace.h"

namespace whittle {

class BackTranslation {
 public:
  virtual ~BackTranslation() = default;
  // A trace of the result as a trace of the input; or why there is none (weak transformations
  // only).
  [[nodiscard]] virtual Expected<Trace, std::string> trace(const Trace& trace) const = 0;
  // An inductive invariant of the result as one of the input; invalid when it cannot be said.
  [[nodiscard]] virtual Expr invariant(Expr invariant) const = 0;
  // Questions about infinite runs: why the result has all runs of the input. None: every state and
  // every step of the result is one of the input.
  [[nodiscard]] virtual const StepMap* step_map() const { return nullptr; }
};

struct Transformed {
  std::shared_ptr<Network> network;
  PropertyId property;  // the question, in the new network
  std::shared_ptr<const BackTranslation> back;
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// The model as its text says it. A front end that encodes what people write (Rebel's money, dates,
// sets and maps) can misread it, and a replay on the network would not notice. This is the second
// reading: it shares nothing with the translation into the network and evaluates the text itself.
#pragma once

#include <string>

#include "base/source.h"
#include "ir/property.h"

namespace whittle {

class Network;
struct Trace;

// What the text says about a trace.
struct TextReplay {
  enum class Outcome {
    Agrees,      // every condition that the trace needs was evaluated and is true
    Differs,     // the text does not allow this trace, or it does not show what it should
    NotCovered,  // nothing is wrong so far, but not all of the text could be evaluated
  };
  Outcome outcome = Outcome::NotCovered;
  std::string reason;  // Differs, NotCovered
};

class AsWritten {
 public:
  virtual ~AsWritten() = default;
  // requires: the network is the one that was loaded from these sources, and the trace was replayed
  // on it.
  [[nodiscard]] virtual TextReplay replay(const Network& network, PropertyId property,
                                          const Trace& trace, const Sources& sources) const = 0;
};

}  // namespace whittle

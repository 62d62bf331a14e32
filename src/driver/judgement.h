// SPDX-License-Identifier: Apache-2.0
// What the step after an engine comes to: its witness holds on the network as parsed, or why it
// cannot be said.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "driver/prepare.h"
#include "ir/run/interpreter.h"
#include "ir/verdict.h"

namespace whittle {

struct Accepted {
  Verdict verdict;               // without figures of the run
  std::optional<Replay> replay;  // of its trace
};

// The engine or a transformation is wrong.
struct Rejected {
  std::string reason;
};

// Nobody's fault: the pipeline is not exact, or cannot say the invariant of the network as parsed.
struct NotLifted {
  Pipeline next;  // with how much less to try again
  std::string reason;
};

// Nobody's fault: the run may be one that the network does not have, since not everything about it
// could be said in the flat system.
struct NotShown {
  std::string reason;
};

using Judgement = std::variant<Accepted, Rejected, NotLifted, NotShown>;

}  // namespace whittle

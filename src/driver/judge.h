// SPDX-License-Identifier: Apache-2.0
// The step after an engine: its witness is lifted to the network as parsed and checked there by a
// solver that did not find it.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "driver/prepare.h"
#include "engine/engine.h"
#include "ir/run/interpreter.h"
#include "ir/verdict.h"
#include "smt/solvers.h"

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

// requires: the engine decided the prepared question, whose universe is complete. An answer that
// comes with neither trace nor invariant nor number of states is accepted as it is: unchecked.
// A trace is also evaluated on the text, where the language can and the sources are given.
[[nodiscard]] Judgement judge(const EngineResult& found, const Prepared& prepared,
                              const smt::SolverFactory& checker, const Sources* sources = nullptr);

}  // namespace whittle

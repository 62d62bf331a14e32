// SPDX-License-Identifier: Apache-2.0
// Does a trace show what it is said to show? It is followed step by step on the network as parsed,
// with exact arithmetic and without the code that found it.
#pragma once

#include <string>

#include "base/expected.h"
#include "ir/network.h"
#include "ir/run/interpreter.h"
#include "ir/trace.h"
#include "ir/verdict.h"
#include "smt/solvers.h"
#include "witness/rejected_witness.h"

namespace whittle {

struct CheckedTrace {
  Replay replay;
  WitnessCheck check;
};

// The trace is a run from a start, its length is in the property's bound, and its last state (or
// last step) is what the property is about: the goal of a question, the violation of a demand, the
// transition that was thought dead. That nothing can happen in a state is not for an interpreter to
// say: where the property is about that, `solvers` is asked, about this one state.
[[nodiscard]] Expected<CheckedTrace, RejectedWitness> check_trace(
    Network& network, PropertyId property, const Trace& trace, const smt::SolverFactory& solvers);

}  // namespace whittle

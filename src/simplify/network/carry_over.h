// SPDX-License-Identifier: Apache-2.0
// What refinements of networks share: they copy the network and change it in place, so that every
// machine, variable, location, event and instance keeps its id, and the way back is short.
#pragma once

#include <functional>
#include <memory>

#include "ir/run/stepper.h"
#include "ir/transformation.h"

namespace whittle::simplify {

// A condition over the state of one network as one of another with the same ids: symbols that were
// made on demand differ.
[[nodiscard]] Expr translated(const Network& from, Network& to, Expr condition);

// The way back where every step and every state of the result is one of the input.
[[nodiscard]] std::shared_ptr<const BackTranslation> same_steps(std::shared_ptr<Network> original,
                                                                std::shared_ptr<Network> result);

// By event: some synchronisation, positive or negated, speaks of it.
[[nodiscard]] std::vector<char> called_events(const Network& network);

// Makes an event one that never happens. Its parameters stay, for those that synchronise with it.
void forbid(Event& event);

// Adds a step to a trace; counts one more repetition where it repeats the last one.
void append(Trace& trace, TraceStep step);

// The trace with every step lifted: `once` gets a step of `result` and returns the one of the
// original, and goes on to the state after it. Of long repetitions only the first steps are
// looked at; the check of the trace sees whether the others are alike.
[[nodiscard]] Expected<Trace, std::string> with_lifted_steps(
    const Trace& trace, Stepper& result, State& state,
    const std::function<Expected<TraceStep, std::string>(const TraceStep&)>& once);

// Adds to the step all next values that the event of the instance gives.
void choose(TraceStep& step, const Network& network, const StateLayout& layout, InstanceId instance,
            EventId event, const State& after);

}  // namespace whittle::simplify

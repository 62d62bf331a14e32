// SPDX-License-Identifier: Apache-2.0
// What refinements of networks share: they copy the network and change it in place, so that every
// machine, variable, location, event and instance keeps its id, and the way back is short.
#pragma once

#include <memory>

#include "ir/transformation.h"

namespace whittle::simplify {

// A condition over the state of one network as one of another with the same ids: symbols that were
// made on demand differ.
[[nodiscard]] Expr said_of(const Network& from, Network& to, Expr condition);

// The way back where every step and every state of the result is one of the input.
[[nodiscard]] std::shared_ptr<const BackTranslation> same_steps(std::shared_ptr<Network> original,
                                                                std::shared_ptr<Network> result);

// By event: some synchronisation, positive or negated, speaks of it.
[[nodiscard]] std::vector<char> called_events(const Network& network);

// Makes an event one that never happens. Its parameters stay, for those that synchronise with it.
void forbid(Event& event);

// Adds a step to a trace; counts one more repetition where it repeats the last one.
void append(Trace& trace, TraceStep step);

}  // namespace whittle::simplify

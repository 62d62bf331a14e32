// SPDX-License-Identifier: Apache-2.0
// A trace in the terms of the text: instances by specification and key, fields with the values that
// users are shown. What is shown is what is read, so the report and the evaluation cannot differ.
#pragma once

#include <vector>

#include "frontend/rebel/evaluate.h"
#include "ir/network.h"
#include "ir/trace.h"

namespace whittle::rebel {

struct TextOccurrence {
  std::uint32_t instance = kNone;
  std::uint32_t use = kNone;     // event, in Spec::uses
  std::vector<Datum> arguments;  // in the order of the parameters as written
};

struct TextStep {
  std::vector<TextOccurrence> occurrences;  // the root first
  Snapshot after;
};

struct TextTrace {
  World world;
  Snapshot initial;
  std::vector<TextStep> steps;  // repetitions one by one
};

// Throws Gap where something cannot be read.
[[nodiscard]] TextTrace text_trace(Program& program, const Network& network, const Trace& trace);

// The parameters of an event that a specification uses, and where they stand.
struct EventText {
  std::uint32_t module = 0;
  const EventAst* event = nullptr;
};
[[nodiscard]] EventText event_text(const Program& program, const Spec& spec, std::uint32_t use);

}  // namespace whittle::rebel

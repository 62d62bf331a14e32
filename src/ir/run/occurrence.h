// SPDX-License-Identifier: Apache-2.0
// What happens in a step, or why it is not possible.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/network.h"

namespace whittle {

// An event that takes part in a step.
struct Occurrence {
  InstanceId instance;
  EventId event;
  std::vector<Value> arguments;
  std::uint32_t depth = 0;  // 0: the root; its synchronised events 1, theirs 2, ...
};

// Why a step is not possible, for people and for tests.
struct Refusal {
  enum class Kind { Location, Guard, Relation, Assignment, Sync, Conflict, Undefined, Malformed };
  Kind kind = Kind::Malformed;
  InstanceId instance;
  EventId event;
  Span origin;          // the condition that fails, in the user's file
  Expr condition;       // invalid when there is none
  std::string message;  // in the user's words
};

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// What diagrams leave to their readers: an event at the end of a message flow is a message event,
// whatever its sign; a message flow that ends where nothing can send or receive is not followed;
// what is not supported matters only where a token can come to.
#pragma once

#include "base/diagnostics.h"
#include "frontend/bpmn/diagram.h"

namespace whittle::bpmn {

// requires: the flows of the diagram are connected.
void complete(Diagram& diagram, Diagnostics& diagnostics);

}  // namespace whittle::bpmn

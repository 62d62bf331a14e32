// SPDX-License-Identifier: Apache-2.0
// The diagram interchange of a BPMN file: where its elements are drawn.
#pragma once

#include <pugixml.hpp>

#include "frontend/bpmn/diagram.h"

namespace whittle::bpmn {

// Of the outermost element of a file; empty: the file has no drawing.
[[nodiscard]] Picture read_picture(pugi::xml_node definitions);

}  // namespace whittle::bpmn

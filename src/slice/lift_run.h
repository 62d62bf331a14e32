// SPDX-License-Identifier: Apache-2.0
// A run of a compressed slice as a run of the model: between two steps that the slice has, the
// model takes those that it lacks, as they come.
#pragma once

#include <string>

#include "base/expected.h"
#include "ir/trace.h"
#include "slice/id_maps.h"

namespace whittle::slice {

// Of a network with one instance. `initial`: the first state in the model. The loop is closed as in
// closed_run.h; a run that rests in the slice is followed to its end or until a state comes again.
[[nodiscard]] Expected<Trace, std::string> lifted_run(const Network& model, const Network& sliced,
                                                      const IdMaps& maps,
                                                      const std::vector<LocationId>& places,
                                                      State initial, const Trace& run);

}  // namespace whittle::slice

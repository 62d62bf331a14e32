// SPDX-License-Identifier: Apache-2.0
// Slicing as a stage of the pipeline, and its options.
#pragma once

#include "base/options.h"
#include "driver/stage.h"
#include "slice/slice.h"

namespace whittle {

struct SlicingOptions : OptionGroup {
  SlicingOptions() : OptionGroup("Slicing") {}
  Option<slice::Granularity> granularity{*this,
                                         "slice",
                                         slice::Granularity::Fine,
                                         {{"off", slice::Granularity::Off},
                                          {"machine", slice::Granularity::Machine},
                                          {"coarse", slice::Granularity::Coarse},
                                          {"coi", slice::Granularity::Coi},
                                          {"fine", slice::Granularity::Fine},
                                          {"amorphous", slice::Granularity::Amorphous}},
                                         "how finely the model is cut down to the question"};
};

[[nodiscard]] Stage slice_stage();

}  // namespace whittle

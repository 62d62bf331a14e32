// SPDX-License-Identifier: Apache-2.0
// What the program's exit code says (docs/outputs.md).
#pragma once

namespace whittle {

enum class ExitCode : int {
  Success = 0,    // every question answered, every demand met
  NotMet = 1,     // a demand is not met
  BadInput = 2,   // the input or the call is wrong, or the output cannot be written
  Undecided = 3,  // something is undecided, and nothing is not met
  Defect = 4,     // a defect of whittle: a rejected witness, a failed contract
};

}  // namespace whittle

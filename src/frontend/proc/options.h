// SPDX-License-Identifier: Apache-2.0
// Options that only PROC has.
#pragma once

#include "base/options.h"

namespace whittle::proc {

struct ProcOptions : OptionGroup {
  ProcOptions() : OptionGroup("Language PROC") {}
  Option<bool> deadlock{*this, "deadlock",
                        "also ask whether the processes of a program can all get stuck"};
};

}  // namespace whittle::proc

// SPDX-License-Identifier: Apache-2.0
// Options that only Rebel has.
#pragma once

#include "base/options.h"

namespace whittle::rebel {

struct RebelOptions : OptionGroup {
  RebelOptions() : OptionGroup("Language Rebel") {}
  Option<bool> invariants{*this, "invariants",
                          "in a test module also decide the invariants of what it imports"};
};

}  // namespace whittle::rebel

// SPDX-License-Identifier: Apache-2.0
// A formula of linear temporal logic as a handle into an LtlPool (ir/ltl.h), for those who only
// hand it on.
#pragma once

#include "base/ids.h"

namespace whittle {

using LtlFormula = StrongId<struct LtlFormulaTag>;

class LtlPool;

}  // namespace whittle

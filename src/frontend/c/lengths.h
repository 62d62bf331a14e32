// SPDX-License-Identifier: Apache-2.0
// Lengths of arrays that are variables in the text and constants in every run: those of variables
// that get a constant when they are declared and never change.
#pragma once

#include "frontend/c/tree.h"

namespace whittle::c {

//   unsigned n = 5; int a[n];      int a[5]
void settle_lengths(Unit& unit);

}  // namespace whittle::c

// SPDX-License-Identifier: Apache-2.0
// Which functions call which, as the text says it.
#pragma once

#include <vector>

#include "frontend/c/tree.h"

namespace whittle::c {

// By function: `main` reaches it, and it calls itself, perhaps through others.
[[nodiscard]] std::vector<char> recursive_functions(const Unit& unit, FunctionId main);

// By function: places in functions that `main` reaches from which it is called.
[[nodiscard]] std::vector<unsigned> call_sites(const Unit& unit, FunctionId main);

}  // namespace whittle::c

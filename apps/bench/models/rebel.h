// SPDX-License-Identifier: Apache-2.0
// Families of Rebel models that grow, for benchmarks and for tests of size. The first file of each
// is the test module; the others are what it imports.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/frontend.h"

namespace whittle::rebel {

// `fields` counters that all start at `start`; each has an event that lowers it by one. Asked: can
// the first one get negative within start + 2 steps (it can, in exactly that many).
[[nodiscard]] std::vector<PrintedFile> deep_search(std::uint32_t fields, std::uint32_t start);

// A bank account with `copies` further copies of every field, event and state (but the initial
// one); names in copy i end in i. Asked: can the balance of the original be negative (in two
// steps).
[[nodiscard]] std::vector<PrintedFile> model_size(std::uint32_t copies);

}  // namespace whittle::rebel

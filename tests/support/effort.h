// SPDX-License-Identifier: Apache-2.0
// How much a random test should do: 1 in the quick suites, more in the slow ones
// (tests/CMakeLists.txt sets WHITTLE_EFFORT). WHITTLE_SEED moves where the cases begin, for long
// runs in pieces.
//
//   for (int round = 0; round < 50 * effort(); ++round) ...
#pragma once

#include <cstdlib>

namespace whittle::test {

[[nodiscard]] inline int effort() {
  const char* text = std::getenv("WHITTLE_EFFORT");
  const int value = text != nullptr ? std::atoi(text) : 1;
  return value > 0 ? value : 1;
}

[[nodiscard]] inline unsigned seed_offset() {
  const char* text = std::getenv("WHITTLE_SEED");
  return text != nullptr ? static_cast<unsigned>(std::atoi(text)) : 0U;
}

}  // namespace whittle::test

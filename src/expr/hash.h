// SPDX-License-Identifier: Apache-2.0
// Mixing of hashes; every bit of the input reaches the low bits, which open addressing uses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace whittle {

[[nodiscard]] constexpr std::size_t hash_mix(std::size_t seed, std::size_t value) {
  std::uint64_t x = (seed ^ value) * 0x9e3779b97f4a7c15ULL;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  return x ^ (x >> 29);
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// Families of PROC programs that grow with the number of processes, for benchmarks and tests: those
// of Saissi, Bokor, Suri (2015, section 6). `depth` 0: the property has no depth.
#pragma once

#include <cstdint>
#include <string>

namespace whittle::proc {

// The seed that the benchmark uses.
inline constexpr std::uint64_t kLitmusSeed = 1;
// Random instructions over shared and local variables. The property says that a variable does not
// assume the highest value that any shared one has after many random runs of 20 steps: it is
// violated within so many. With `above`, the value is that much higher.
[[nodiscard]] std::string litmus(unsigned processes, std::uint64_t seed, std::uint64_t depth,
                                 unsigned above = 0);
// A hash table of 128 slots. Each process inserts four messages, with compare-and-swap, and looks
// on when a slot is taken. Property: no process finds its slot taken (holds up to 11 processes).
[[nodiscard]] std::string indexer(unsigned processes, std::uint64_t depth);
// 32 inodes and 26 blocks with a lock each. Each process gives its inode a block that is not in
// use. Property: no inode has a block that does not exist (holds).
[[nodiscard]] std::string file_system(unsigned processes, std::uint64_t depth);
// Dining philosophers with one mutex for all chopsticks. `careless`: they look for free chopsticks
// under the mutex but take them without it, and two neighbours eat together after ten steps.
[[nodiscard]] std::string philosophers(unsigned processes, std::uint64_t depth,
                                       bool careless = true);

}  // namespace whittle::proc

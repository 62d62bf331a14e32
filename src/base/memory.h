// SPDX-License-Identifier: Apache-2.0
// How much memory this process uses and may use.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace whittle {

// Resident memory in bytes now and at its greatest; 0 where the system does not tell.
[[nodiscard]] std::uint64_t resident_bytes();
[[nodiscard]] std::uint64_t peak_resident_bytes();

// Of another process, too. Proportional: of what several processes share each has its part, so that
// their sum is what they use together; takes some milliseconds for a large one. 0: nobody tells.
enum class MemoryKind : std::uint8_t { Resident, Proportional };
[[nodiscard]] std::uint64_t memory_bytes(pid_t process, MemoryKind kind);
// With the processes that it has started, and those that these have.
[[nodiscard]] std::uint64_t tree_bytes(pid_t process, MemoryKind kind);

// A limit that code checks itself, where it can stop cleanly. Copies are independent.
class MemoryLimit {
 public:
  static MemoryLimit none() { return MemoryLimit(std::nullopt); }
  static MemoryLimit bytes(std::uint64_t limit) { return MemoryLimit(limit); }

  [[nodiscard]] bool exceeded() const;
  // Throws ResourceError("out of memory while <doing>: ...") once the limit is exceeded. Asks the
  // system at every 256th call only, so it may stand in a loop.
  void check(std::string_view doing);
  [[nodiscard]] std::optional<std::uint64_t> limit() const { return limit_; }

 private:
  explicit MemoryLimit(std::optional<std::uint64_t> limit) : limit_(limit) {}

  std::optional<std::uint64_t> limit_;
  unsigned calls_ = 0;
};

// The hard limit, for worker processes: beyond it allocation fails (std::bad_alloc, or a solver
// that gives up). False if the system refuses. Cannot be raised again.
bool limit_address_space(std::uint64_t bytes);
// The kernel ends the process after so many seconds of processor time.
bool limit_processor_time(std::uint64_t seconds);
// No core files from workers that crash.
bool forbid_core_files();

}  // namespace whittle

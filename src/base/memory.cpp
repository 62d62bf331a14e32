// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

#include "base/error.h"

namespace whittle {

namespace {

bool limit(__rlimit_resource resource, std::uint64_t value) {
  rlimit current{};
  if (::getrlimit(resource, &current) != 0) return false;
  const rlim_t wanted = current.rlim_max == RLIM_INFINITY || value < current.rlim_max
                            ? static_cast<rlim_t>(value)
                            : current.rlim_max;
  const rlimit changed{wanted, wanted};
  return ::setrlimit(resource, &changed) == 0;
}

}  // namespace

std::uint64_t resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  unsigned long long total = 0;
  unsigned long long resident = 0;
  const int fields = std::fscanf(file, "%llu %llu", &total, &resident);
  std::fclose(file);
  return fields == 2 ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

std::uint64_t peak_resident_bytes() {
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts kilobytes
}

bool MemoryLimit::exceeded() const { return limit_ && resident_bytes() > *limit_; }

void MemoryLimit::check(std::string_view doing) {
  constexpr unsigned kCallsPerLook = 256;
  if (!limit_ || calls_++ % kCallsPerLook != 0) return;
  const std::uint64_t used = resident_bytes();
  if (used <= *limit_) return;
  throw ResourceError(fmt::format("out of memory while {}: {} MB used, {} MB allowed", doing,
                                  used >> 20U, *limit_ >> 20U));
}

bool limit_address_space(std::uint64_t bytes) { return limit(RLIMIT_AS, bytes); }
bool limit_processor_time(std::uint64_t seconds) { return limit(RLIMIT_CPU, seconds); }
bool forbid_core_files() { return limit(RLIMIT_CORE, 0); }

}  // namespace whittle

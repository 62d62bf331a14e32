// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

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

std::uint64_t resident_bytes() { return memory_bytes(::getpid(), MemoryKind::Resident); }

std::uint64_t memory_bytes(pid_t process, MemoryKind kind) {
  const bool exact = kind == MemoryKind::Proportional;
  const std::string path = fmt::format("/proc/{}/{}", process, exact ? "smaps_rollup" : "statm");
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return exact ? memory_bytes(process, MemoryKind::Resident) : 0;
  std::uint64_t result = 0;
  unsigned long long total = 0;
  unsigned long long part = 0;
  if (exact) {
    char line[256];
    while (std::fgets(line, sizeof line, file) != nullptr) {
      if (std::sscanf(line, "Pss: %llu kB", &part) == 1) result = part * 1024;
    }
  } else if (std::fscanf(file, "%llu %llu", &total, &part) == 2) {
    result = part * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  }
  std::fclose(file);
  return result;
}

std::uint64_t tree_bytes(pid_t process, MemoryKind kind) {
  std::uint64_t result = 0;
  std::vector<pid_t> open = {process};
  while (!open.empty()) {
    const pid_t next = open.back();
    open.pop_back();
    result += memory_bytes(next, kind);
    // Workers start processes in their only thread. Not every kernel has the list.
    const std::string path = fmt::format("/proc/{0}/task/{0}/children", next);
    std::FILE* const file = std::fopen(path.c_str(), "re");
    if (file == nullptr) continue;
    int child = 0;
    while (std::fscanf(file, "%d", &child) == 1) open.push_back(child);
    std::fclose(file);
  }
  return result;
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

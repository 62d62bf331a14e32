// SPDX-License-Identifier: Apache-2.0
// Defects of whittle itself. What a user did wrong is a Diagnostic (diagnostics.h), a value;
// what we did wrong is an InternalError, thrown, and ends in exit code 4, never in a verdict.
#pragma once

#include <stdexcept>
#include <string>

namespace whittle {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// A limit that the user set or that protects the machine (memory, time, nesting) was reached.
class ResourceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void fail_contract(const char* condition, const char* file, int line,
                                const std::string& message);

}  // namespace whittle

// States what a function relies on; stays on in release builds.
#define WHITTLE_REQUIRE(condition, message)                                                \
  do {                                                                                     \
    if (!(condition)) ::whittle::fail_contract(#condition, __FILE__, __LINE__, (message)); \
  } while (false)

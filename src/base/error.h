// SPDX-License-Identifier: Apache-2.0
// Defects of whittle itself. What a user did wrong is a Diagnostic (diagnostics.h), a value;
// what we did wrong is an InternalError, thrown, and ends in exit code 4, never in a verdict.
#pragma once

#include <stdexcept>
#include <string>

#include "base/reason.h"

namespace whittle {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// A limit that the user set or that protects the machine (memory, time, nesting) was reached.
class ResourceError : public std::runtime_error {
 public:
  explicit ResourceError(const std::string& text) : std::runtime_error(text) {
    reason_.detail = text;
  }
  explicit ResourceError(const Reason& reason)
      : std::runtime_error(reason.text()), reason_(reason) {}
  [[nodiscard]] const Reason& reason() const { return reason_; }

 private:
  Reason reason_{Reason::Kind::Unsupported};
};

[[noreturn]] void fail_contract(const char* condition, const char* file, int line,
                                const std::string& message);

}  // namespace whittle

// States what a function relies on; stays on in release builds.
#define WHITTLE_REQUIRE(condition, message)                                                \
  do {                                                                                     \
    if (!(condition)) ::whittle::fail_contract(#condition, __FILE__, __LINE__, (message)); \
  } while (false)

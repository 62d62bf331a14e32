// SPDX-License-Identifier: Apache-2.0
// What may still happen when the time of a question is over (ADR 014). Engines and solvers look at
// the deadline themselves and say what they know; checkpoints end work that does not look; then the
// result is written; and at last the watchdog ends the process. All of it is less than a second, or
// five per cent of a long time.
#pragma once

#include <algorithm>
#include <chrono>

namespace whittle {

struct Grace {
  std::chrono::milliseconds work{100};     // until checkpoints throw
  std::chrono::milliseconds report{350};   // until a witness must be written
  std::chrono::milliseconds process{650};  // until the process is ended

  // For a limit of so many seconds.
  [[nodiscard]] static Grace of(double seconds) {
    const auto share = [seconds](double part, std::chrono::milliseconds least) {
      return std::max(least, std::chrono::milliseconds(static_cast<long>(seconds * part * 1000)));
    };
    Grace grace;
    grace.report = share(0.02, grace.report);
    grace.process = share(0.04, grace.process);
    return grace;
  }
};

}  // namespace whittle

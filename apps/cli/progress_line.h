// SPDX-License-Identifier: Apache-2.0
// Progress on a terminal: one line on stderr that is written over, and gone before anything else is
// printed. Nothing shows for what is over quickly.
#pragma once

#include <mutex>
#include <string>

#include "base/deadline.h"
#include "base/progress.h"

namespace whittle::cli {

class ProgressLine final : public ProgressListener {
 public:
  explicit ProgressLine(bool enabled) : enabled_(enabled) {}
  ~ProgressLine() override { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void on_progress(const ProgressEvent& event) override;
  // Removes the line; the next event may bring it back.
  void clear();

 private:
  bool enabled_;
  std::mutex mutex_;
  bool visible_ = false;
  Clock::time_point next_ = Clock::now() + kDelay;  // nothing is shown before

  static constexpr std::chrono::milliseconds kDelay{400};     // before the first line
  static constexpr std::chrono::milliseconds kInterval{100};  // between two
};

}  // namespace whittle::cli

// SPDX-License-Identifier: Apache-2.0
// What is going on right now. Engines report; the command line, an editor or a web page listens.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace whittle {

struct ProgressEvent {
  std::string_view property;           // name of the question that is worked on
  std::string_view engine;             // id of the engine, may be empty
  std::optional<std::uint64_t> depth;  // steps explored completely so far
  double seconds = 0;                  // since work on this question began
};

class ProgressListener {
 public:
  virtual ~ProgressListener() = default;
  // Called often; a listener that shows something limits its own rate. The views are only valid
  // during the call. May be called from several threads.
  virtual void on_progress(const ProgressEvent& event) = 0;
};

// For those who do not want to know.
class IgnoreProgress final : public ProgressListener {
 public:
  void on_progress(const ProgressEvent&) override {}
};

}  // namespace whittle

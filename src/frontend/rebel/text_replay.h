// SPDX-License-Identifier: Apache-2.0
// A trace followed on the text: every precondition, postcondition, synchronisation and life cycle
// of the events that happen, what keeps its value, and the condition that the property is about.
#pragma once

#include <memory>
#include <mutex>

#include "frontend/rebel/text_trace.h"
#include "ir/as_written.h"
#include "ir/property.h"

namespace whittle::rebel {

// The trace on a program that was read already.
[[nodiscard]] TextReplay replay_on_text(Program& program, const TextTrace& trace,
                                        const Network& network, PropertyId property);

// Reads the files again when the first trace is there, and keeps them for those that follow.
class RebelText : public AsWritten {
 public:
  explicit RebelText(FileId root) : root_(root) {}
  [[nodiscard]] TextReplay replay(const Network& network, PropertyId property, const Trace& trace,
                                  const Sources& sources) const override;

 private:
  struct Parsed;
  [[nodiscard]] Program& program(const Sources& sources) const;

  FileId root_;
  mutable std::mutex mutex_;  // questions of one model may be decided at the same time
  mutable std::shared_ptr<Parsed> parsed_;
};

}  // namespace whittle::rebel

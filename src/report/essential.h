// SPDX-License-Identifier: Apache-2.0
// What matters of a trace: from its last state backwards, the steps that wrote what the property or
// a later step that matters read. Everything else happened, too, but is no part of the reason.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/property_result.h"

namespace whittle {

struct EssentialTrace {
  // By step; in front the first state.
  struct Moment {
    bool matters = true;
    std::set<std::uint32_t> slots;      // of State::values that matter after it
    std::set<std::uint32_t> positions;  // of State::locations
  };
  std::vector<Moment> moments;

  // The step with only those changes that matter.
  [[nodiscard]] ReplayedStep reduced(const ReplayedStep& step, std::size_t number) const;
};

// requires: a trace that was replayed. Nothing, where the property is not about states.
[[nodiscard]] std::optional<EssentialTrace> essential_trace(const PropertyResult& result);

// The steps that matter with the changes that do, a line each, below `indent` columns.
[[nodiscard]] std::string essential_text(const PropertyResult& result, const EssentialTrace& what,
                                         std::size_t indent);

}  // namespace whittle

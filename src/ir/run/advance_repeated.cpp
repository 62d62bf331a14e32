// SPDX-License-Identifier: Apache-2.0
#include "ir/run/advance_repeated.h"

#include <algorithm>

#include "ir/run/repetition.h"

namespace whittle {

bool advance_repeated(Stepper& stepper, State& state, const TraceStep& step, std::uint64_t n) {
  if (n < 2) return false;
  Observations at_first;
  Observations at_last;
  State second = state;
  stepper.observe(&at_first);
  bool possible = stepper.advance(second, step);
  stepper.observe(nullptr);
  const std::vector<Occurrence> took_part = stepper.occurrences();
  if (!possible || second.locations != state.locations) return false;
  for (const Occurrence& occurrence : took_part) {
    for (const Sync& sync : stepper.network().event(occurrence.event).syncs) {
      if (sync.negated) return false;  // looks for a step that there is not
    }
  }
  auto state_after = [&](std::uint64_t steps) -> std::optional<State> {
    State result = state;
    for (std::size_t slot = 0; slot < result.values.size(); ++slot) {
      auto value = on_line(state.values[slot], second.values[slot],
                           Integer(static_cast<unsigned long>(steps)));
      if (!value) return std::nullopt;
      result.values[slot] = std::move(*value);
    }
    return result;
  };
  std::optional<State> last = state_after(n - 1);
  const std::optional<State> end = state_after(n);
  if (!last || !end) return false;
  stepper.observe(&at_last);
  possible = stepper.advance(*last, step);
  stepper.observe(nullptr);
  auto same = [](const Occurrence& a, const Occurrence& b) {
    return a.instance == b.instance && a.event == b.event && a.depth == b.depth;
  };
  if (!possible || *last != *end ||
      !std::equal(took_part.begin(), took_part.end(), stepper.occurrences().begin(),
                  stepper.occurrences().end(), same) ||
      !linear_between(stepper.network().pool(), at_first, at_last)) {
    return false;
  }
  state = std::move(*last);
  return true;
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// "Did you mean ...?": the known name that a misspelt one was probably meant to be.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whittle {

// Edits (insert, delete, replace, swap two neighbours) that turn `a` into `b`, where no part is
// edited twice; `limit + 1` as soon as it is clear that there are more than `limit`.
// O(limit * length).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// Offered candidates one by one, so that a table of a million names need not be copied first.
class NearestName {
 public:
  explicit NearestName(std::string_view name);
  void offer(std::string_view candidate);
  [[nodiscard]] const std::optional<std::string>& result() const { return best_; }

 private:
  std::string name_;
  std::string lowered_;
  std::size_t limit_;  // candidates further away are not taken to be meant
  std::optional<std::string> best_;
};

// The candidate nearest to `name`, if one is near enough to be meant; the first of equals.
[[nodiscard]] std::optional<std::string> nearest(std::string_view name,
                                                 const std::vector<std::string>& candidates);

}  // namespace whittle

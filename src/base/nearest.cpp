// SPDX-License-Identifier: Apache-2.0
// The restricted Damerau-Levenshtein distance ("optimal string alignment"), computed only in the
// band of width 2 * limit + 1 around the diagonal: cells outside it exceed the limit anyhow.
#include "base/nearest.h"

#include <algorithm>
#include <array>

namespace whittle {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  const std::size_t beyond = limit + 1;
  if (b.size() - a.size() > limit) return beyond;

  // rows[r][j] = distance between a[0..i) and b[0..j) for the rows i, i - 1 and i - 2.
  std::array<std::vector<std::size_t>, 3> rows;
  for (auto& row : rows) row.assign(b.size() + 1, beyond);
  for (std::size_t j = 0; j <= std::min(limit, b.size()); ++j) rows[0][j] = j;

  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    const auto& above2 = rows[(i + 1) % 3];
    const std::size_t first = i > limit ? i - limit : 0;
    const std::size_t last = std::min(b.size(), i + limit);
    std::size_t least = beyond;
    if (first > 0) row[first - 1] = beyond;  // was written three rows ago
    for (std::size_t j = first; j <= last; ++j) {
      std::size_t cost = beyond;
      if (j == 0) {
        cost = i;
      } else {
        cost = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
        cost = std::min(cost, row[j - 1] + 1);
        cost = std::min(cost, above[j] + 1);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
          cost = std::min(cost, above2[j - 2] + 1);
        }
      }
      row[j] = std::min(cost, beyond);
      least = std::min(least, row[j]);
    }
    if (least == beyond) return beyond;
  }
  return rows[a.size() % 3][b.size()];
}

NearestName::NearestName(std::string_view name)
    : name_(name), lowered_(lower(name)), limit_(std::max<std::size_t>(1, name.size() / 3)) {}

void NearestName::offer(std::string_view candidate) {
  if (candidate.size() > lowered_.size() + limit_) return;
  // A wrong case is hardly a mistake, so it weighs less than any other edit.
  const std::size_t distance = edit_distance(lowered_, lower(candidate), limit_);
  if (distance > limit_) return;
  // Nothing of the name would be left: "a" is no misspelling of "b".
  if (distance >= std::max(lowered_.size(), candidate.size())) return;
  if (best_ && distance == limit_) return;
  best_ = std::string(candidate);
  // The next one must be strictly nearer.
  limit_ = distance;
}

std::optional<std::string> nearest(std::string_view name,
                                   const std::vector<std::string>& candidates) {
  NearestName search(name);
  for (const std::string& candidate : candidates) search.offer(candidate);
  return search.result();
}

}  // namespace whittle

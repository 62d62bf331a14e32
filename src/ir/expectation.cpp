// SPDX-License-Identifier: Apache-2.0
#include "ir/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"

namespace whittle {

namespace {

constexpr std::array kExpectable = {VerdictKind::Holds, VerdictKind::Violated,
                                    VerdictKind::Reachable, VerdictKind::Unreachable,
                                    VerdictKind::Unknown};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> result;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \t\r\n", at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    result.push_back(text.substr(at, end - at));
    at = end;
  }
  return result;
}

}  // namespace

std::string_view to_string(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::Reachable:
      return "reachable";
    case VerdictKind::Unreachable:
      return "unreachable";
    case VerdictKind::Holds:
      return "holds";
    case VerdictKind::Violated:
      return "violated";
    case VerdictKind::Unknown:
      return "unknown";
  }
  throw InternalError("unknown kind of verdict");
}

std::string to_string(const Expectation& expectation) {
  std::string text(to_string(expectation.verdict));
  if (expectation.steps) text += fmt::format(" in {}", *expectation.steps);
  return text;
}

std::optional<VerdictKind> expectable(std::string_view word) {
  for (const VerdictKind kind : kExpectable)
    if (to_string(kind) == word) return kind;
  return std::nullopt;
}

std::optional<Expectation> expectation_of_words(std::string_view words) {
  const std::vector<std::string_view> all = words_of(words);
  if (all.size() != 1 && all.size() != 3) return std::nullopt;
  const std::optional<VerdictKind> verdict = expectable(all[0]);
  if (!verdict) return std::nullopt;
  Expectation result{*verdict};
  if (all.size() == 1) return result;
  std::uint64_t steps = 0;
  const char* const end = all[2].data() + all[2].size();
  const auto read = std::from_chars(all[2].data(), end, steps);
  if (all[1] != "in" || read.ec != std::errc() || read.ptr != end) return std::nullopt;
  result.steps = steps;
  return result;
}

std::string expectation_hint(std::string_view word) {
  NearestName meant(word);
  for (const VerdictKind kind : kExpectable) meant.offer(to_string(kind));
  if (meant.result()) return fmt::format("did you mean `expect {}`?", *meant.result());
  return "expect holds, violated, reachable, unreachable or unknown; as in `expect reachable in 5`";
}

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
#include "driver/verdict_of.h"

#include <fmt/format.h>

#include "ir/property_kinds.h"

namespace whittle {

VerdictKind verdict_of(PropertyKind kind, const EngineResult& result) {
  if (result.unknown() != nullptr) return VerdictKind::Unknown;
  return result.reached() != nullptr ? info(kind).reached : info(kind).unreached;
}

std::string strongest_known(PropertyKind kind, std::uint64_t first, std::uint64_t clear_to) {
  const std::string runs = first == 0 ? "within" : fmt::format("in {} to", first);
  return fmt::format("no {} {} {} step{}", info(kind).goal_words, runs, clear_to,
                     clear_to == 1 ? "" : "s");
}

}  // namespace whittle

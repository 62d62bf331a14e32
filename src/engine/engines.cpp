// SPDX-License-Identifier: Apache-2.0
#include "engine/engines.h"

#include <array>

namespace whittle {

// Each stands in the file of its name.
extern const EngineInfo kAccelerateInfo;
extern const EngineInfo kAutoInfo;
extern const EngineInfo kBackwardInfo;
extern const EngineInfo kBmcInfo;
extern const EngineInfo kExplicitInfo;
extern const EngineInfo kKInductionInfo;
extern const EngineInfo kPdrInfo;
extern const EngineInfo kRscInfo;

std::span<const EngineInfo* const> engines() {
  static const auto list = std::to_array<const EngineInfo*>({
      &kAutoInfo,
      &kBmcInfo,
      &kBackwardInfo,
      &kAccelerateInfo,
      &kExplicitInfo,
      &kKInductionInfo,
      &kPdrInfo,
      &kRscInfo,
  });
  return list;
}

const EngineInfo* find_engine(std::string_view id) {
  for (const EngineInfo* engine : engines()) {
    if (engine->id == id) return engine;
  }
  return nullptr;
}

}  // namespace whittle

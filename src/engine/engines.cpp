// SPDX-License-Identifier: Apache-2.0
#include "engine/engines.h"

#include <array>

namespace whittle {

// Each stands in the file of its name.
extern const EngineInfo accelerate_info;
extern const EngineInfo auto_info;
extern const EngineInfo bmc_info;
extern const EngineInfo kinduction_info;
extern const EngineInfo pdr_info;
extern const EngineInfo rsc_info;

std::span<const EngineInfo* const> engines() {
  static const auto list = std::to_array<const EngineInfo*>({
      &auto_info,
      &bmc_info,
      &accelerate_info,
      &kinduction_info,
      &pdr_info,
      &rsc_info,
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

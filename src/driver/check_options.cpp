// SPDX-License-Identifier: Apache-2.0
#include "driver/check_options.h"

#include <algorithm>

#include "driver/decide_options.h"
#include "driver/load.h"
#include "driver/pipelines.h"
#include "engine/engines.h"

namespace whittle {

Grace grace_of(const OptionSet& options) {
  const double each = *options.get<DecideOptions>().timeout;
  const double all = *options.get<CheckGroup>().total_timeout;
  return Grace::of(each > 0 && all > 0 ? std::min(each, all) : std::max(each, all));
}

void declare_check_options(OptionSet& options) {
  options.add<CheckGroup>();
  declare_load_options(options);
  options.add<DecideOptions>();
  for (const Stage& stage : check_pipeline()) {
    if (stage.declare != nullptr) stage.declare(options);
  }
  for (const EngineInfo* engine : engines()) {
    if (engine->declare != nullptr) engine->declare(options);
  }
}

}  // namespace whittle

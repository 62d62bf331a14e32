// SPDX-License-Identifier: Apache-2.0
// `whittle check`: decides the properties of models and says with what code to end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/exit_code.h"
#include "driver/check_options.h"
#include "driver/decide.h"
#include "driver/load.h"
#include "driver/questions.h"

namespace whittle {

struct CheckListener {
  Diagnostics before;  // what is wrong with the list of files; a part of the report
  std::function<void(const Diagnostics&, const Sources&)> on_diagnostics;  // once, after loading
  // What will be decided, in the order of the results; once, before the first of them.
  std::function<void(std::span<const PropertyResult> undecided)> on_questions;
  // As soon as one is decided; those before it may not be.
  std::function<void(std::size_t index, const PropertyResult&)> on_decided;
  std::function<void(const PropertyResult&)> on_result;  // in order
};

struct CheckReport {
  LoadedModels loaded;  // with the diagnostics
  std::vector<PropertyResult> results;
  ExitCode exit = ExitCode::Success;
};

// Loads the files and decides what `choose` asks about them: about every element where `structure`
// is set.
[[nodiscard]] CheckReport decide_files(
    const std::vector<std::string>& paths, DecideContext& context, const CheckListener& listener,
    const std::function<std::vector<Question>(LoadedModels&)>& choose, bool structure = false);

[[nodiscard]] CheckReport check_files(const std::vector<std::string>& paths, DecideContext& context,
                                      const CheckListener& listener);

}  // namespace whittle

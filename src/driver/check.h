// SPDX-License-Identifier: Apache-2.0
// `whittle check`: decides the properties of models and says with what code to end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/exit_code.h"
#include "driver/decide.h"
#include "driver/load.h"
#include "driver/questions.h"
#include "report/report.h"

namespace whittle {

struct CheckGroup : OptionGroup {
  CheckGroup() : OptionGroup("Checking") {}
  Option<std::vector<std::string>> property{*this, "property|p", "NAME",
                                            "only the properties of this name"};
  Option<double> total_timeout{
      *this, "total-timeout", 0, {0, 1e9}, "time for the whole run; 0: no limit"};
};

// Adds every group of options that checking has: its own and those of loading, stages and engines.
void declare_check_options(OptionSet& options);

struct CheckListener {
  std::function<void(const Diagnostics&, const Sources&)> on_diagnostics;  // once, after loading
  std::function<void(const PropertyResult&)> on_result;
};

struct CheckReport {
  LoadedModels loaded;  // with the diagnostics
  std::vector<PropertyResult> results;
  ExitCode exit = ExitCode::Success;
};

// Loads the files and decides what `choose` picks from them; it may add properties to the models.
[[nodiscard]] CheckReport decide_files(
    const std::vector<std::string>& paths, DecideContext& context, const CheckListener& listener,
    const std::function<std::vector<Question>(LoadedModels&)>& choose);

[[nodiscard]] CheckReport check_files(const std::vector<std::string>& paths, DecideContext& context,
                                      const CheckListener& listener);

// From results alone.
[[nodiscard]] ExitCode exit_code_of(std::span<const PropertyResult> results);

}  // namespace whittle

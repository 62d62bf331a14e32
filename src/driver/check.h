// SPDX-License-Identifier: Apache-2.0
// `whittle check`: decides the properties of models and says with what code to end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/exit_code.h"
#include "driver/decide.h"
#include "driver/grace.h"
#include "driver/load.h"
#include "driver/questions.h"

namespace whittle {

struct CheckGroup : OptionGroup {
  CheckGroup() : OptionGroup("Checking") {}
  PropertyOption property{*this, "only the properties of this name"};
  Option<double> total_timeout{
      *this, "total-timeout", 0, {0, 1e9}, "seconds for the whole run; 0: no limit"};
  Option<std::string> certificate{
      *this, "certificate", "", "FOLDER",
      "write what others need to check the verdicts with a solver of their own"};
};

// Adds every group of options that checking has: its own and those of loading, stages and engines.
void declare_check_options(OptionSet& options);

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

// What may happen when the limits of these options are over.
[[nodiscard]] Grace grace_of(const OptionSet& options);

}  // namespace whittle

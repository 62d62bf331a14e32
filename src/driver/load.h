// SPDX-License-Identifier: Apache-2.0
// From paths to networks: reads files, picks the language by the ending, resolves imports.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/option_set.h"
#include "base/option_table.h"
#include "base/source.h"
#include "frontend/frontend.h"

namespace whittle {

struct LoadGroup : OptionGroup {
  LoadGroup() : OptionGroup("Models") {}
  Option<std::vector<std::string>> instances{
      *this, "instances", "MACHINE=N",
      "how many instances of a machine exist where the model leaves it open"};
  Option<std::string> language{*this, "language", "", "ID",
                               "the language of the files, whatever their ending"};
};

struct Model {
  std::string path;  // as the user gave it
  std::shared_ptr<Network> network;
  bool imported = false;  // some file among those that were loaded imports it
};

// Everything that was loaded, and everything that is wrong with it. The sources stay in place for
// the spans of the networks.
struct LoadedModels {
  std::unique_ptr<Sources> sources = std::make_unique<Sources>();
  std::vector<Model> models;  // only those without errors
  Diagnostics diagnostics;
};

// Adds LoadGroup and what languages declare; then also to a table of the command line.
void declare_load_options(OptionSet& options);
void declare_load_options(OptionSet& options, OptionTable& table);

[[nodiscard]] LoadedModels load_models(const std::vector<std::string>& paths,
                                       const OptionSet& options, bool structure = false);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// The options of commands that decide questions.
#pragma once

#include <string>
#include <vector>

#include "base/options.h"
#include "driver/grace.h"
#include "driver/questions.h"

namespace whittle {

enum class Vacuity { On, Off };

struct CheckGroup : OptionGroup {
  CheckGroup() : OptionGroup("Checking") {}
  PropertyOption property{*this, "only the properties of this name"};
  Option<bool> no_expect{*this, "no-expect",
                         "ask plainly: what the files expect of the answers does not count"};
  Option<Vacuity> vacuity{*this,
                          "vacuity",
                          Vacuity::On,
                          {{"on", Vacuity::On}, {"off", Vacuity::Off}},
                          "note demands that hold only because nothing tests them"};
  Option<std::vector<std::string>> vacuous{*this, "vacuous", "NAME",
                                           "no such notes on the property of this name (may be "
                                           "repeated)"};
  Option<double> total_timeout{
      *this, "total-timeout", 0, {0, 1e9}, "seconds for the whole run; 0: no limit"};
  Option<std::string> certificate{
      *this, "certificate", "", "FOLDER",
      "write what others need to check the verdicts with a solver of their own"};
};

// Adds every group of options that checking has: its own and those of loading, stages and engines.
void declare_check_options(OptionSet& options);

// What may happen when the limits of these options are over.
[[nodiscard]] Grace grace_of(const OptionSet& options);

}  // namespace whittle

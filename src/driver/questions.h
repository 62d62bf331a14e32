// SPDX-License-Identifier: Apache-2.0
// Which properties of which models a command is about.
#pragma once

#include <string>
#include <vector>

#include "driver/load.h"

namespace whittle {

struct Question {
  std::size_t model = 0;  // index in LoadedModels::models
  PropertyId property;
};

// The properties of these names, all if none is given, in the order of the files. Reports names
// that no model has and models that ask nothing.
[[nodiscard]] std::vector<Question> chosen_questions(const std::vector<std::string>& names,
                                                     LoadedModels& loaded);

// Reports that nobody asks anything, unless something else is wrong.
void require_questions(const std::vector<Question>& questions, LoadedModels& loaded);

}  // namespace whittle

// SPDX-License-Identifier: Apache-2.0
// `whittle lint`: the five checks of la Fleur 2018 for every element of a model: safety, dead
// transitions, sinkholes, starts and relations that nothing satisfies.
#pragma once

#include "driver/check.h"
#include "driver/questions.h"

namespace whittle {

// The properties, in copies of the models, with the models' own demands about states.
// Warns of nodes without a way out that are not final.
[[nodiscard]] std::vector<Question> lint_questions(LoadedModels& loaded);

[[nodiscard]] CheckReport lint_files(const std::vector<std::string>& paths, DecideContext& context,
                                     const CheckListener& listener);

}  // namespace whittle

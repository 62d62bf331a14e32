// SPDX-License-Identifier: Apache-2.0
// Which properties of which models a command is about. Commands may ask what the models do not, or
// about other numbers of steps: such questions stand in copies beside the loaded models, which
// nobody changes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/options.h"
#include "driver/load.h"
#include "ir/property_result.h"

namespace whittle {

// `--property`, in the group of a command.
struct PropertyOption : Option<std::vector<std::string>> {
  PropertyOption(OptionGroup& group, std::string_view help)
      : Option(group, "property|p", "NAME", help) {}
};

struct Question {
  std::size_t model = 0;                // index in LoadedModels::models
  std::shared_ptr<Network> network;     // the model's, or a copy that asks more
  PropertyId property;                  // of that network
  std::optional<StepBound> asked = {};  // by the model, where the command replaced it

  [[nodiscard]] const Property& what() const { return network->property(property); }
};

// The question before anything is known about it.
[[nodiscard]] PropertyResult undecided_result(const LoadedModels& loaded, const Question& question);

// Where its question is written, and how.
void note_place(PropertyResult& result, const Sources& sources);

// The properties of these names, all if none is given, in the order of the files. Reports names
// that no model has and models that ask nothing.
[[nodiscard]] std::vector<Question> chosen_questions(const std::vector<std::string>& names,
                                                     LoadedModels& loaded);

// The same about runs of at most so many steps, whatever the models say, also where it begins: "in
// exactly 7 steps" becomes "in at most N". What the models do not ask themselves stays as it is.
[[nodiscard]] std::vector<Question> with_bound(const std::vector<Question>& questions,
                                               const LoadedModels& loaded, std::uint64_t bound);

// Reports that nobody asks anything, unless something else is wrong.
void require_questions(const std::vector<Question>& questions, LoadedModels& loaded);

}  // namespace whittle

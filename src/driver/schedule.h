// SPDX-License-Identifier: Apache-2.0
// All questions of a run, several at a time.
#pragma once

#include <functional>
#include <span>

#include "driver/decide.h"
#include "driver/questions.h"

namespace whittle {

// Those that look like the most work begin first, so that they do not end last. `on_result` gets
// the results in the order of the questions, each as soon as all before it are there. What `decide`
// throws is thrown here.
void decide_all(const LoadedModels& loaded, std::span<const Question> questions,
                DecideContext& context, const std::function<void(PropertyResult)>& on_result);

}  // namespace whittle
